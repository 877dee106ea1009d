"""Looks small constant tables up in registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    ModuleOp,
    VectorType,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu, vector
from hologram.dialects.arith import IndexCastUIOp, constant_of
from hologram.dialects.llvm import CallIntrinsicOp
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.verbs import Arith
from hologram.errors import UsageError
from hologram.lowering.arithmetic.expansions.tables import INTERVALS
from hologram.lowering.rewriting.vector_pieces import cut, joined
from hologram.support.host_target import host_vector_bytes
from hologram.support.walking import operations

LANES: Mapping[int, Sequence[int]] = {64: (16, 8), 32: (8,), 16: ()}
"""The lanes that a permutation works on, by the bytes of a register."""


@dataclass(frozen=True)
class PermuteTablesPass(ModulePass):
    """Turns gathers from constant tables of sixteen f32 into permutations of a register that holds the table.

    A gather is such a lookup if it is from a row of a constant `memref.global`, by lanes of `i32` (or indices cast
    from them) that an `arith.andi` keeps below 16. Sixteen lanes take one instruction of AVX-512, eight lanes two of
    AVX2 and a selection; longer vectors are cut up. Other gathers stay: without such instructions, and in vectors of
    fewer lanes, each lane loads its number.

    `vector-bytes` is the width of a vector register: 64 for AVX-512, 32 for AVX2, 16 for neither; by default this
    machine's.

    Before::

        memref.global "private" constant @t : memref<2x16xf32> = dense<...>
        ...
        %at = arith.andi %n, %c15 : vector<16xi32>
        %t = memref.get_global @t : memref<2x16xf32>
        %y = vector.gather %t[%c1, %c0] [%at], %all, %zero : memref<2x16xf32>, vector<16xi32>, ...

    After::

        %row = arith.constant dense<...> : vector<16xf32>
        %y = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%row, %n) : (...) -> vector<16xf32>
    """

    name = "permute-tables"
    vector_bytes: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.vector_bytes not in (0, *LANES):
            raise UsageError(
                "permute-vector-bytes",
                f"option 'vector-bytes' of permute-tables is 16, 32 or 64, not {self.vector_bytes}",
            )
        permute_tables(op, self.vector_bytes or host_vector_bytes())


def permute_tables(module: ModuleOp | gpu.ModuleOp, vector_bytes: int) -> None:
    """Replaces the gathers of a module that are lookups in tables that it declares."""
    gathers = [o for o in operations(module) if isinstance(o, vector.GatherOp)]
    if not gathers:
        return
    tables = constant_tables(module)
    pieces: Pieces = {}
    for gather in gathers:
        lookup = _lookup(gather, tables, LANES[vector_bytes])
        if lookup is not None:
            lookup.replace(pieces)


def constant_tables(module: ModuleOp | gpu.ModuleOp) -> dict[str, DenseIntOrFPElementsAttr]:
    """The initial values of a module's constant globals of rows of sixteen f32."""
    return {
        op.sym_name.data: op.initial_value
        for op in module.body.block.ops
        if isinstance(op, memref.GlobalOp)
        and op.constant is not None
        and isinstance(op.initial_value, DenseIntOrFPElementsAttr)
        and op.type.element_type == f32
        and op.type.get_shape()[-1:] == (INTERVALS,)
    }


def _lookup(
    gather: vector.GatherOp, tables: Mapping[str, DenseIntOrFPElementsAttr], lanes: Sequence[int]
) -> _Lookup | None:
    """Return the lookup that a gather is, or None."""
    source = gather.base.owner
    type = gather.result.type
    width = next((n for n in lanes if type.get_shape()[-1] % n == 0), None)
    if not isinstance(source, memref.GetGlobalOp) or type.get_num_dims() != 1 or width is None:
        return None
    table = tables.get(source.name_.string_value())
    offsets = [constant_of(o) for o in gather.offsets]
    places = _below(gather.indices)
    if table is None or places is None or None in offsets or offsets[-1] != 0:
        return None
    row = 0
    for size, offset in zip(table.get_shape(), offsets, strict=True):
        row = row * size + cast("int", offset)
    numbers = cast("Sequence[float]", table.get_values()[row : row + INTERVALS])
    return _Lookup(gather, numbers, places, width) if len(numbers) == INTERVALS else None


def _below(indices: SSAValue) -> SSAValue | None:
    """The vector of i32 whose lowest four bits are `indices`, or None where that is not known."""
    op = _definition(indices)
    if isinstance(op, IndexCastUIOp | arith.IndexCastOp):
        op = _definition(op.operands[0])
    if not isinstance(op, arith.AndIOp) or cast("VectorType[Any]", op.result.type).element_type != i32:
        return None
    for value, mask in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        if _splat(mask) == INTERVALS - 1:
            return value
    return None


def _definition(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def _splat(value: SSAValue) -> float | None:
    """The number in all lanes of a constant, or None."""
    op = _definition(value)
    dense = op.value if isinstance(op, arith.ConstantOp) else None
    if not isinstance(dense, DenseIntOrFPElementsAttr) or not dense.is_splat():
        return None
    return cast("float", dense.get_values()[0])


Pieces = dict[tuple[Block | None, SSAValue], list[SSAValue]]
"""The cut up indices of a block."""


@dataclass(frozen=True)
class _Lookup:
    """A gather that is a lookup."""

    gather: vector.GatherOp
    numbers: Sequence[float]
    places: SSAValue
    width: int

    def replace(self, pieces: Pieces) -> None:
        """Puts permutations in its place."""
        core = OpBuilder(self.gather).core
        key = (self.gather.parent_block(), self.places)
        if key not in pieces:
            pieces[key] = cut(core.op, self.places, self.width)
        one = self._sixteen if self.width == INTERVALS else self._eight
        result = joined(core.op, [one(core, piece) for piece in pieces[key]])
        if not _splat(self.gather.mask):
            result = core.select(self.gather.mask, result, self.gather.pass_thru)
        result.name_hint = self.gather.result.name_hint
        Rewriter.replace_op(self.gather, [], [result])

    def _sixteen(self, core: Arith, places: SSAValue) -> SSAValue:
        row = core.op(_constant(f32, self.numbers))
        return core.op(CallIntrinsicOp("llvm.x86.avx512.permvar.sf.512", [row, places], row.type))

    def _eight(self, core: Arith, places: SSAValue) -> SSAValue:
        """Looks up each half by the lowest three bits; the fourth, moved to where a sign is, chooses."""
        halves = [core.op(_constant(f32, self.numbers[n : n + 8])) for n in (0, 8)]
        low, high = (core.op(CallIntrinsicOp("llvm.x86.avx2.permps", [half, places], half.type)) for half in halves)
        amount, zero = (core.constant(n, places.type) for n in (28, 0))
        return core.select(core.compare("slt", core.shl(places, amount), zero), high, low)


def _constant(element: Attribute, values: Sequence[float]) -> arith.ConstantOp:
    type: VectorType[Any] = VectorType(element, (len(values),))
    return arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, list(values)), type)
