"""Builds the loops of a kernel on the CPU from its plan: a loop over blocks, and in it loops over the lanes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, StringAttr, UnitAttr, i8, i64
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from hologram.dialects import gpu
from hologram.dialects.gpu import drop_address_space
from hologram.dialects.llvm import FenceOp
from hologram.dialects.shapes import is_dense_layout
from hologram.errors import PassError
from hologram.lowering.lane_plan import Control, Node, Once, Plan, Segment
from hologram.lowering.llvm_types import byte_size
from hologram.lowering.traps import OWNER
from hologram.lowering.uniformity import captured, is_shared_buffer, terminator

OpT = TypeVar("OpT", bound=Operation)
Values = dict[SSAValue, SSAValue]
"""What values of the kernel became."""

ALIGNMENT = IntegerAttr(64, i64)
"""Shared buffers promise 16; a cache line keeps lanes' arrays of vectors whole too."""

STACK_BYTES = 64 << 10
"""The most that the arrays of a block take from the stack of the thread it runs on."""

ARRAY_ALIGNMENT = 16
"""What isa.md section 4 promises of the start of every array."""

LANES = "hologram.lanes"
"""On a loop: its iterations are lanes, with no barrier between them."""

DIMENSIONS = {gpu.DimensionEnum.X: 0, gpu.DimensionEnum.Y: 1, gpu.DimensionEnum.Z: 2}


class Point(tuple[SSAValue, SSAValue, SSAValue]):
    """Three index values, x first."""


@dataclass
class Ids:
    """What stands for the ids in the code being built."""

    grid: Point
    size: Point
    block: Point
    thread: Point
    shared: SSAValue | None = None
    """The dynamic shared memory."""


@dataclass
class Part:
    """Where the lanes' copies of a buffer lie."""

    bytes: SSAValue
    """All of them, of bytes."""
    stride: SSAValue
    """The bytes from one copy to the next."""


