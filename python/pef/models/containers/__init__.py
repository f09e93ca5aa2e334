"""Lists, tuples, dicts, sets and the functions over them.

Containers are CPython's own and hold symbolic items as they are. What is left to model are the
places where C code would read an index, a length or the hash of a key: positions and counts are
decided (`positions`), and which of the present keys is meant is one decision over them (`dicts`,
`sets`, with the native `find_key`). A dict or set that holds symbolic keys turns into a type of
ours for the rest of the run (`keyed`).

What stays out: subscripts, `in` and displays of rewritten code, which are native helpers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ITERATORS = (
    *("islice", "repeat", "combinations", "combinations_with_replacement", "permutations"),
    *("product", "tee", "batched"),
)


def install() -> None:
    """Registers the models of all containers and of the functions over them."""
    from pef import _native
    from pef.models.containers import dicts, mappings, sequences, sets

    for room in (sequences, dicts, sets, mappings):
        room.install()
    _install_iterators()
    _install_functions()
    untouched: Any
    for untouched in _native.UNTOUCHED_TYPES:
        untouched.__deepcopy__ = _deepcopy


def _install_iterators() -> None:
    """Functions that take numbers."""
    import itertools

    from pef import _native
    from pef.models import later

    for name in _ITERATORS:
        real = getattr(itertools, name, None)
        if real is not None:
            model = f"containers.iterators:{name}_model"
            later.register(_native.register_guarded, real, model)
    _native.register_transparent(itertools.chain.from_iterable)


def _install_functions() -> None:
    import bisect
    import operator

    from pef import _native
    from pef.models import later

    function: Any
    for function in (sorted, max, min, sum):
        model = f"containers.calls:{function.__name__}_model"
        later.register(_native.register_model, function, model)
    for function in (any, all, operator.setitem, operator.delitem):
        model = f"containers.calls:{function.__name__}_model"
        later.register(_native.register_guarded, function, model)
    for name in ("bisect_left", "bisect_right", "insort_left", "insort_right"):
        model = f"containers.calls:{name}_model"
        later.register(_native.register_model, getattr(bisect, name), model)
    _native.register_transparent(operator.itemgetter)
    _native.register_instances(operator.itemgetter, _itemgetter)


def _itemgetter(getter: Any) -> Any:
    from pef.models.containers.calls import itemgetter_model

    return itemgetter_model(getter)


def _deepcopy(container: Any, memo: dict[int, Any]) -> Any:
    from pef.models.containers.copies import of_untouched

    return of_untouched(container, memo)
