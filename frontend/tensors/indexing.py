"""`x[...]` in tensor functions: numbers, slices, None, ..., and one tensor of indices."""

from __future__ import annotations

from typing import Any, cast

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.ops import memory
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import size_of
from hologram.frontend.tensors.trace.support import ONE, settled, trace
from hologram.frontend.tensors.trace.trace import Traced

ZERO = Size.of(0)


def item(value: Traced, index: Any) -> Any:
    """The part of a tensor that an index says."""
    entries: list[Any] = _entries(value, index)
    axis, dropped, added = 0, list[int](), list[int]()
    for entry in entries:
        if entry is None:
            added.append(axis - len(dropped) + len(added))
            continue
        if isinstance(entry, slice):
            value = _slice(value, axis, cast("Any", entry))
        elif _is_whole(entry):
            value = memory.row(value, axis, entry.__index__())
            dropped.append(axis)
        else:
            value, axis = _take(value, axis, entry, entries)
        axis += 1
    kept: list[Size] = [s for n, s in enumerate(settled(value)) if n not in dropped]
    for place in added:
        kept.insert(place, ONE)
    return memory.reshaped(value, tuple(kept))


def _entries(value: Traced, index: Any) -> list[Any]:
    """One entry for each axis, and None for new ones."""
    entries: list[Any] = list(index) if isinstance(index, tuple) else [index]  # pyright: ignore[reportUnknownArgumentType]
    named = sum(e is not None and e is not ... for e in entries)
    if named > value.ndim:
        fault("jit-index-count", f"a tensor with {value.ndim} axes has no {named} indices")
    rest = [slice(None)] * (value.ndim - named)
    places = [n for n, e in enumerate(entries) if e is ...]
    if len(places) > 1:
        fault("jit-index-dots", "an index has one '...' at most")
    place = places[0] if places else len(entries)
    return [*entries[:place], *rest, *entries[place + 1 :]]


def _is_whole(entry: Any) -> bool:
    return hasattr(entry, "__index__") and not isinstance(entry, (bool, Traced)) and not getattr(entry, "shape", ())


def _take(value: Traced, axis: int, entry: Any, entries: list[Any]) -> tuple[Any, int]:
    """Slices at a tensor of indices; the axis that it ends at."""
    if sum(not (e is None or isinstance(e, slice) or _is_whole(e)) for e in entries) > 1:
        fault("jit-index-tensors", "an index holds one tensor of indices at most")
    if isinstance(entry, str | float):
        fault("jit-index-type", f"an index is an integer, a slice or a tensor of integers, not {entry!r}")
    if isinstance(entry, bool) or getattr(entry, "dtype", None) == "bool":
        fault(
            "jit-index-kind", "what is chosen by truth values has a size that no shape tells",
            "hologram.ops.where keeps the shape",
        )  # fmt: skip
    places = memory.index_tensor(entry)
    return memory.gather(value, places, axis), axis + places.ndim - 1


def _slice(value: Traced, axis: int, entry: Any) -> Traced:
    """A slice along an axis, by Python's rules."""
    if entry == slice(None):
        return value
    facts, size = trace().facts, value.along(axis)
    step = 1 if entry.step is None else _index(entry.step)
    if step == 0:
        fault("jit-slice-step", "the step of a slice is not 0")
    if step < 0:
        chosen = range(*_known(entry, size))
        return memory.sliced(value, axis, chosen.start if chosen else 0, step, Size.of(len(chosen)))
    start = facts.number(_bound(entry.start, size, ZERO))
    stop = _bound(entry.stop, size, size)
    length = stop - Size.of(start)
    if not facts.holds(length, ">", ZERO):
        return memory.sliced(value, axis, 0, 1, ZERO)
    count = length if step == 1 else (length + Size.of(step - 1)) // Size.of(step)
    if start == 0 and step == 1 and facts.settled(count) == size:
        return value
    return memory.sliced(value, axis, start, step, facts.settled(count))


def _known(entry: Any, size: Size) -> tuple[int, int, int]:
    parts = [None if v is None else _index(v) for v in (entry.start, entry.stop, entry.step)]
    return slice(*parts).indices(trace().facts.number(size))


def _index(value: Any) -> int:
    if not _is_whole(value):
        fault("jit-slice", f"the bounds of a slice are integers, not '{type(value).__name__}'")
    return value.__index__()


def _bound(value: Any, size: Size, otherwise: Size) -> Size:
    """A bound of a slice within an axis: a negative one counts from the last, and what is outside is moved in."""
    if value is None:
        return otherwise
    bound = size_of(value)
    if bound is None:
        return Size.of(_index(value))
    facts = trace().facts
    if facts.holds(bound, "<", ZERO):
        bound = bound + size
        return bound if facts.holds(bound, ">=", ZERO) else ZERO
    return bound if facts.holds(bound, "<=", size) else size
