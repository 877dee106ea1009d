"""`assign-registers`: lane programs in SSA form become machine code."""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.instructions.types import dtype_of
from hologram.dialects.atlas.lanes.pools import PoolOp
from hologram.dialects.atlas.lanes.programs import FuncOp, ProgramOp
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.listing import Array, Pool
from hologram.dialects.machine.registers import PREDICATES, REGISTERS
from hologram.errors import PassError, UsageError, where_of
from hologram.lowering.machine.array_selection import array_functions, select_arrays
from hologram.lowering.machine.indices import Size, adapt_launches, check_layouts, linearise
from hologram.lowering.machine.selection import Files, Selection
from hologram.transforms.lanes.flatten_control_flow import flatten


@dataclass(frozen=True)
class AssignRegistersPass(ModulePass):
    """Turns `atlas.program` and `atlas.func` into the machine form: a machine instruction for each of theirs, registers
    by linear scan, moves for the arguments of blocks, byte offsets for the indices of memrefs.

    Accesses with several indices go by pointers. The sizes of an array that they need and only the launch knows follow
    the parameters as u64; `index` is u64 too. Host functions stay, and their launches give what is asked for.
    Of an `atlas.assert` the message is kept. A host function that has nothing but array-level operations on memrefs,
    constants and temporary arrays becomes an array-level program, its regions functions.

    Where `registers` general registers (256) and `predicates` (16) do not suffice, values are kept in local memory. The
    first registers are set aside for moves, addresses, and what functions take and give. A loop that counts in local
    memory is no longer known to run alike in all lanes: targets that must know refuse a barrier in it.

    Before::

        atlas.program @k(%x: memref<?xf32>) block [32, 1, 1] {
          %i = atlas.special gid : i64
          %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
          ...
        }

    After, as assembly::

        .program k(buf0: f32[?]) {
          .launch block(32, 1, 1)
          mov.u64 r3, %gid
          mov_imm.u64 r0, 2305843009213693952
          min.u64 r0, r3, r0
          mov_imm.u64 r1, 4
          mul.u64 r0, r0, r1
          ldg.f32 r4, [buf0 + r0]
          ...
        }
    """

    name = "assign-registers"
    registers: int = REGISTERS
    predicates: int = PREDICATES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not (8 <= self.registers <= REGISTERS and 4 <= self.predicates <= PREDICATES):
            raise UsageError(
                "assign-counts",
                f"assign-registers uses 8 to {REGISTERS} registers and 4 to {PREDICATES} predicates, "
                f"not {self.registers} and {self.predicates}",
            )
        pools = [o for o in op.body.block.ops if isinstance(o, PoolOp)]
        bodies: list[ProgramOp | FuncOp] = []
        for body in op.body.block.ops:
            if isinstance(body, PoolOp) or body.name == "func.func":
                continue
            if not isinstance(body, ProgramOp | FuncOp):
                raise PassError(
                    body, "assign-level", f"'{body.name}' has no place in machine code",
                    hint="it takes atlas.program, atlas.func and atlas.pool, and leaves host functions (func.func)",
                )  # fmt: skip
            bodies.append(body)
        sizes: dict[str, list[Size]] = {}
        for body in bodies:
            if isinstance(body, ProgramOp):
                check_layouts(body)
            sizes[body.sym_name.data] = linearise(body)
            flatten(body)
        limits = Files(self.registers, self.predicates)
        names = {pool.sym_name.data: f"pool{number}" for number, pool in enumerate(pools)}
        listing = Selection(bodies, limits, names).listing()
        taken = {name.data for o in op.body.block.ops if isinstance(name := o.properties.get("sym_name"), StringAttr)}
        arrays = array_functions(op)
        programs = [item for function in arrays for item in select_arrays(function, taken)]
        made = module_of([*map(_pool, pools), *listing, *programs])
        for body in (*pools, *bodies, *arrays):
            Rewriter.erase_op(body)
        adapt_launches(op, sizes)
        for new in list(made.body.block.ops):
            new.detach()
            op.body.block.add_op(new)


def _pool(op: PoolOp) -> Pool:
    dtype = dtype_of(op.type.element_type)
    assert dtype is not None
    return Pool(Array(dtype.name, (math.prod(op.type.get_shape()),)), where_of(op))
