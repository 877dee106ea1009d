"""A module of the machine form as plain data: what text and binary hold, between them and the IR.

Nothing heavy is imported, so that compilers can fill a listing before any IR is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from hologram.errors import Where

CONTROL = ("bra", "loop", "call", "ret", "exit")
"""The instructions that steer a lane; all others are rows of the table."""


@dataclass(frozen=True, slots=True)
class Address:
    """`[base + index + offset]`; `base` is an object (`buf0`), `reg` or `phi`, whose registers are `registers`."""

    base: str
    registers: tuple[int, ...] = ()
    index: int | None = None
    offset: int = 0


Operand: TypeAlias = int | str | Address
"""A register's number, an immediate, the bits of a constant, the name of a special register or a pool, a text, an
address."""


@dataclass(slots=True)
class Line:
    """An instruction of the table: its name there, modifiers and types in the form's order, operands likewise."""

    name: str
    modifiers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    where: Where | None = None


@dataclass(slots=True)
class Jump:
    """An instruction of CONTROL. `target` is a label's number, or the function's name for `call`; `register` is the
    predicate of `bra` (-1: none) or the counter of `loop`; `type` is the counter's."""

    name: str
    target: int | str = -1
    register: int = -1
    negated: bool = False
    type: str = "u32"
    where: Where | None = None


@dataclass(slots=True)
class Array:
    """Element type and sizes, -1 where a launch says."""

    dtype: str
    sizes: tuple[int, ...]


@dataclass(slots=True)
class Scalar:
    """A value in a register (a predicate for bool): of an ISA type, or in functions a pointer, `ptr<f32, global>`."""

    dtype: str
    register: int


@dataclass(slots=True)
class Code:
    """A program, or a function if `is_function`."""

    name: str
    is_function: bool = False
    parameters: list[Scalar | Array] = field(default_factory=list[Scalar | Array])
    outs: list[Scalar] = field(default_factory=list[Scalar])
    block: tuple[int, int, int] | None = None
    grid: tuple[int, int, int] | None = None
    shared: int | None = None
    arrays: list[tuple[str, Array]] = field(default_factory=list[tuple[str, Array]])
    """`shared` or `local`, and the array, in the order of the text."""
    lines: list[Line | Jump] = field(default_factory=list[Line | Jump])
    labels: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """The line that each label stands before, ascending, and its name; empty if it has none."""
    where: Where | None = None


Index: TypeAlias = "tuple[str, int] | tuple[str, Index, Index]"
"""An index expression: `("d", 0)` is d0, `("c", 3)` the number 3, `("+", a, b)` (`* floordiv ceildiv mod`) of two."""


@dataclass(frozen=True, slots=True)
class IndexMap:
    """`(d0, d1) -> (d1, d0 + 1)`: how many loops there are, and an expression for each axis."""

    loops: int
    indices: tuple[Index, ...]


Value: TypeAlias = "int | str | tuple[int, ...] | tuple[str, ...] | tuple[IndexMap, ...] | None"
"""What a setting says: a number, the bits of an f64, a function, a list; 1 for a switch that is on, None if absent."""


@dataclass(slots=True)
class ArrayLine:
    """An array-level instruction: the word that is joined to its name (empty if it has none), its types, and its
    operands (`buf0`, `temp0`, `r0`, `p0`) and settings in the form's order."""

    name: str
    choice: str = ""
    types: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    settings: tuple[Value, ...] = ()
    where: Where | None = None


@dataclass(slots=True)
class Temporary:
    """An array that lives as long as the program runs; a size is a number, or that of an axis: `buf0.1`."""

    dtype: str
    sizes: tuple[int | str, ...]
    where: Where | None = None


@dataclass(slots=True)
class Arrays:
    """An array-level program; its lines are `mov_imm` and array-level instructions."""

    name: str
    parameters: list[Scalar | Array] = field(default_factory=list[Scalar | Array])
    temporaries: list[Temporary] = field(default_factory=list[Temporary])
    lines: list[Line | ArrayLine] = field(default_factory=list["Line | ArrayLine"])
    where: Where | None = None


@dataclass(slots=True)
class Pool:
    """A pool."""

    array: Array
    where: Where | None = None


Item: TypeAlias = Code | Arrays | Pool
Listing: TypeAlias = list[Item]
"""A module: its pools, programs, functions and array-level programs in order."""
