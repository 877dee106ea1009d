"""The parts of random lane programs: the program under construction, its values, and their types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hologram.dialects.atlas.instructions.types import DTYPES

from .counts import FUZZING
from .tensor_programs import Array, Choices

ELEMENTS = ("f32", "i32", "i64", "f64", "f16", "bf16", "i8", "i16")
INTEGERS = ("i32", "i64", "i8", "i16")
WIDE = ("i128", "i256", "i512", "i1024", "i2048", "i4096")
STORED = ("f8E4M3FN", "f8E5M2")
"""Types that are moved and converted only."""
NUMBERS = (*ELEMENTS, *WIDE)
HELD = (*NUMBERS, *STORED, "i1")
"""All types that memory holds."""


def isa(type: str) -> str:
    """The ISA type of an SSA type."""
    return "bool" if type == "i1" else type


BYTES = {t: DTYPES[isa(t)].bytes for t in HELD}
BITS = {t: DTYPES[isa(t)].bits for t in HELD}
MAX_STEPS = 16 if FUZZING else 4


@dataclass(frozen=True)
class Lane:
    """A scalar value a lane holds: `type` is its SSA type, without a sign."""

    name: str
    type: str


@dataclass
class LaneProgram:
    """A program under construction, with its launch and its arguments."""

    choices: Choices
    block: int
    grid: int
    lines: list[str] = field(default_factory=list[str])
    depth: int = 1
    uniform: bool = True
    """True if all lanes of the block reach this point together, so that barriers are allowed."""
    steps: int = 0
    text: str = ""
    arguments: list[Array] = field(default_factory=list[Array])
    elements: tuple[str, ...] = ()
    """The types of its arrays: a few, so that it compiles fast."""
    places: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The types of its arrays with four places a lane, by space; those that only are read; those of atomics."""
    constants: dict[int, None] = field(default_factory=dict[int, None])
    functions: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """The names, types and texts of its functions, each of which takes a count and a value."""
    named: int = 0
    """The number of functions that have names."""
    steps_of: Sequence[Any] = ()
    """The parts of functions; nothing in the program itself."""

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.choices.integer(0, len(options) - 1)]

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def op(self, text: str, type: str) -> Lane:
        name = f"%v{len(self.lines)}"
        self.line(f"{name} = atlas.{text}")
        return Lane(name, type)

    def number(self, value: int) -> Lane:
        """A constant, which the program has at its head."""
        self.constants[value] = None
        return Lane(f"%k{value}", "i64")

    def some(self, scope: list[Lane], *types: str) -> Lane | None:
        fit = [v for v in scope if v.type in types]
        return self.pick(fit) if fit else None

    def same(self, scope: list[Lane], value: Lane) -> Lane:
        return self.pick([v for v in scope if v.type == value.type])

    def needs(self, what: str, type: str) -> str:
        """The name of an array, which the program has from here on."""
        self.places.setdefault(what, set()).add(type)
        return f"%{what}_{type}"

    def types_of(self, what: str) -> list[str]:
        return [t for t in HELD if t in self.places.get(what, ())]


def sign(p: LaneProgram, type: str) -> str:
    """The ISA type to read a value as: integers also unsigned."""
    if type == "i1":
        return "bool"
    return type.replace("i", "u") if type[0] == "i" and p.choices.integer(0, 1) else type
