"""`assign-registers`: lane programs in SSA form become machine code.

Before machine code is selected, element indices of several axes become pointers, and the sizes that they need become
parameters. Machine code knows byte offsets alone. An index past its axis must trap there as it does here, also where
the element would lie inside the array: it becomes an offset that no object reaches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ModuleOp, StringAttr, i64
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects.atlas.instructions.types import DTYPES, dtype_of
from hologram.dialects.atlas.instructions.verbs import InstructionEmitter
from hologram.dialects.atlas.lanes.pools import PoolOp
from hologram.dialects.atlas.lanes.programs import FuncOp, LaunchOp, LeaOp, ProgramOp
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.listing import Array, Pool
from hologram.dialects.machine.registers import PREDICATES, REGISTERS
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.errors import PassError, UsageError, where_of
from hologram.lowering.machine.array_selection import array_functions, select_arrays
from hologram.lowering.machine.selection import Files, Selection
from hologram.support.walking import operations
from hologram.transforms.lanes.flatten_control_flow import flatten
from hologram.transforms.lanes.raise_accesses import at_place

U64 = DTYPES["u64"]
FAR = 1 << 62
"""A byte offset that is in no object."""

Size = tuple[int, int]
"""An array among a program's parameters, and one of its axes."""


def linearise(body: ProgramOp | FuncOp) -> list[Size]:
    """Makes accesses with several indices go by pointers. Gives the sizes that became parameters, in their order."""
    axes = _Axes(body)
    for op in operations(body):
        place: Any = getattr(op, "memref", None)
        if place is not None and is_memref(place.type) and len(place.type.get_shape()) > 1:
            axes.replace(op, place)
    return [(arg.index, axis) for arg, axis in axes.sizes]


class _Axes(InstructionEmitter):
    """Rewrites the accesses of one program or function."""

    def __init__(self, body: ProgramOp | FuncOp):
        self.entry = body.body.blocks[0]
        self.sizes: dict[tuple[BlockArgument, int], SSAValue] = {}
        """The parameters that sizes became, by array and axis."""

    def replace(self, op: Any, place: Any) -> None:
        """Goes by a pointer."""
        self.place = op
        pointer = self.op(LeaOp(op.dtype, place, [self._offset(op, place)]))
        Rewriter.replace_op(op, at_place(op, pointer, []))

    def op(self, op: Operation) -> SSAValue:
        return OpBuilder(self.place).op(op)

    def _offset(self, op: Any, place: Any) -> SSAValue:
        """The byte offset of an element, or FAR if an index is past its axis."""
        u64, shape = self.of(U64), place.type.get_shape()
        known = all(n != DYNAMIC_INDEX for n in shape[1:])
        first, *rest = op.indices
        if known and shape[0] == DYNAMIC_INDEX:
            # The object's own size bounds the first index, as long as nothing wraps.
            total, inside = u64.min(first, FAR // max(1, math.prod(shape[1:]) * op.dtype.bytes)), None
        else:
            total, inside = first, u64.compare("lt", first, self._size(place, 0))
        for axis, index in enumerate(rest, 1):
            size = self._size(place, axis)
            fits = u64.compare("lt", index, size)
            inside = fits if inside is None else self.of(DTYPES["bool"]).apply("and", inside, fits)
            total = u64.add(u64.mul(total, size), index)
        return u64.select(cast(SSAValue, inside), u64.mul(total, op.dtype.bytes), FAR)

    def _size(self, place: Any, axis: int) -> SSAValue:
        """The size of an axis: a constant, or a parameter that launches give."""
        size = place.type.get_shape()[axis]
        if size != DYNAMIC_INDEX:
            return self.constant(size, U64)
        if (place, axis) not in self.sizes:
            self.sizes[place, axis] = self.entry.insert_arg(i64, len(self.entry.args))
        return self.sizes[place, axis]


def check_layouts(program: ProgramOp) -> None:
    """Refuses arrays with gaps or in another order than that of their indices."""
    for arg in program.body.blocks[0].args:
        if is_memref(arg.type) and not is_dense_layout(arg.type):
            raise PassError(
                program, "assign-layout", f"machine code has no arrays of the layout of {arg.type}",
                hint="give the program a memref of the default layout",
            )  # fmt: skip


def adapt_launches(module: ModuleOp, sizes: dict[str, list[Size]]) -> None:
    """Makes launches give what machine code takes: i64 for index, and the sizes that became parameters."""
    for launch in [o for o in operations(module) if isinstance(o, LaunchOp)]:
        needed = sizes.get(launch.program.root_reference.data)
        if needed is None:
            continue
        at = OpBuilder(launch)
        given = [at.core.index_cast(v, i64) if isinstance(v.type, IndexType) else v for v in launch.arguments]
        for number, axis in needed:
            size = at.op(memref.DimOp(launch.arguments[number], at.index(axis)))
            given.append(at.core.index_cast(size, i64))
        new = LaunchOp(launch.program.root_reference.data, launch.grid, launch.block, given)
        new.attributes |= launch.attributes
        new.location = launch.location
        Rewriter.replace_op(launch, new)


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
        module = module_of([*map(_pool, pools), *listing, *programs])
        for body in (*pools, *bodies, *arrays):
            Rewriter.erase_op(body)
        adapt_launches(op, sizes)
        for new in list(module.body.block.ops):
            new.detach()
            op.body.block.add_op(new)


def _pool(op: PoolOp) -> Pool:
    dtype = dtype_of(op.type.element_type)
    assert dtype is not None
    return Pool(Array(dtype.name, (math.prod(op.type.get_shape()),)), where_of(op))
