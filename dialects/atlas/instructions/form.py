"""The form of an instruction in machine code: its assembly, its binary and its machine operation are made from it.

A scalar instruction's form follows from its `INSTRUCTION`. Any other instruction that a machine can execute declares
one line, `FORM: ClassVar[Form] = Form("ldg", "=d:T address:[global]", types={"type": ALL}, ...)`; what has no form
(regions, programs) is structure, which the machine form has its own operations for. Modifiers and types are named as
the operation's properties are, so that the two forms translate into each other without a table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import Operation

_FIELD = re.compile(r"(=?)(\w+):(\[[\w ,]*\]|#|const|special|pool|text|(\w+)(?:\*(\w+))?)$")


@dataclass(frozen=True)
class Field:
    """One operand as it is written.

    `kind` is `register`, `address`, `immediate` (an unsigned number), `constant` (a value of the instruction's type),
    `special` (a special register), `pool`, or `text` (what a trap says).
    """

    name: str
    kind: str
    is_result: bool = False
    value: str = ""
    """What a register holds: the name of a type property's letter (`T` for `type`, `S` for `source_type`), a type of
    the ISA (`u32`, `bool`), or `ptr`, a typed pointer."""
    times: str = ""
    """A window of consecutive registers: the immediate field that counts its values."""
    spaces: tuple[str, ...] = ()
    """The memory spaces that an address may lie in."""

    def type_under(self, types: Mapping[str, str]) -> str:
        """The type of what the register holds, under the instruction's types by property (`ptr` for a pointer)."""
        return types[LETTERS[self.value]] if self.value in LETTERS else self.value


@dataclass(frozen=True)
class Modifier:
    """A choice that is part of the mnemonic, held in the property `name`: `cvt.bits`, `ldg.v4`, `memfence.device`.

    An empty choice stands for an absent property.
    """

    name: str
    choices: tuple[str, ...]


LETTERS = {"T": "type", "S": "source_type"}
"""The letters of register fields and the type properties that they stand for."""


@dataclass(frozen=True)
class Form:
    """A machine instruction: its mnemonic, modifiers, type suffixes, and operands in the order of the assembly.

    `text` lists the operands, destination first: `=d:T` is a result (a register of the instruction's type), `a:T` an
    operand, `n:u32` one of a fixed type, `p:bool` a predicate, `r:ptr` a pointer, `address:[global shared]` memory,
    `id:#` an immediate, `value:const` a constant, `first:T*n` a window of `n` values in consecutive registers,
    `register:special`, `pool:pool`, `message:text`.
    `spelling` is the mnemonic's text where it is not the name, or a modifier is joined
    to it (`set{condition}`).
    """

    name: str
    text: str
    types: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The type properties in the order of the suffixes, and the types that each takes."""
    modifiers: tuple[Modifier, ...] = ()
    spelling: str = ""
    vector: str = ""
    """The modifier that multiplies the registers of results and operands of type `T` (`v2`, `v4`)."""

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The operands, parsed."""
        return tuple(_field(part) for part in re.findall(r"\S+\[[^\]]*\]|\S+", self.text))

    @property
    def signature(self) -> str:
        """Everything that the binary encoding of the instruction depends on, as one line."""
        modifiers = "".join(f" .{{{m.name}: {' '.join(c or '-' for c in m.choices)}}}" for m in self.modifiers)
        types = "".join(f" <{name}>" for name in self.types)
        operands = re.sub(r":\[[^\]]*\]", ":address", self.text)
        return f"{self.name}{modifiers}{types} {operands}".rstrip()


def _field(part: str) -> Field:
    match = _FIELD.match(part)
    if match is None:
        raise ValueError(f"'{part}' is no operand of a form")
    result, name, kind, value, times = match.groups()
    if kind.startswith("["):
        return Field(name, "address", spaces=tuple(kind[1:-1].replace(",", " ").split()))
    words = {"#": "immediate", "const": "constant", "special": "special", "pool": "pool", "text": "text"}
    if kind in words:
        return Field(name, words[kind])
    return Field(name, "register", bool(result), value, times or "")


def form_of(op: type[Operation]) -> Form | None:
    """The form of an atlas instruction; None for structure (programs, regions) and array-level operations."""
    declared = getattr(op, "FORM", None)
    if declared is not None:
        return declared
    instruction = getattr(op, "INSTRUCTION", None)
    if instruction is None:
        return None
    operands = " ".join(f"{name}:{kind}" for name, kind in instruction.operands.items())
    result = "bool" if instruction.result == "bool" else "T"
    return Form(instruction.name, f"=d:{result} {operands}", {"type": instruction.types})
