"""Reductions of a lane: over a window of values and over elements of memory, in the ISA's fixed association."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, OpResult
from xdsl.irdl import (
    Operand,
    VarOperand,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure

from hologram.dialects.atlas.arrays.base import Kind
from hologram.dialects.atlas.arrays.reference import combine
from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.instruction import TypedOp, parse_dtype
from hologram.dialects.atlas.instructions.types import NUMBERS, Array, DType, DTypeAttr, Space
from hologram.dialects.atlas.lanes.memory import BASE, INDEX, MemoryOp
from hologram.dialects.families import described, member
from hologram.dialects.lazy import np
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.errors import VerifyError

MOST = 256
"""The most values of a window: as many as there are registers."""


class WindowOp(TypedOp):
    """The base of `reduce.*`: value i belongs to accumulator i mod 128; accumulators take their values in order and
    combine by halving. f16 and bf16 are added and multiplied in f32, and only the result is rounded."""

    KIND: ClassVar[str]
    if TYPE_CHECKING:
        values: VarOperand
        result: OpResult

    @classmethod
    def gives(cls, dtype: DType) -> Sequence[Attribute]:
        return [dtype.ir]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        dtype = parse_dtype(parser)
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        return cls.create(
            operands=[parser.resolve_operand(name, dtype.ir) for name in names],
            result_types=[dtype.ir],
            properties={"type": DTypeAttr.of(dtype)},
            attributes=parser.parse_optional_attr_dict(),
        )

    def verify_(self) -> None:
        if self.dtype.name not in NUMBERS:
            raise VerifyError("atlas-window-type", f"'{self.name}' is not defined for {self.dtype.name}")
        if not 1 <= len(self.values) <= MOST:
            raise VerifyError(
                "atlas-window-size", f"'{self.name}' combines 1 to {MOST} values, found {len(self.values)}"
            )
        if wrong := [v.type for v in (*self.values, self.result) if v.type != self.dtype.ir]:
            raise VerifyError(
                "atlas-window-values", f"'{self.name}' of {self.dtype.name} works on {self.dtype.ir}, found {wrong[0]}"
            )

    def evaluate(self, *lanes: Array) -> Array:
        """The values combined, over lanes in storage form."""
        return combine(Kind(self.KIND), self.dtype, np.stack(np.broadcast_arrays(*lanes), axis=-1))


def _window(kind: str, meaning: str) -> type[WindowOp]:
    fields = described(
        f"atlas.reduce.{kind}",
        f"{meaning} of a window of values of the lane, in the fixed association.",
        f"%s = atlas.reduce.{kind} f32 %a, %b, %c",
        __name__,
        FORM=Form(f"reduce.{kind}", "=d:T values:T*count count:#", {"type": NUMBERS}),
        KIND=kind,
    )
    definitions = {"values": var_operand_def(), "result": result_def()}
    return member(WindowOp, f"Reduce{kind.capitalize()}Op", fields, (Pure(),), definitions)


WINDOWS: tuple[type[WindowOp], ...] = (
    _window("add", "The sum"),
    _window("min", "The least"),
    _window("max", "The greatest"),
    _window("mul", "The product"),
)
"""Reductions over values: min and max skip NaN, and give the type's end if nothing else remains."""


class SpanOp(MemoryOp):
    """The base of `reduce.*.span`: `n` elements that lie one after another in memory, in the fixed association of
    array-level reductions. f16 and bf16 are added and multiplied in f32, and only the result is rounded.

    None of the elements may be outside of the object; where n is 0 nothing is read, whatever the place.
    """

    SPACES: ClassVar[tuple[Space, ...]] = tuple(Space)
    AFTER: ClassVar[tuple[Attribute, ...]] = (i64,)
    KIND: ClassVar[str]
    if TYPE_CHECKING:
        n: Operand
        result: OpResult

    def verify_(self) -> None:
        place = self.memref.type
        if self.dtype.name not in NUMBERS:
            raise VerifyError("atlas-span-type", f"'{self.name}' is not defined for {self.dtype.name}")
        self.verify_access()
        if is_memref(place) and not is_dense_layout(place):
            raise VerifyError(
                "atlas-span-place",
                f"'{self.name}' needs elements that lie one after another, found {place}",
                hint="give a memref of the default layout",
            )
        if self.result.type != self.dtype.ir:
            raise VerifyError(
                "atlas-span-result", f"'{self.name}' of {self.dtype.name} gives {self.dtype.ir}, not {self.result.type}"
            )


def _span(kind: str, meaning: str) -> type[SpanOp]:
    spaces = " ".join(space.value for space in Space)
    fields = described(
        f"atlas.reduce.{kind}.span",
        f"{meaning} of n elements of memory from a place on, in the fixed association. An n of 0 reads nothing and "
        "gives the identity; else what is not in the object traps, and a misaligned place.",
        f"%s = atlas.reduce.{kind}.span f32 %x[%i : i64] : memref<?xf32>, %n",
        __name__,
        FORM=Form(
            f"reduce.{kind}.span", f"=d:T address:[{spaces}] n:u64", {"type": NUMBERS}, spelling=f"reduce.{kind}"
        ),
        KIND=kind,
    )
    definitions = {
        "type": prop_def(DTypeAttr),
        "memref": operand_def(BASE),
        "indices": var_operand_def(INDEX),
        "n": operand_def(i64),
        "result": result_def(),
    }
    return member(SpanOp, f"Reduce{kind.capitalize()}SpanOp", fields, (), definitions)


SPANS: tuple[type[SpanOp], ...] = (
    _span("add", "The sum"),
    _span("min", "The least"),
    _span("max", "The greatest"),
    _span("mul", "The product"),
)
"""Reductions over memory: min and max skip NaN, and give the type's end if nothing else remains."""
