"""Checks that memory which was asked for has been given."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ModuleOp, StringAttr, f64, i64
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass

from hologram.dialects import marks
from hologram.dialects.layouts import byte_size
from hologram.dialects.verbs import Arith
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
        allocs = [o for f in functions for o in operations(f) if isinstance(o, memref.AllocOp)]
        if not allocs:
            return
        add_hidden(op, _needs)
        sites = traps.Sites.of(op)
        for alloc in allocs:
            _check(alloc, sites)
        sites.attach(op)


def _needs(op: Operation) -> Collection[Hidden]:
    return (TRAP,) if isinstance(op, memref.AllocOp) else ()


def _check(alloc: memref.AllocOp, sites: traps.Sites) -> None:
    """Add the check behind an allocation."""
    function, block = traps.enclosing_function(alloc), alloc.parent_block()
    assert function is not None
    assert block is not None
    record = traps.record_of(function)
    assert record is not None
    owner = alloc.attributes.get(marks.OWNER)
    text = f"{NO_MEMORY}{owner.data if isinstance(owner, StringAttr) else alloc.name}"
    checks: list[Operation] = []
    fail: list[Operation] = []
    before, failing = Arith(checks.append), Arith(fail.append)
    null = before.constant(0, INDEX)
    pointer = before.op(memref.ExtractAlignedPointerAsIndexOp.get(alloc.memref))
    good = before.compare("ne", pointer, null)
    type = alloc.memref.type
    known = math.prod([byte_size(type.element_type) or 1, *(n for n in type.get_shape() if n != DYNAMIC_INDEX)])
    if alloc.dynamic_sizes:
        # An f64 does not wrap. The size in words may have: then little was asked for, and given.
        total = before.constant(known, f64)
        for size in alloc.dynamic_sizes:
            total = before.mul(total, before.op(arith.UIToFPOp(before.index_cast(size, i64), f64)))
        most = before.constant(MOST_BYTES, f64)
        good = before.both(good, before.compare("ole", total, most))
        bytes = failing.op(arith.FPToSIOp(failing.min(total, most), i64))
    else:
        bytes = failing.constant(min(known, MOST_BYTES), i64)
    site, zero = failing.constant(sites.number(alloc, text), i64), failing.constant(0, i64)
    # Flat kernels do not say how long the record is.
    words = record if record.type == TRAP.type else failing.op(memref.CastOp.get(record, TRAP.type))
    fail += [func.CallOp(traps.FUNCTION, [words, site, zero, bytes, zero], []), memref.DeallocOp.get(alloc.memref)]
    branches = Region(Block([scf.YieldOp()])), Region(Block([*fail, scf.YieldOp()]))
    checks += [scf.IfOp(good, [], *branches), cf.AssertOp(good, text)]
    for new in (op for top in checks for op in operations(top)):
        new.location = alloc.location
    block.insert_ops_after(checks, alloc)