@dataclass
class Cloner:
    """Copies operations with other operands, without address spaces, and with ids in place of id operations."""

    ids: Ids
    callees: frozenset[str]
    """The device functions that take the ids after their arguments."""
    private: Values = field(default_factory=dict[SSAValue, SSAValue])
    """A lane's buffer to the array over the lanes that holds it."""
    viewed: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, "Part"])
    """A lane's buffer to its part of one for all lanes."""
    large: Values = field(default_factory=dict[SSAValue, SSAValue])
    """A lane's buffer that is too large for the stack to memory that one lane after another uses."""
    lane: Sequence[SSAValue] = ()
    """The lane's position in arrays over the lanes."""

    def clone(self, op: Operation, values: Values, into: Block) -> None:
        """Appends to `into` what `op` becomes."""
        if isinstance(op, gpu.ReturnOp):
            self._append(op, gpu.ReturnOp([values[v] for v in op.operands]), values, into)
        elif op.dialect_name() == "gpu":
            self._replace_id(op, values, into)
        elif isinstance(op, memref.MemorySpaceCastOp):
            values[op.results[0]] = values[op.operands[0]]
        elif isinstance(op, (memref.LoadOp, memref.StoreOp)) and op.memref in self.private:
            self._access_private(op, values, into)
        elif isinstance(op, FenceOp):
            self._copy(op, values, into)
            last = into.last_op
            assert last is not None
            last.properties.pop("syncscope", None)
            if op.syncscope is not None and op.syncscope.data == "block":
                # The lanes of a block run on one thread.
                last.properties["syncscope"] = StringAttr("singlethread")
        elif isinstance(op, memref.AllocaOp) and op.memref in self.private:
            pass
        elif isinstance(op, memref.AllocaOp) and op.memref in self.viewed:
            values[op.memref] = self.view(op.memref, into, op)
        elif isinstance(op, memref.AllocaOp) and op.memref in self.large:
            values[op.memref] = self.large[op.memref]
        else:
            self._copy(op, values, into)

    def _copy(self, op: Operation, values: Values, into: Block) -> None:
        operands = [values[v] for v in op.operands]
        if isinstance(op, func.CallOp) and op.callee.string_value() in self.callees:
            operands += [*self.ids.block, *self.ids.thread, *self.ids.grid, *self.ids.size]
        new = type(op).create(
            operands=operands,
            result_types=[drop_address_space(r.type) for r in op.results],
            properties={name: drop_address_space(value) for name, value in op.properties.items()},
            attributes=op.attributes.copy(),
            successors=op.successors,
            regions=[self.region(region, values) for region in op.regions],
        )
        self._append(op, new, values, into)

    def _append(self, op: Operation, new: Operation, values: Values, into: Block) -> None:
        new.location = op.location
        into.add_op(new)
        for before, after in zip(op.results, new.results, strict=True):
            values[before] = after
            after.name_hint = before.name_hint

    def region(self, region: Region, values: Values, prepare: Callable[[Block], None] = lambda entry: None) -> Region:
        """A copy of `region`. `prepare` is called with its first block before any operation is copied."""
        new = Region([Block(arg_types=[drop_address_space(t) for t in b.arg_types]) for b in region.blocks])
        blocks = dict(zip(region.blocks, new.blocks, strict=True))
        for before, after in blocks.items():
            for old, arg in zip(before.args, after.args, strict=True):
                values[old] = arg
                arg.name_hint = old.name_hint
        for entry in new.blocks:
            prepare(entry)
            break
        for before, after in blocks.items():
            for op in before.ops:
                self.clone(op, values, after)
            last = after.last_op
            if last is not None and last.successors:
                last.successors = [blocks[b] for b in last.successors]
        return new

    def _access_private(self, op: memref.LoadOp | memref.StoreOp, values: Values, into: Block) -> None:
        indices = [*(values[v] for v in op.indices), *self.lane]
        array = self.private[op.memref]
        if isinstance(op, memref.LoadOp):
            new = memref.LoadOp.get(array, indices)
        else:
            new = memref.StoreOp.get(values[op.value], array, indices)
        self._append(op, new, values, into)

    def view(self, buffer: SSAValue, into: Block, source: Operation) -> SSAValue:
        """The lane's part of a buffer that lives across barriers."""
        part, ids = self.viewed[buffer], self.ids
        row = self._multiply_add(source, into, ids.thread[2], ids.size[1], ids.thread[1])
        lane = self._multiply_add(source, into, row, ids.size[0], ids.thread[0])
        start = self._multiply(source, into, lane, part.stride)
        type = drop_address_space(buffer.type)
        return add(into, memref.ViewOp.create(operands=[part.bytes, start], result_types=[type]), source).results[0]

    def _replace_id(self, op: Operation, values: Values, into: Block) -> None:
        ids = self.ids
        match op:
            case gpu.ThreadIdOp():
                value = ids.thread[DIMENSIONS[op.dimension.data]]
            case gpu.BlockIdOp():
                value = ids.block[DIMENSIONS[op.dimension.data]]
            case gpu.BlockDimOp():
                value = ids.size[DIMENSIONS[op.dimension.data]]
            case gpu.GridDimOp():
                value = ids.grid[DIMENSIONS[op.dimension.data]]
            case gpu.GlobalIdOp():
                d = DIMENSIONS[op.dimension.data]
                value = self._multiply_add(op, into, ids.block[d], ids.size[d], ids.thread[d])
            case gpu.LaneIdOp():
                value = self._constant(op, into, 0)
            case gpu.SubgroupSizeOp():
                value = self._constant(op, into, 1)
            case gpu.SubgroupIdOp():
                value = self._multiply_add(op, into, ids.thread[2], ids.size[1], ids.thread[1])
                value = self._multiply_add(op, into, value, ids.size[0], ids.thread[0])
            case gpu.NumSubgroupsOp():
                value = self._multiply(op, into, self._multiply(op, into, ids.size[0], ids.size[1]), ids.size[2])
            case gpu.DynamicSharedMemoryOp() if ids.shared is not None:
                value = ids.shared
            case _:
                raise PassError(
                    op,
                    "gpu-op-not-on-cpu",
                    f"'{op.name}' has no form on the CPU here",
                    hint="inside kernels: ids, sizes, gpu.barrier and gpu.dynamic_shared_memory",
                )
        values[op.results[0]] = value

    def _constant(self, op: Operation, into: Block, value: int) -> SSAValue:
        return add(into, arith.ConstantOp.from_int_and_width(value, IndexType()), op).result

    def _multiply(self, op: Operation, into: Block, a: SSAValue, b: SSAValue) -> SSAValue:
        return add(into, arith.MuliOp(a, b), op).result

    def _multiply_add(self, op: Operation, into: Block, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
        return add(into, arith.AddiOp(self._multiply(op, into, a, b), c), op).result


def add(into: Block, op: OpT, source: Operation) -> OpT:
    """Appends `op` with the location of `source`."""
    op.location = source.location
    into.add_op(op)
    return op


@dataclass
class Storage:
    """Makes the memory of a block: on the stack what is small, else on the heap."""

    source: Operation
    freed: list[SSAValue] = field(default_factory=list[SSAValue])
    """What is on the heap."""
    on_stack: int = 0
    """Bytes on the stack."""

    def takes(self, type: MemRefType[Attribute]) -> bool:
        """Whether a buffer of constant size has a place on the stack, which it takes then."""
        total = math.prod(type.get_shape()) * cast(int, byte_size(type.element_type))
        fits = self.on_stack + total <= STACK_BYTES
        self.on_stack += total if fits else 0
        return fits

    def make(
        self, into: Block, element: Attribute, shape: Sequence[int], sizes: Sequence[SSAValue] = (),
        alignment: IntegerAttr[Any] = ALIGNMENT,
    ) -> SSAValue:  # fmt: skip
        """A buffer, declared at the end of `into`; `sizes` are those that `shape` leaves open."""
        if not sizes and self.takes(MemRefType(element, shape)):
            return add(into, memref.AllocaOp.get(element, alignment, shape), self.source).memref
        new = add(into, memref.AllocOp.get(element, alignment, shape, sizes), self.source)
        new.attributes[OWNER] = StringAttr("the arrays of a block")
        self.freed.append(new.memref)
        return new.memref

    def free(self, into: Block) -> None:
        """Gives back what is on the heap, at the end of the block's code."""
        for buffer in self.freed:
            add(into, memref.DeallocOp.get(buffer), self.source)


@dataclass
class LaneLoops:
    """Emits a plan's nodes into blocks of the new function."""

    plan: Plan
    cloner: Cloner
    source: Operation
    """The kernel, whose location loops get."""
    sizes: tuple[int | None, int | None, int | None]
    """The block's size where it is constant, x first."""
    zero: SSAValue
    one: SSAValue
    once: Values
    """Values that are the same for all lanes."""
    storage: Storage
    arrays: Values = field(default_factory=dict[SSAValue, SSAValue])
    """The arrays over the lanes, by the value they hold."""

    def declare(self, into: Block) -> None:
        """Declares the shared buffers and the arrays over the lanes, at the start of the block's code."""
        for op in self.plan.uniformity.level:
            if is_shared_buffer(op) and not op.operands:
                self._declare_shared(cast(memref.AllocaOp, op), into)
        for value in self.plan.spilled:
            self.arrays[value] = self._array(value.type, (), into, value)
        for value in self.plan.private:
            type = cast(MemRefType[Attribute], value.type)
            self.cloner.private[value] = self._array(type.element_type, type.get_shape(), into, value)

        for value in self.plan.viewed:
            self.cloner.viewed[value] = self._parts(cast(MemRefType[Attribute], value.type), into)
        for op in self.source.walk():
            if isinstance(op, memref.AllocaOp) and not is_shared_buffer(op) and op.memref not in self.plan.kept:
                self._declare_private(op, into)

    def _declare_private(self, op: memref.AllocaOp, into: Block) -> None:
        """A buffer that no lane needs after a barrier is declared where it stands, unless it is large."""
        type = op.memref.type
        if op.dynamic_sizes or not is_dense_layout(type) or self.storage.takes(type):
            return
        self.cloner.large[op.memref] = self.storage.make(into, type.element_type, type.get_shape())

    def _parts(self, type: MemRefType[Attribute], into: Block) -> Part:
        """A buffer with a copy for each lane, each as aligned as an array is."""
        size = math.prod(type.get_shape()) * cast(int, byte_size(type.element_type))
        stride = -(-size // ARRAY_ALIGNMENT) * ARRAY_ALIGNMENT
        step = add(into, arith.ConstantOp.from_int_and_width(stride, IndexType()), self.source).result
        if None not in self.sizes:
            count = math.prod(cast("tuple[int, int, int]", self.sizes)) * stride
            return Part(self.storage.make(into, i8, [count]), step)
        total = step
        for size in self.cloner.ids.size:
            total = add(into, arith.MuliOp(total, size), self.source).result
        return Part(self.storage.make(into, i8, [DYNAMIC_INDEX], [total]), step)

    def _declare_shared(self, op: memref.AllocaOp, into: Block) -> None:
        type = op.memref.type
        if not is_dense_layout(type):
            self.cloner.clone(op, self.once, into)
            return
        new = self.storage.make(into, type.element_type, type.get_shape(), (), op.alignment or ALIGNMENT)
        new.name_hint = op.memref.name_hint
        self.once[op.memref] = new

    def _array(self, element: Attribute, shape: Sequence[int], into: Block, value: SSAValue) -> SSAValue:
        """An array with an element, or elements of `shape`, for each lane; lanes vary fastest, x fastest of all."""
        dims = [d for d in (2, 1, 0) if self.sizes[d] != 1]
        lanes = [DYNAMIC_INDEX if (n := self.sizes[d]) is None else n for d in dims]
        sizes = [self.cloner.ids.size[d] for d in dims if self.sizes[d] is None]
        result = self.storage.make(into, element, [*shape, *lanes], sizes)
        result.name_hint = value.name_hint
        return result

    def emit(self, nodes: Sequence[Node], into: Block) -> None:
        """Appends what `nodes` become to `into`."""
        for node in nodes:
            match node:
                case Once():
                    if not node.op.results or node.op.results[0] not in self.once:
                        self.cloner.clone(node.op, self.once, into)
                case Control():
                    self._emit_control(node, into)
                case Segment():
                    self._emit_segment(node, into)

    # Segments

    def _emit_segment(self, segment: Segment, into: Block) -> None:
        ops = [op for op in segment.ops if not self.plan.is_recomputed(op)]
        if not ops and not segment.moves:
            return
        source = ops[0] if ops else self.source
        bodies = self._open_loops(into, source)
        body = bodies[-1]
        local: Values = {}
        for op in ops:
            for value in captured(op):
                self._resolve(value, local, body)
            self.cloner.clone(op, local, body)
            for result in op.results:
                if result in self.arrays:
                    add(body, memref.StoreOp.get(local[result], self.arrays[result], self.cloner.lane), op)
        for _, value in segment.moves:
            self._resolve(value, local, body)
        for home, value in segment.moves:
            add(body, memref.StoreOp.get(local[value], self.arrays[home], self.cloner.lane), source)
        for loop in bodies[1:]:
            add(loop, scf.YieldOp(), source)

    def _open_loops(self, into: Block, source: Operation) -> list[Block]:
        """Loops over the lanes, x innermost; gives `into` and the body of each. Sets the lane's position."""
        bodies = [into]
        thread = [self.zero, self.zero, self.zero]
        for d in (2, 1, 0):
            if self.sizes[d] == 1:
                continue
            body = Block(arg_types=[IndexType()])
            add(bodies[-1], scf.ForOp(self.zero, self.cloner.ids.size[d], self.one, [], body), source)
            body.args[0].name_hint = f"thread_{'xyz'[d]}"
            thread[d] = body.args[0]
            bodies.append(body)
        innermost = bodies[-1].parent_op() if len(bodies) > 1 else None
        if innermost is not None:
            innermost.attributes[LANES] = UnitAttr()
        self.cloner.ids.thread = Point(thread)
        self.cloner.lane = [thread[d] for d in (2, 1, 0) if self.sizes[d] != 1]
        return bodies

    def _resolve(self, value: SSAValue, local: Values, into: Block) -> None:
        """Makes `value` available to the lane."""
        if value in local or value in self.cloner.private:
            return
        if value in self.cloner.viewed:
            local[value] = self.cloner.view(value, into, self.source)
            return
        if self.plan.uniformity.is_uniform(value):
            local[value] = self.once[value]
            return
        array = self.arrays.get(self.plan.homes.get(value, value))
        if array is not None:
            local[value] = add(into, memref.LoadOp.get(array, self.cloner.lane), self.source).res
            local[value].name_hint = value.name_hint
            return
        assert isinstance(value, OpResult)
        for operand in value.op.operands:
            self._resolve(operand, local, into)
        self.cloner.clone(value.op, local, into)

    # Loops and branches around barriers

    def _emit_control(self, node: Control, into: Block) -> None:
        match node.op:
            case scf.ForOp():
                new = self._emit_for(node.op, node.regions)
            case scf.IfOp():
                new = self._emit_if(node.op, node.regions)
            case scf.WhileOp():
                new = self._emit_while(node.op, node.regions)
        add(into, new, node.op)
        for before, after in zip(self._shared(node.op.results), new.results, strict=True):
            self.once[before] = after
            after.name_hint = before.name_hint

    def _shared(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [v for v in values if self.plan.uniformity.is_uniform(v)]

    def _shared_of(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> list[SSAValue]:
        """The new values of those `sources` whose target is the same for all lanes."""
        pairs = zip(targets, sources, strict=True)
        return [self.once[s] for t, s in pairs if self.plan.uniformity.is_uniform(t)]

    def _block(self, args: Sequence[SSAValue]) -> Block:
        shared = self._shared(args)
        block = Block(arg_types=[v.type for v in shared])
        for before, after in zip(shared, block.args, strict=True):
            self.once[before] = after
            after.name_hint = before.name_hint
        return block

    def _emit_for(self, op: scf.ForOp, regions: Sequence[Sequence[Node]]) -> scf.ForOp:
        old = op.body.block
        carried = old.args[1:]
        lb, ub, step = (self.once[v] for v in (op.lb, op.ub, op.step))
        inits = self._shared_of(carried, op.iter_args)
        body = self._block(old.args)
        self.emit(regions[0], body)
        end = terminator(op.body)
        add(body, scf.YieldOp(*self._shared_of(carried, end.operands)), end)
        return scf.ForOp(lb, ub, step, inits, body)

    def _emit_if(self, op: scf.IfOp, regions: Sequence[Sequence[Node]]) -> scf.IfOp:
        branches: list[Region] = []
        for old, nodes in zip(op.regions, regions, strict=True):
            if not old.blocks:
                branches.append(Region())
                continue
            body = Block()
            self.emit(nodes, body)
            end = terminator(old)
            add(body, scf.YieldOp(*self._shared_of(op.results, end.operands)), end)
            branches.append(Region(body))
        return scf.IfOp(self.once[op.cond], [v.type for v in self._shared(op.results)], branches[0], branches[1])

    def _emit_while(self, op: scf.WhileOp, regions: Sequence[Sequence[Node]]) -> scf.WhileOp:
        start, done = op.before_region.block, op.after_region.block
        inits = self._shared_of(start.args, op.arguments)
        before = self._block(start.args)
        self.emit(regions[0], before)
        condition = cast(scf.ConditionOp, terminator(op.before_region))
        passed = self._shared_of(done.args, condition.args)
        add(before, scf.ConditionOp(self.once[condition.condition], *passed), condition)
        after = self._block(done.args)
        self.emit(regions[1], after)
        end = terminator(op.after_region)
        add(after, scf.YieldOp(*self._shared_of(start.args, end.operands)), end)
        return scf.WhileOp(inits, [v.type for v in self._shared(op.results)], Region(before), Region(after))
