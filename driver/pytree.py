"""The arguments of a call as a tree: its leaves, which are arrays and numbers, the kind of call, and their traces."""

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
from hologram.frontend.tensors.trace.trace import Trace, Traced, dtype_of
from hologram.support.exact_key import exact_key
from hologram.support.trees import like, map_tree

STATIC = (str, bytes, bool, np.bool_, type(None), np.dtype, type, type(...))
"""The types of values that code is made for, each its own."""


@dataclass
class Leaf:
    """An array or a number among the arguments of a call."""

    name: str
    """What the program calls it."""
    value: Any
    kind: str
    """`array`, `float`, `int` or `number`: one that has a type of numpy."""


def call_key(args: Sequence[Any]) -> Any:
    """Return the kind of a call, sizes included, if its arguments are arrays and plain values; else None."""
    parts: list[Any] = []
    for value in args:
        kind = cast("Any", type(value))
        if kind is np.ndarray:
            # The number does not tell byte orders apart, which kernels do.
            parts.append((value.dtype.num, value.shape))
        elif kind is float:
            parts.append(float)
        elif kind in _PLAIN:
            parts.append((kind, value))
        elif hasattr(value, "home") and hasattr(value, "dtype"):
            parts.append((kind, value.device, value.dtype, value.shape))
        else:
            return None
    return tuple(parts)


_PLAIN = frozenset((int, bool, str, type(None)))


@dataclass
class Flattened:
    """The arguments of a call and their leaves."""

    bound: inspect.BoundArguments
    leaves: list[Leaf]
    tree: dict[str, Any]
    """By parameter the value, with a `LeafNumber` in place of each leaf."""
    signature: Any
    """The kind of the call without sizes and integers."""

    @cached_property
    def environment(self) -> dict[str, Any]:
        """Shapes and integers by name, as expressions know them."""
        return {leaf.name: leaf.value if leaf.kind == "int" else tuple(leaf.value.shape)
                for leaf in self.leaves if leaf.kind in ("int", "array")}  # fmt: skip

    def symbol(self, name: str) -> str:
        """Return a name for the program."""
        return distinct_name("main" if name == "<lambda>" else name, ())

    def arguments(self, trace: Trace) -> tuple[list[Any], dict[str, Any]]:
        """Return what the function is called with while it is traced."""
        trace.reserve(leaf.name for leaf in self.leaves)
        values = [_traced(trace, leaf, number) for number, leaf in enumerate(self.leaves)]
        self.bound.arguments.clear()
        self.bound.arguments.update(
            map_tree(self.tree, lambda part: values[part.number] if isinstance(part, LeafNumber) else part)
        )
        return list(self.bound.args), self.bound.kwargs


@dataclass(frozen=True)
class LeafNumber:
    """The place of a leaf among all of a call."""

    number: int


def flatten(bound: inspect.BoundArguments, static: frozenset[str]) -> Flattened:
    """Find the leaves of arguments; those of the parameters in `static` have none."""
    walk = _Walk()
    tree = {n: walk.static(n, v) if n in static else walk.value(n, v) for n, v in bound.arguments.items()}
    return Flattened(bound, walk.leaves, tree, tuple(walk.kinds))


class _Walk:
    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.names: list[str] = []
        self.kinds: list[Any] = []
        """The kinds of all parts without sizes, each before those of its own parts."""

    def value(self, name: str, value: Any) -> Any:
        """Return a value with numbers in place of its leaves."""
        kind = cast("Any", type(value))
        if kind is float:
            return self.leaf(name, value, "float", float)
        if kind is int or isinstance(value, np.integer):
            return self.leaf(name, int(cast("Any", value)), "int", int)
        if isinstance(value, STATIC):
            return self.static(name, value)
        if isinstance(value, dict):
            items = cast("dict[Any, Any]", value)
            self.kinds.append((kind, *items))
            return {k: self.value(f"{name}_{k}", v) for k, v in items.items()}
        if isinstance(value, (list, tuple)):
            parts = cast("Sequence[Any]", value)
            self.kinds.append((kind, len(parts)))
            return like(parts, [self.value(f"{name}_{n}", v) for n, v in enumerate(parts)])
        array = as_array(value)
        if array is None:
            return self.static(name, value)
        device = getattr(array, "device", "cpu") if hasattr(array, "home") else "cpu"
        form = "number" if isinstance(value, np.generic) else "array"
        return self.leaf(name, array, form, (device, str(array.dtype), array.ndim, form))

    def leaf(self, name: str, value: Any, form: str, kind: Any) -> LeafNumber:
        self.kinds.append(kind)
        self.names.append(distinct_name(name, self.names))
        self.leaves.append(Leaf(self.names[-1], value, form))
        return LeafNumber(len(self.leaves) - 1)

    def static(self, name: str, value: Any) -> Any:
        """Return a value that code is made for, unless it has no hash."""
        if not isinstance(value, Hashable):
            raise UsageError(
                "jit-argument", f"argument '{name}' is of type '{type(value).__name__}', which is no array or number",
                hint="code is made for numbers, texts, truth values and tuples of them, if the parameter is static",
            )  # fmt: skip
        self.kinds.append(exact_key(value))
        return value


def _traced(trace: Trace, leaf: Leaf, slot: int) -> Any:
    """Return what stands for a leaf in a trace."""
    if leaf.kind == "array":
        return trace.array(leaf.name, leaf.value, slot)
    if leaf.kind == "int":
        return extent(trace, trace.index(leaf.name, leaf.value, slot))
    if leaf.kind == "number":
        return trace.number_argument(leaf.name, dtype_of(leaf.value, leaf.name), slot)

    arguments: dict[str, Traced] = {}

    def made(dtype: str) -> Traced:
        if dtype not in arguments:
            name = trace.distinct(f"{leaf.name}_{dtype}") if arguments else leaf.name
            arguments[dtype] = trace.number_argument(name, dtype, slot)
        return arguments[dtype]

    return Weak(trace, made)
