"""Has loops of kernels that look up small constant tables work on vectors of sixteen lanes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, f32, i1, i32
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks
from hologram.dialects.arith import IndexCastUIOp, constant_of
from hologram.lowering.arithmetic.expansions.tables import INTERVALS
from hologram.lowering.processor.permute_tables import constant_tables, permute_tables
from hologram.lowering.processor.vector_body import Plan, Role, plan_of
from hologram.lowering.processor.vectorize_loops import Vectorizer
from hologram.support.walking import operations

_WIDTH = INTERVALS * 4
"""The bytes of a vector: a row of a table."""
_ELEMENTS = (f32, i32, i1)
_OPERATIONS = frozenset(
    "arith.addf arith.subf arith.mulf arith.divf arith.negf arith.cmpf arith.addi arith.subi arith.muli arith.andi"
    " arith.ori arith.xori arith.shli arith.shrui arith.shrsi arith.cmpi arith.select arith.bitcast math.absf"
    " math.copysign math.fma".split()
)
"""What vectors are computed with."""
_CASTS = (arith.IndexCastOp, IndexCastUIOp)


@dataclass(frozen=True)
class VectorizeLookupsPass(ModulePass):
    """Rewrites loops of kernels that are marked for `vectorize-loops`, and look up tables of sixteen f32, to work on
    vectors of sixteen elements, of which a table's row is one: a permutation looks up all lanes (`permute-tables`).

    It is for languages whose compilers make vectors of loops, but load what a table has for each lane. Loops whose body
    works on other elements than f32 and i32 stay; what a loop leaves is done one by one.

    Before::

        scf.for %i = %lb to %ub step %c1 {
          %x = memref.load %a[%i] : memref<?xf32>
          %n = arith.andi (arith.bitcast %x : f32 to i32), %c15 : i32
          %y = memref.load %table[%c0, (arith.index_castui %n : i32 to index)] : memref<1x16xf32>
          memref.store %y, %b[%i] : memref<?xf32>
        } {hologram.vectorize}

    After::

        scf.for %i = %lb to %end step %c16 {
          %x = vector.load %a[%i] : memref<?xf32>, vector<16xf32>
          %n = arith.andi (arith.bitcast %x : vector<16xf32> to vector<16xi32>), %c15 : vector<16xi32>
          %y = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%row, %n) : (...) -> vector<16xf32>
          vector.store %y, %b[%i] : memref<?xf32>, vector<16xf32>
        }
        scf.for %i = %end to %ub step %c1 { ... the same as before }
    """

    name = "vectorize-lookups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            if not (tables := constant_tables(module)):
                continue
            for loop in [o for o in operations(module) if isinstance(o, scf.ForOp) and marks.VECTORIZE in o.attributes]:
                plan = plan_of(loop) if constant_of(loop.step) == 1 else None
                if plan is not None and _fits(plan, tables):
                    Vectorizer(plan, _WIDTH, None, 0).in_one_width()
            permute_tables(module, _WIDTH)


def _fits(plan: Plan, tables: Collection[str]) -> bool:
    """Return whether a body looks tables up, and does nothing that vectors are not for."""
    roles = {role for _, role in plan.all_roles}
    kinds = {Role.SCALAR, Role.VECTOR, Role.LOAD, Role.STORE, Role.LOOKUP}
    return Role.LOOKUP in roles and roles <= kinds and all(_is_known(*pair, tables) for pair in plan.roles)


def _is_known(op: Operation, role: Role, tables: Collection[str]) -> bool:
    match role:
        case Role.SCALAR:
            return True
        case Role.LOOKUP:
            return _is_lookup(cast("memref.LoadOp", op), tables)
        case Role.VECTOR if isinstance(op, _CASTS):
            return all(isinstance(use.operation, memref.LoadOp) for use in op.results[0].uses)
        case _:
            known = role is not Role.VECTOR or op.name in _OPERATIONS
            values = [v for v in (*op.operands, *op.results) if not isinstance(v.type, MemRefType | IndexType)]
            return known and all(v.type in _ELEMENTS for v in values) and _in_words(op)


def _in_words(op: Operation) -> bool:
    """Return whether what an access goes to has elements of 32 bits; true of all else."""
    if not isinstance(op, memref.LoadOp | memref.StoreOp):
        return True
    return cast("MemRefType[Any]", op.memref.type).element_type in (f32, i32)


def _is_lookup(op: memref.LoadOp, tables: Collection[str]) -> bool:
    """Return whether a load is what `permute-tables` takes once it is a gather."""
    source, cast_ = op.memref.owner, op.indices[-1].owner
    if not isinstance(source, memref.GetGlobalOp) or source.name_.string_value() not in tables:
        return False
    if any(constant_of(index) is None for index in op.indices[:-1]) or not isinstance(cast_, _CASTS):
        return False
    mask = cast_.operands[0].owner
    return isinstance(mask, arith.AndIOp) and INTERVALS - 1 in (constant_of(mask.lhs), constant_of(mask.rhs))
