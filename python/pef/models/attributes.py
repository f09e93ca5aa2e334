"""`getattr` and `hasattr` with a name that is symbolic text.

Programs dispatch by names: `getattr(self, "visit_" + kind)`. The interpreter would hash the name
and so see one value of it. Here the name is looked up among the attributes there are, one decision
with an arm for each; what is none of them goes on as it is, to `__getattr__` or into the complaint.
"""

from __future__ import annotations

from typing import Any

from pef import _native


def attribute(value: Any, name: Any, /, *default: Any) -> Any:
    """`getattr`."""
    if not (isinstance(name, str) and _native.is_symbolic(name)):
        return getattr(value, name, *default)
    known = _known(value, name)
    if known is not None:
        return getattr(value, known, *default)
    fallback = getattr(type(value), "__getattr__", None)
    if fallback is None:
        if default:
            return default[0]
        raise _complaint(value, name)
    try:
        return _native.__pef_sel__(fallback)(value, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has_attribute(value: Any, name: Any, /) -> bool:
    """`hasattr`."""
    try:
        attribute(value, name)
    except AttributeError:
        return False
    return True


def _known(value: Any, name: Any) -> str | None:
    """The attribute that the name means, as plain text; a decision."""
    names = set(dir(type(value))).union(dir(type(type(value))) if isinstance(value, type) else ())
    names.update(object.__dir__(value) if not isinstance(value, type) else type.__dir__(value))
    table = {known: known for known in sorted(names)}
    try:
        found: str = _native.__pef_getitem__(table, name)
    except KeyError:
        return None
    return found


def _complaint(value: Any, name: Any) -> AttributeError:
    """CPython's words about an attribute that is not there, with the name still symbolic."""
    plain = _native.concrete(name)
    try:
        getattr(value, plain)
    except AttributeError as error:
        message = str(error)
    else:
        message = ""
    ending = f"'{plain}'"
    if not message.endswith(ending):
        _native.pinned(name, "getattr")
        return AttributeError(message or plain, name=plain, obj=value)
    symbolic = message[: -len(ending)] + ("'" + name + "'")
    return AttributeError(symbolic, name=name, obj=value)
