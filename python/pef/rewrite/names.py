"""The helper names that rewritten code refers to: the whole seam to the native module.

They live in `builtins`, so that a target's namespaces stay exactly as its author wrote them.
All begin and end with two underscores, hence the compiler never mangles them in a class body.

Each helper does precisely what the plain operation does when nothing symbolic is involved, and
none of them is visible as a frame.
"""

from __future__ import annotations

SELECT = "__pef_sel__"
"""`(f)`: what to call in place of `f`. Usually `f` itself."""

GETITEM = "__pef_getitem__"
"""`(a, i)`: `a[i]`."""

GETSLICE = "__pef_getslice__"
"""`(a, i, j, k)`: `a[i:j:k]`, with None for a part that is missing."""

AT = "__pef_at__"
"""`(a)`: `a`, or a stand-in for it whose `[]` may be loaded, stored and deleted."""

IN = "__pef_in__"
"""`(x, c)`: `x in c`."""

NOT_IN = "__pef_not_in__"
"""`(x, c)`: `x not in c`."""

IS = "__pef_is__"
"""`(a, b)`: `a is b`."""

IS_NOT = "__pef_is_not__"
"""`(a, b)`: `a is not b`."""

NOT = "__pef_not__"
"""`(x)`: `not x`."""

MOD = "__pef_mod__"
"""`(a, b)`: `a % b`."""

JOIN = "__pef_join__"
"""`(*parts)`: the text of an f-string with these parts."""

FIELD = "__pef_field__"
"""`(value, conversion, *spec)`: a field of an f-string; its specification may be in parts."""

WITHIN_SPEC = 0
"""As a conversion: the field is part of a specification; a number can stand for its digits."""

DICT = "__pef_dict__"
"""`(so_far, k, v, ...)`: the dict so far (None: a new one) with these items."""

SET = "__pef_set__"
"""`(so_far, x, ...)`: the set so far (None: a new one) with these items."""

SPREAD = "__pef_spread__"
"""`(so_far, source)`: the set so far with `*source`, or the dict so far with `**source`."""

ENTRY = "__pef_entry__"
"""`(k, v)`, `(x)`: an entry of a comprehension, unlike every other one."""

ENTRIES = "__pef_entries__"
"""`(collected)`: the dict or set that a comprehension of entries means."""

PLAIN = "__pef_plain__"
"""`(method, value)`: `value`, for C code to read as the result of a special method."""

SETTLED = "__pef_settled__"
"""`(method, value)`: `value`, or a function around it whose result C code may read. Without a
value, a decorator that does so. For special methods that are not written as a plain `def`."""

TRUE = "__pef_True__"
"""A class; `isinstance(x, it)` answers `x is True`. For `case True:`."""

FALSE = "__pef_False__"
"""A class; `isinstance(x, it)` answers `x is False`. For `case False:`."""

NUMBERS = "__pef_numbers__"
"""`(x, ...)`: whether these are ints, in a run in which branches that choose one may be merged."""

EITHER = "__pef_either__"
"""`(c, a, d, b, ..., z)`: `a if c else b if d else ... z` of ints."""

HELPERS = (
    *(SELECT, GETITEM, GETSLICE, AT, IN, NOT_IN, IS, IS_NOT, NOT, MOD, JOIN, FIELD),
    *(NUMBERS, EITHER),
    *(DICT, SET, SPREAD, ENTRY, ENTRIES, PLAIN, SETTLED, TRUE, FALSE),
)
"""Every name that has to exist in `builtins` while rewritten code runs."""
