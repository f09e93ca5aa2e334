"""Write `docs/codes.md` to standard output."""

from pef.check.explain import document

print(document(), end="")
