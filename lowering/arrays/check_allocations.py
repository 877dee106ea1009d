"""Checks that memory which was asked for has been given."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import marks
from hologram.dialects.layouts import byte_size
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.hidden_arguments import TRAP, Hidden, add_hidden
from hologram.lowering.rewriting.traps import MOST_BYTES, NO_MEMORY
from hologram.support.walking import operations

INDEX = IndexType()


@dataclass(frozen=True)
class CheckAllocationsPass(ModulePass):
    """Has a function leave, as at a trap, where the system gives no memory for a `memref.alloc`.

    The site's text begins with `no memory`, and its value is the number of bytes; launches make a LaunchError of it.

    Before::

        %t = memref.alloc(%n) {hologram.of = "atlas.gemm"} : memref<?xf32>

    After::

        %t = memref.alloc(%n) {hologram.of = "atlas.gemm"} : memref<?xf32>
        %p = memref.extract_aligned_pointer_as_index %t : memref<?xf32> -> index
        %given = arith.cmpi ne, %p, %c0 : index
        %bytes = ... the product of the sizes, in f64
        %fits = arith.cmpf ole, %bytes, %most : f64
        %ok = arith.andi %given, %fits : i1
        scf.if %ok {
        } else {
          func.call @hologram_trap(%trap, %site, %lane, %word, %v1) : (...) -> ()
          memref.dealloc %t : memref<?xf32>
        }
        cf.assert %ok, "no memory for atlas.gemm"
    """

    name = "check-allocations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp)]
        found = [o for f in functions for o in operations(f) if isinstance(o, memref.AllocOp)]
        if not found:
            return
        add_hidden(op, _needs)
        sites = traps.Sites.of(op)
        for alloc in found:
            _check(alloc, sites)
        sites.attach(op)


def _needs(op: Operation) -> Collection[Hidden]:
    return (TRAP,) if isinstance(op, memref.AllocOp) else ()


def _check(alloc: memref.AllocOp, sites: traps.Sites) -> None:
    """The check behind an allocation."""
    function, block = traps.enclosing_function(alloc), alloc.parent_block()
    assert function is not None
    assert block is not None
    record = traps.record_of(function)
    assert record is not None
    owner = alloc.attributes.get(marks.OWNER)
    text = f"{NO_MEMORY}{owner.data if isinstance(owner, StringAttr) else alloc.name}"
    null = _constant(0, INDEX)
    pointer = memref.ExtractAlignedPointerAsIndexOp.get(alloc.memref)
    given = arith.CmpiOp(pointer.aligned_pointer, null.result, "ne")
    sizes, fits, told = _bytes(alloc)
    checks: list[Operation] = [null, pointer, given, *sizes]
    good = given.result
    if fits is not None:
        # The size in words may have wrapped: then little was asked for, and given.
        checks.append(both := arith.AndIOp(good, fits))
        good = both.result
    site, zero = _constant(sites.number(alloc, text), i64), _constant(0, i64)
    # Flat kernels do not say how long the record is.
    cast = [] if record.type == TRAP.type else [memref.CastOp.get(record, TRAP.type)]
    words = [cast[0].dest if cast else record, site.result, zero.result, told[-1].results[0], zero.result]
    fail = [*told, site, zero, *cast, func.CallOp(traps.FUNCTION, words, []), memref.DeallocOp.get(alloc.memref)]
    branches = Region(Block([scf.YieldOp()])), Region(Block([*fail, scf.YieldOp()]))
    checks += [scf.IfOp(good, [], *branches), cf.AssertOp(good, text)]
    for new in (op for top in checks for op in top.walk()):
        new.location = alloc.location
    block.insert_ops_after(checks, alloc)


def _bytes(alloc: memref.AllocOp) -> tuple[list[Operation], SSAValue | None, list[Operation]]:
    """The operations that find out how many bytes are asked for, whether those can be, and what makes a word of them.

    The number is an f64: that does not wrap. It is known, and can be, where there are no dynamic sizes.
    """
    type = alloc.memref.type
    known = byte_size(type.element_type) or 1
    for size in type.get_shape():
        known *= 1 if size == DYNAMIC_INDEX else size
    if not alloc.dynamic_sizes:
        return [], None, [_constant(min(known, MOST_BYTES), i64)]
    total = arith.ConstantOp(FloatAttr(float(known), f64)).result
    found: list[Operation] = [total.op]
    for size in alloc.dynamic_sizes:
        word = arith.IndexCastOp(size, i64)
        number = arith.UIToFPOp(word.result, f64)
        product = arith.MulfOp(total, number.result)
        found += [word, number, product]
        total = product.result
    most = arith.ConstantOp(FloatAttr(float(MOST_BYTES), f64))
    fits = arith.CmpfOp(total, most.result, "ole")
    least = arith.MinimumfOp(total, most.result)
    return [*found, most, fits], fits.result, [least, arith.FPToSIOp(least.result, i64)]


def _constant(value: int, type: Attribute) -> arith.ConstantOp:
    return arith.ConstantOp(IntegerAttr(value, type))  # pyright: ignore
