"""The exception for what the policy forbids: code that expects to be refused handles it."""

from __future__ import annotations

import errno


class SideEffectDenied(PermissionError):  # noqa: N818, it is a message to people
    """Target code tried to act on the world outside.

    A `PermissionError`, because that is what programs are prepared for.
    """

    def __init__(self, call: str, option: str) -> None:
        super().__init__(errno.EACCES, f"{call} denied by pef, allowed with {option}")
        self.call = call
        self.option = option

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.call, self.option)
