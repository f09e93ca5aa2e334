"""placeholder while the room is being built"""
from __future__ import annotations


def install() -> None:
    """Nothing yet."""
