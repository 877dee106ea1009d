"""Atomic instructions of lanes on global and shared memory, and the fence that orders what is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    Operand,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from hologram.dialects.atlas.instructions.form import Form, Modifier
from hologram.dialects.atlas.instructions.instruction import Instruction
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.types import DTypeAttr, Space
from hologram.dialects.atlas.lanes.memory import BASE, GLOBAL, INDEX, MemoryOp
from hologram.dialects.families import defined, described, member
from hologram.errors import VerifyError, parse_word

if TYPE_CHECKING:
    from collections.abc import Sequence

INTEGERS = frozenset({"u32", "i32", "u64", "i64"})
NUMBERS = INTEGERS | {"f32", "f64"}
"""The types of atomics: u32 and i32 on every device, the others by profile."""

SPACES = (*GLOBAL, Space.shared)


class AtomicOp(MemoryOp):
    """The base of `atom.*`: replaces a value in memory by what the operation makes of it and the operand, in one step
    that no other lane sees half done, and gives the old value. The order among lanes is relaxed."""

    SPACES: ClassVar[tuple[Space, ...]] = SPACES
    COMBINE: ClassVar[Instruction | None]
    """The scalar instruction of the old value and the operand that gives the new one; None: it is the operand."""
    TYPES: ClassVar[frozenset[str]]
    COMPARES: ClassVar[bool] = False
    """Whether the value is replaced only where its bits are those of a first operand."""
    VALUES: ClassVar[int] = 1
    if TYPE_CHECKING:
        value: Operand
        result: OpResult

    @property
    def given(self) -> Sequence[SSAValue]:
        """The operands beside the place: the value, after what it is compared with if it is."""
        return self.operands[: self.VALUES]

    def verify_(self) -> None:
        dtype = self.dtype
        if dtype.name not in self.TYPES:
            narrow = "no device has atomics of 8, 16 or more than 64 bits" if dtype.bits not in (32, 64) else ""
            raise VerifyError(
                "atlas-atomic-type",
                f"'{self.name}' is not defined for {dtype.name}" + (f": {narrow}" if narrow else ""),
                hint="it takes " + ", ".join(sorted(self.TYPES)),
            )
        self.verify_access()
        if any(v.type != dtype.ir for v in (*self.given, self.result)):
            raise VerifyError(
                "atlas-atomic-value", f"'{self.name}' of {dtype.name} takes and gives values of {dtype.ir}"
            )


def _atomic(name: str, meaning: str, types: frozenset[str], combine: str | None = None, compares: bool = False) -> Any:
    """Makes the class of one atomic: a row of the family."""
    values = ("compare", "value") if compares else ("value",)
    ssa_names = "".join(f"%{v}, " for v in values)
    operands = " ".join(f"{v}:T" for v in values)
    fields = described(
        f"atlas.atom.{name}",
        f"{meaning} Gives the old value.",
        f"%old = atlas.atom.{name} u32 {ssa_names}%m[%i : i64] : memref<?xi32>",
        __name__,
        FORM=Form(f"atom.{name}", f"=d:T address:[{' '.join(s.value for s in SPACES)}] {operands}", {"type": types}),
        COMBINE=INSTRUCTIONS[combine].INSTRUCTION if combine else None,
        TYPES=types,
        COMPARES=compares,
        VALUES=len(values),
    )
    definitions = {
        "type": prop_def(DTypeAttr),
        **{v: operand_def() for v in values},
        "memref": operand_def(BASE),
        "indices": var_operand_def(INDEX),
        "result": result_def(),
    }
    traits = (MemoryReadEffect(), MemoryWriteEffect())
    return member(AtomicOp, f"Atom{name.capitalize()}Op", fields, traits, definitions)


AtomAddOp = _atomic("add", "Adds; integers wrap.", NUMBERS, "add")
AtomMinOp = _atomic("min", "Stores the lesser, as `min` says.", NUMBERS, "min")
AtomMaxOp = _atomic("max", "Stores the greater, as `max` says.", NUMBERS, "max")
AtomAndOp = _atomic("and", "Bitwise and.", INTEGERS, "and")
AtomOrOp = _atomic("or", "Bitwise or.", INTEGERS, "or")
AtomXorOp = _atomic("xor", "Bitwise exclusive or.", INTEGERS, "xor")
AtomExchOp = _atomic("exch", "Stores the operand.", NUMBERS)
AtomCasOp = _atomic("cas", "Stores the second operand where the bits are those of the first.", NUMBERS, compares=True)

ATOMICS = defined(globals(), AtomicOp)

SCOPES = ("thread", "block", "device", "system")
"""The scopes of a fence, each within the next."""


@irdl_op_definition
class MemfenceOp(IRDLOperation):
    """Orders the lane's accesses before it and after it for the lanes of a scope: `thread` (itself), `block`, `device`
    or `system`. What a lane wrote before a fence and an atomic is seen by a lane whose atomic saw that one's value,
    after a fence of its own. It waits for nobody.

    Example::

        atlas.memfence device
    """

    name = "atlas.memfence"
    FORM: ClassVar[Form] = Form("memfence", "", modifiers=(Modifier("scope", SCOPES),))
    scope = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, scope: str):
        super().__init__(properties={"scope": StringAttr(scope)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        otherwise = "the scopes are " + " ".join(SCOPES)
        op = cls(parse_word(parser, SCOPES, "atlas-fence-scope", "the scope of a fence", otherwise))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.scope.data}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.scope.data not in SCOPES:
            raise VerifyError("atlas-memfence", f"'{self.name}' has no scope '{self.scope.data}'")


OPS: list[type[Operation]] = [*ATOMICS, MemfenceOp]
