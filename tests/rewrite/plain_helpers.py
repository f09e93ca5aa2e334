"""The helpers of rewritten code as plain Python: what each one has to mean for plain values.

The native module provides the real ones. These stand in where it is not built, and are the
specification the real ones are compared with.
"""

import builtins
import functools
import operator


class _Identity(type):
    """A class whose only "instance" is one of the two bools."""

    singleton: bool

    def __instancecheck__(cls, subject):
        return subject is cls.singleton


class IsTrue(metaclass=_Identity):
    singleton = True


class IsFalse(metaclass=_Identity):
    singleton = False


identity = functools.partial({}.get, None)
"""Returns its argument, and is C: no frame, no trace event. (A key that is missing by design.)"""


def settled(method, *value):
    return value[0] if value else identity


def as_dict(so_far, *items):
    table = {} if so_far is None else so_far
    for position in range(0, len(items), 2):
        table[items[position]] = items[position + 1]
    return table


def as_set(so_far, *items):
    made = set() if so_far is None else so_far
    made.update(items)
    return made


def spread(so_far, source):
    if isinstance(so_far, set):
        so_far.update(source)
        return so_far
    return {**so_far, **source}


class Entry:
    """An entry of a comprehension; a key without a hash is refused at once."""

    count = 0

    def __init__(self, *parts):
        hash(parts[0])
        Entry.count += 1
        self.parts, self.number = parts, Entry.count


def entries(collected):
    if isinstance(collected, dict):
        return dict(entry.parts for entry in collected)
    return {entry.parts[0] for entry in sorted(collected, key=lambda entry: entry.number)}


HELPERS = {
    "__pef_sel__": identity,
    "__pef_getitem__": operator.getitem,
    "__pef_getslice__": lambda a, i, j, k: a[slice(i, j, k)],
    "__pef_at__": identity,
    "__pef_in__": lambda x, c: x in c,
    "__pef_not_in__": lambda x, c: x not in c,
    "__pef_is__": operator.is_,
    "__pef_is_not__": operator.is_not,
    "__pef_not__": operator.not_,
    "__pef_mod__": operator.mod,
    "__pef_join__": lambda *parts: "".join(parts),
    "__pef_dict__": as_dict,
    "__pef_set__": as_set,
    "__pef_spread__": spread,
    "__pef_entry__": Entry,
    "__pef_entries__": entries,
    "__pef_plain__": {}.get,
    "__pef_settled__": settled,
    "__pef_True__": IsTrue,
    "__pef_False__": IsFalse,
}


def install_helpers():
    for name, helper in HELPERS.items():
        setattr(builtins, name, helper)


def uninstall_helpers():
    for name in HELPERS:
        delattr(builtins, name)


class NativeHelpers:
    """The engine's helpers. Functions it has rewritten may outlive a test, and need them still."""

    def install_helpers(self):
        from pef import engine

        engine.install_helpers()

    def uninstall_helpers(self):
        pass


def choose():
    """The native helpers if they are there, else these: anything with install and uninstall."""
    try:
        import pef.engine  # noqa: F401
    except ImportError:
        import sys

        return sys.modules[__name__]
    return NativeHelpers()
