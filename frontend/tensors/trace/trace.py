"""A trace is what one run of a tensor function computed: arguments and operations in order, with symbolic shapes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from hologram.dialects.sizes import Size, distinct_name
from hologram.frontend.tensors.trace.extents import Facts
from hologram.frontend.tensors.trace.locations import Place, fault, here
from hologram.runtime import dtypes
from hologram.support import promotion
from hologram.support.exact_key import exact_key

Sizes = tuple[Size, ...]
R = TypeVar("R")


class Traced:
    """A value of a trace: a tensor, or a number of a type, which stands for a tensor without axes."""

    __slots__ = ("dtype", "is_number", "name", "sizes", "trace")

    def __init__(self, trace: Trace, name: str, dtype: str, sizes: Sizes, is_number: bool = False):
        self.trace = trace
        self.name = name
        """What the text of the trace calls it."""
        self.dtype = dtype
        """The name of its type: `f32`, `u8`, `bool`."""
        self.sizes = sizes
        self.is_number = is_number

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return len(self.sizes)

    def along(self, axis: int) -> Size:
        """Its size along an axis, in terms of what is unknown."""
        return self.trace.facts.settled(self.sizes[axis])


@dataclass(slots=True)
class Node:
    """An operation of a trace."""

    name: str
    """`hologram.add`, `atlas.softmax`; `number` and `size` make numbers."""
    operands: Sequence[Traced]
    result: Traced
    place: Place
    head: str = ""
    """What stands before the operands."""
    attributes: str = ""
    given: bool = False
    """Whether the result's sizes are operands."""
    value: Any = None
    """Of `number` the literal, of `size` the size."""


@dataclass(slots=True)
class Part:
    """The operations of a step of a loop or of a side of a choice."""

    args: list[Traced]
    nodes: list[Node | Control]
    results: list[Traced]
    condition: Traced | None = None
    """Whether there is a step."""


@dataclass(slots=True)
class Control:
    """A loop or a choice: `scf.for` from 0 up to a bound, `scf.while`, or `scf.if`."""

    name: str
    index: Traced | None
    """The number of a step."""
    bound: Traced | Size | None
    """The number of steps, or the condition of a choice."""
    starts: Sequence[Traced]
    parts: Sequence[Part]
    results: Sequence[Traced]
    place: Place


@dataclass(slots=True)
class Argument:
    """An argument of the program that a trace becomes, and where a call finds it."""

    value: Traced
    slot: int
    """The number of the leaf in the call's arguments; -1 of arrays from outside."""
    outside: Any = None
    """An array that the function found outside of its arguments."""


