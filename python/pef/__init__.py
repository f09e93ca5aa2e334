"""PEF, the Python Error Finder: runs functions on symbolic inputs and shows every path they take.

Everything public is loaded on first use: `pef --help` and the replay processes start without the
engine, Z3 or the rewriter.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pef.checking.library import Finding as Finding
    from pef.checking.library import Report as Report
    from pef.checking.library import check as check
    from pef.session import Path as Path
    from pef.session import explore as explore

__all__ = ["Finding", "Path", "Report", "__version__", "check", "explore"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name in ("Path", "explore"):
        from pef import session

        return getattr(session, name)
    if name in ("check", "Finding", "Report"):
        from pef.checking import library

        return getattr(library, name)
    if name == "_native":
        # `from pef import _native` comes here first; the native module may need a loaded Z3.
        from importlib import import_module

        import_module("pef._z3")
        return import_module("pef._native")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
