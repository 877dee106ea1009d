"""The arguments of a call: what in them are arrays and numbers, the kind of call that they make, and their traces."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from hologram.dialects.sizes import distinct_name
from hologram.errors import UsageError
from hologram.frontend.tensors.trace.numbers import Weak, extent
from hologram.frontend.tensors.trace.support import as_array
from hologram.frontend.tensors.trace.trace import Trace, Traced
from hologram.runtime import dtypes

STATIC = (str, bytes, bool, np.bool_, type(None), np.dtype, type, type(...))
"""What the code is made for, whatever its value."""


@dataclass
class Leaf:
    """An array or a number among the arguments of a call."""

    name: str
    """What the program calls it."""
    value: Any
    kind: str
    """`array`, `float`, `int` or `number`: one that has a type of numpy."""


def key_of(args: Sequence[Any]) -> Any:
    """The kind of a call, sizes included, where its arguments are arrays and plain values; else None."""
    found: list[Any] = []
    for value in args:
        kind = cast("Any", type(value))
        if kind is np.ndarray:
            # The number does not tell byte orders apart, which kernels do.
            found.append((value.dtype.num, value.shape))
        elif kind is float:
            found.append(float)
        elif kind in _PLAIN:
            found.append((kind, value))
        elif hasattr(value, "home") and hasattr(value, "dtype"):
            found.append((kind, value.device, value.dtype, value.shape))
        else:
            return None
    return tuple(found)


_PLAIN = frozenset((int, bool, str, type(None)))


@dataclass
class Spread:
    """The arguments of a call."""

    bound: inspect.BoundArguments
    leaves: list[Leaf]
    tree: dict[str, Any]
    """By parameter the value, with the number of a leaf as `Place` for each."""
    signature: Any
    """The kind of the call without sizes and integers."""

    @cached_property
    def environment(self) -> dict[str, Any]:
        """Shapes and integers by name, as expressions know them."""
        return {leaf.name: leaf.value if leaf.kind == "int" else tuple(leaf.value.shape)
                for leaf in self.leaves if leaf.kind in ("int", "array")}  # fmt: skip

    def symbol(self, name: str) -> str:
        """A name for the program."""
        return distinct_name("main" if name == "<lambda>" else name, ())

    def arguments(self, trace: Trace) -> tuple[list[Any], dict[str, Any]]:
        """What the function is called with while it is traced."""
        trace.reserve(leaf.name for leaf in self.leaves)
        values = [_traced(trace, leaf, number) for number, leaf in enumerate(self.leaves)]
        self.bound.arguments.clear()
        self.bound.arguments.update({name: _filled(part, values) for name, part in self.tree.items()})
        return list(self.bound.args), self.bound.kwargs


@dataclass(frozen=True)
class Place:
    """Where a leaf stands among the arguments."""

    number: int


def spread(bound: inspect.BoundArguments, static: frozenset[str]) -> Spread:
    """The arrays and numbers among arguments."""
    walk = _Walk()
    tree: dict[str, Any] = {}
    kinds: list[Any] = []
    for name, value in bound.arguments.items():
        tree[name], kind = (value, _static(name, value)) if name in static else walk.value(name, value)
        kinds.append(kind)
    return Spread(bound, walk.leaves, tree, tuple(kinds))


class _Walk:
    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.names: list[str] = []

    def value(self, name: str, value: Any) -> tuple[Any, Any]:
        """A value with places for its leaves, and its kind without sizes."""
        kind = cast("Any", type(value))
        if kind is float:
            return self.leaf(name, value, "float"), float
        if kind is int or isinstance(value, np.integer):
            return self.leaf(name, int(cast("Any", value)), "int"), int
        if isinstance(value, STATIC):
            return cast("Any", value), (kind, value)
        if isinstance(value, dict):
            items = cast("dict[Any, Any]", value)
            found = {k: self.value(f"{name}_{k}", v) for k, v in items.items()}
            return {k: v for k, (v, _) in found.items()}, (kind, *((k, of) for k, (_, of) in found.items()))
        if isinstance(value, (list, tuple)):
            parts = [self.value(f"{name}_{n}", v) for n, v in enumerate(cast("Sequence[Any]", value))]
            return like(value, [p for p, _ in parts]), (kind, *(of for _, of in parts))
        array = as_array(value)
        if array is not None:
            is_number = isinstance(value, np.generic)
            return self.leaf(name, array, "number" if is_number else "array"), _array_kind(array, is_number)
        return value, _static(name, value)

    def leaf(self, name: str, value: Any, kind: str) -> Place:
        self.names.append(distinct_name(name, self.names))
        self.leaves.append(Leaf(self.names[-1], value, kind))
        return Place(len(self.leaves) - 1)


def like(value: Any, parts: Sequence[Any]) -> Any:
    """A list, tuple or named tuple of other parts."""
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def _array_kind(array: Any, is_number: bool) -> Any:
    return (
        getattr(array, "device", "cpu") if hasattr(array, "home") else "cpu",
        str(array.dtype),
        array.ndim,
        is_number,
    )


def _static(name: str, value: Any) -> Any:
    """What stands for a value that the code is made for."""
    if not isinstance(value, Hashable):
        raise UsageError(
            "jit-argument", f"argument '{name}' is of type '{type(value).__name__}', which is no array or number",
            hint="code can be made for values that have a hash",
        )  # fmt: skip
    return type(value), value


def _filled(part: Any, values: Sequence[Any]) -> Any:
    if isinstance(part, Place):
        return values[part.number]
    if isinstance(part, dict):
        return {k: _filled(v, values) for k, v in cast("dict[Any, Any]", part).items()}
    if isinstance(part, (list, tuple)):
        return like(part, [_filled(v, values) for v in cast("Sequence[Any]", part)])
    return part


def _traced(trace: Trace, leaf: Leaf, slot: int) -> Any:
    """What stands for a leaf in a trace."""
    if leaf.kind == "array":
        return trace.array(leaf.name, leaf.value, slot)
    if leaf.kind == "int":
        return extent(trace, trace.index(leaf.name, leaf.value, slot))
    if leaf.kind == "number":
        return trace.number_argument(leaf.name, dtypes.name_of(leaf.value.dtype), slot)

    names = [leaf.name]

    def made(dtype: str) -> Traced:
        name = names.pop() if names else trace.distinct(f"{leaf.name}_{dtype}")
        return trace.number_argument(name, dtype, slot)

    return Weak(trace, made)