class Trace:
    """The trace of one run. `make` is the class of its values, `computes` says whether the device has a type."""

    def __init__(
        self, name: str, place: Place, make: type[Traced], computes: Callable[[str], bool] = lambda dtype: True
    ):
        self.name = name
        self._computes = computes
        self.facts = Facts()
        self.arguments: list[Argument] = []
        self.nodes: list[Node | Control] = []
        self._count = 0
        self.place = place
        self.learning = False
        """Whether a step is traced for the types that it makes of numbers alone, and goes into no program."""
        self._make = make
        self._names: set[str] = set()
        self._numbers: dict[tuple[str, Any], Traced] = {}
        self._outside: dict[int, Traced] = {}
        self._ended: set[str] = set()
        """The names of what the steps of loops and the sides of choices made, which is known in them alone."""

    @cached_property
    def real(self) -> str:
        """The type of what is real and no array of floats says more of: f64, f32 where the device has no f64."""
        return "f64" if self._computes("f64") else "f32"

    # Arguments

    def distinct(self, wanted: str) -> str:
        """A name for an argument that no other has."""
        name = distinct_name(wanted, self._names)
        self._names.add(name)
        return name

    def reserve(self, names: Iterable[str]) -> None:
        """Keeps names for arguments."""
        self._names.update(names)

    def index(self, name: str, value: int, slot: int) -> Size:
        """The argument that a call's integer becomes, as a size."""
        self._argument(name, "index", (), slot, is_number=True)
        return self.facts.unknown(name, value, natural=False)

    def array(self, name: str, array: Any, slot: int) -> Traced:
        """The argument that a call's array becomes. Its sizes are unknown."""
        dtype = dtype_of(array, name)
        sizes = tuple(self.facts.unknown(f"{name}[{axis}]", n) for axis, n in enumerate(array.shape))
        return self._argument(name, dtype, sizes, slot)

    def number_argument(self, name: str, dtype: str, slot: int) -> Traced:
        """The argument that a call's number becomes."""
        return self._argument(name, dtype, (), slot, is_number=True)

    def outside(self, array: Any) -> Traced:
        """The argument that an array from outside of the function becomes. Its sizes are known."""
        if id(array) not in self._outside:
            name = self.distinct("outside")
            sizes = tuple(map(Size.of, array.shape))
            self._outside[id(array)] = self._argument(name, dtype_of(array, "an array from outside"), sizes, -1, array)
        return self._outside[id(array)]

    def _argument(
        self, name: str, dtype: str, sizes: Sizes, slot: int, outside: Any = None, is_number: bool = False
    ) -> Traced:
        value = self._make(self, name, dtype, sizes, is_number)
        self.arguments.append(Argument(value, slot, outside))
        return value

    # Operations

    def add(self, name: str, operands: Sequence[Traced], dtype: str, sizes: Sequence[Size], **rest: Any) -> Traced:
        """An operation on tensors; its result. What `rest` may be are the fields of `Node`."""
        tensors = [self.tensor(v) for v in operands]
        return self._node(name, tensors, dtype, tuple(sizes), **rest)

    def fill(self, number: Traced, sizes: Sizes) -> Traced:
        """A tensor with a number everywhere."""
        return self._node("hologram.fill", [number], number.dtype, sizes, given=True)

    def tensor(self, value: Traced) -> Traced:
        """A value as a tensor of the IR."""
        return self.fill(value, ()) if value.is_number else value

    def number(self, dtype: str, value: bool | int | float) -> Traced:
        """A literal."""
        key = (dtype, exact_key(value))
        return self.once(key, lambda: self._node("number", [], dtype, (), value=value, is_number=True))

    def size_number(self, size: Size, dtype: str) -> Traced:
        """A size as a number of a type."""
        return self.once((dtype, size), lambda: self._node("size", [], dtype, (), value=size, is_number=True))

    def once(self, key: tuple[str, Any], make: Callable[[], Traced]) -> Traced:
        """A number that is made where it is first needed: what a part of a loop makes is known in that part alone."""
        if key not in self._numbers:
            self._numbers[key] = make()
        return self._numbers[key]

    def _node(
        self, name: str, operands: Sequence[Traced], dtype: str, sizes: Sizes, is_number: bool = False, **rest: Any
    ) -> Traced:
        result = self._make(self, self._new(), dtype, sizes, is_number)
        self.nodes.append(Node(name, operands, result, here(), **rest))
        return result

    def _new(self) -> str:
        self._count += 1
        return str(self._count - 1)

    # Loops and choices

    def part(self, like: Sequence[Traced], make: Callable[[list[Traced]], tuple[list[Traced], Traced | None]]) -> Part:
        """The operations that a function computes of tensors like others: its results, and perhaps a condition."""
        outer, known = self.nodes, dict(self._numbers)
        number = self._new()
        # A point stands in no name of Python.
        args = [self._like(f"c{number}.{n}", v) for n, v in enumerate(like)]
        self.nodes = []
        try:
            results, condition = make(args)
            return Part(args, self.nodes, results, condition)
        finally:
            self._ended.update(a.name for a in args)
            for node in self.nodes:
                self._ended.update(r.name for r in (node.results if isinstance(node, Control) else (node.result,)))
            self.nodes, self._numbers = outer, known

    def _like(self, name: str, value: Traced) -> Traced:
        return self._make(self, name, value.dtype, tuple(map(value.along, range(value.ndim))))

    def step_argument(self, dtype: str, sizes: Sequence[Size]) -> Traced:
        """One more value that a loop carries: for the arguments of the part that is being made."""
        return self._make(self, f"c{self._new()}.0", dtype, tuple(sizes))

    def knows(self, value: Traced) -> bool:
        """Return whether what is computed next may read a value."""
        return value.trace is self and value.name not in self._ended

    def step_index(self) -> Traced:
        """What stands for the number of a step: an index of the IR."""
        return self._make(self, f"i{self._new()}.0", "index", (), True)

    def step_number(self, index: Traced) -> Traced:
        """The number of a step."""
        return self._node("index", [index], "i64", (), is_number=True)

    def from_the_end(self, index: Traced, count: Size) -> Traced:
        """The number of a step, counted down from the last of so many."""
        return self._node("from the end", [index], "index", (), is_number=True, value=count)

    def inserted(self, row: Traced, whole: Traced, index: Traced) -> Traced:
        """A tensor with a row of the first axis in its place."""
        return self._node("tensor.insert_slice", [row, whole, index], whole.dtype, whole.sizes)

    def control(
        self, name: str, parts: Sequence[Part], starts: Sequence[Traced], like: Sequence[Traced],
        bound: Traced | Size | None = None, index: Traced | None = None,
    ) -> list[Traced]:  # fmt: skip
        """A loop or a choice whose results are like other tensors; the results."""
        number = self._new()
        names = [f"{number}#{n}" for n in range(len(like))] if len(like) > 1 else [number][: len(like)]
        results = [self._like(n, v) for n, v in zip(names, like, strict=True)]
        self.nodes.append(Control(name, index, bound, starts, parts, results, here()))
        return results


def dtype_of(array: Any, what: str) -> str:
    """The name of an array's element type, which tensor functions must know."""
    name = dtypes.name_of(array.dtype)
    if name not in promotion.TYPES:
        fault("jit-dtype", f"'{what}' has elements of type {name}, which tensor functions have not", _TYPES_HINT)
    return name


_TYPES_HINT = "the types are bool, i8 to i64, u8 to u64, f16, bf16, f32 and f64"


# The trace that is being made


class _Open(threading.local):
    def __init__(self) -> None:
        self.traces: list[Trace] = []


_open = _Open()


def current() -> Trace | None:
    """The innermost trace that is being made by this thread."""
    return _open.traces[-1] if _open.traces else None


def run(trace: Trace, function: Callable[[], R]) -> R:
    """Run a function whose operations go to a trace, and return what it gives."""
    _open.traces.append(trace)
    try:
        return function()
    finally:
        _open.traces.pop()
