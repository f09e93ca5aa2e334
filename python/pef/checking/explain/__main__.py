"""Write `docs/codes.md` to standard output."""

from pef.checking.explain import document

print(document(), end="")
