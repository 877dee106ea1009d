"""Builds the loops of a kernel on the CPU from its plan: a loop over blocks, and in it loops over the lanes.

`apart` divides a loop over lanes into several, each with a part of the body, so that some can be on vectors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, StringAttr, UnitAttr, i8, i64
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from hologram.dialects import gpu, marks
from hologram.dialects.gpu import Gpu, drop_address_space
from hologram.dialects.layouts import byte_size
from hologram.dialects.llvm import FenceOp
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.dialects.shapes import is_dense_layout
from hologram.dialects.verbs import Arith
from hologram.errors import PassError
from hologram.lowering.processor.lane_conditions import PURE
from hologram.lowering.processor.lane_plan import Control, Node, Once, Plan, Segment
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.support.splicing import append
from hologram.support.walking import operations
from hologram.transforms.analysis.uniformity import captured, is_shared_buffer, terminator

Values = dict[SSAValue, SSAValue]
"""What values of the kernel became."""

ALIGNMENT = IntegerAttr(64, i64)
"""Shared buffers promise 16; a cache line keeps lanes' arrays of vectors whole too."""

STACK_BYTES = 64 << 10
"""The most that the arrays of a block take from the stack of the thread it runs on."""

ARRAY_ALIGNMENT = 16
"""What isa.md section 4 promises of the start of every array."""


DIMENSIONS = {gpu.DimensionEnum.X: 0, gpu.DimensionEnum.Y: 1, gpu.DimensionEnum.Z: 2}


class Point(tuple[SSAValue, SSAValue, SSAValue]):
    """Three index values, x first."""


@dataclass
class Ids:
    """The values that stand for the ids in the code that is built."""

    grid: Point
    size: Point
    block: Point
    thread: Point
    shared: SSAValue | None = None
    """The dynamic shared memory."""


@dataclass
class Part:
    """The memory of the lanes' copies of a buffer."""

    bytes: SSAValue
    """All of them, of bytes."""
    stride: SSAValue
    """The bytes from one copy to the next."""


def _without_space(type: Attribute) -> Sequence[Attribute] | None:
    dropped = drop_address_space(type)
    return None if dropped is type else (dropped,)


RULES = Rules([_without_space])


class Cloner(Rewriter):
    """Copies operations with other operands, without address spaces, and with ids in place of id operations."""

    retypes = True

    def __init__(self, ids: Ids, callees: frozenset[str]):
        super().__init__(RULES)
        self.core = Arith(self.emit)
        self.ids = ids
        self.callees = callees
        """The device functions that take the ids after their arguments."""
        self.private: Values = {}
        """A lane's buffer to the array over the lanes that holds it."""
        self.viewed: dict[SSAValue, Part] = {}
        """A lane's buffer to its part of one for all lanes."""
        self.large: Values = {}
        """A lane's buffer that is too large for the stack to memory that one lane after another uses."""
        self.lane: Sequence[SSAValue] = ()
        """The lane's position in arrays over the lanes."""

    def clone(self, op: Operation, into: Block) -> None:
        """Appends to `into` what `op` becomes."""
        self.move_to(into)
        self.convert(op)

    def view(self, buffer: SSAValue) -> SSAValue:
        """The lane's part of a buffer that lives across barriers."""
        part = self.viewed[buffer]
        start = self.core.mul(self.linear_thread(), part.stride)
        return self.core.op(memref.ViewOp.create(operands=[part.bytes, start], result_types=[self.type(buffer.type)]))

    def linear_thread(self) -> SSAValue:
        """The number of the lane in its block, x fastest."""
        core, size, thread = self.core, self.ids.size, self.ids.thread
        return core.add(core.mul(core.add(core.mul(thread[2], size[1]), thread[1]), size[0]), thread[0])


@RULES.on(memref.MemorySpaceCastOp)
def _cast_space(rw: Cloner, op: memref.MemorySpaceCastOp) -> None:
    rw.stand(op.results[0], rw.value(op.operands[0]))


@RULES.on(memref.LoadOp)
def _load(rw: Cloner, op: memref.LoadOp) -> None:
    if (array := rw.private.get(op.memref)) is None:
        return rw.retype(op)
    rw.replace(op, memref.LoadOp.get(array, [*rw.all_values(op.indices), *rw.lane]))


@RULES.on(memref.StoreOp)
def _store(rw: Cloner, op: memref.StoreOp) -> None:
    if (array := rw.private.get(op.memref)) is None:
        return rw.retype(op)
    rw.emit(memref.StoreOp.get(rw.value(op.value), array, [*rw.all_values(op.indices), *rw.lane]))


@RULES.on(memref.AllocaOp)
def _alloca(rw: Cloner, op: memref.AllocaOp) -> None:
    if op.memref in rw.viewed:
        rw.stand(op.memref, rw.view(op.memref))
    elif op.memref in rw.large:
        rw.stand(op.memref, rw.large[op.memref])
    elif op.memref not in rw.private:
        rw.retype(op)


@RULES.on(FenceOp)
def _fence(rw: Cloner, op: FenceOp) -> None:
    rw.retype(op)
    last = rw.insertion_block.last_op
    assert last is not None
    last.properties.pop("syncscope", None)
    if op.syncscope is not None and op.syncscope.data == "block":
        # The lanes of a block run on one thread.
        last.properties["syncscope"] = StringAttr("singlethread")


@RULES.on(func.CallOp)
def _call(rw: Cloner, op: func.CallOp) -> None:
    rw.retype(op)
    last = rw.insertion_block.last_op
    if last is not None and op.callee.string_value() in rw.callees:
        last.operands = [*last.operands, *rw.ids.block, *rw.ids.thread, *rw.ids.grid, *rw.ids.size]


@RULES.on(*Gpu.operations)
def _id(rw: Cloner, op: Operation) -> None:
    ids, core = rw.ids, rw.core
    match op:
        case gpu.ThreadIdOp() | gpu.BlockIdOp() | gpu.BlockDimOp() | gpu.GridDimOp():
            point = {"thread_id": ids.thread, "block_id": ids.block, "block_dim": ids.size, "grid_dim": ids.grid}
            value = point[op.name.removeprefix("gpu.")][DIMENSIONS[op.dimension.data]]
        case gpu.GlobalIdOp():
            d = DIMENSIONS[op.dimension.data]
            value = core.add(core.mul(ids.block[d], ids.size[d]), ids.thread[d])
        case gpu.LaneIdOp() | gpu.SubgroupSizeOp():
            value = core.constant(int(isinstance(op, gpu.SubgroupSizeOp)), INDEX)
        case gpu.SubgroupIdOp():
            value = rw.linear_thread()
        case gpu.NumSubgroupsOp():
            value = core.mul(core.mul(ids.size[0], ids.size[1]), ids.size[2])
        case gpu.DynamicSharedMemoryOp() if ids.shared is not None:
            value = ids.shared
        case _:
            raise PassError(
                op,
                "gpu-op-not-on-cpu",
                f"'{op.name}' has no form on the CPU here",
                hint="inside kernels: ids, sizes, gpu.barrier and gpu.dynamic_shared_memory",
            )
    rw.stand(op.results[0], value)


@RULES.on(gpu.ReturnOp)
def _return(rw: Cloner, op: gpu.ReturnOp) -> None:
    rw.emit(func.ReturnOp(*rw.all_values(op.operands)))


@dataclass
class Storage:
    """Makes the memory of a block: on the stack what is small, else on the heap."""

    source: Operation
    freed: list[SSAValue] = field(default_factory=list[SSAValue])
    """What is on the heap."""
    on_stack: int = 0
    """Bytes on the stack."""

    def takes(self, type: MemRefType[Attribute]) -> bool:
        """Return whether a buffer of constant size has a place on the stack, which it takes then."""
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
            return append(into, memref.AllocaOp.get(element, alignment, shape), self.source).memref
        new = append(into, memref.AllocOp.get(element, alignment, shape, sizes), self.source)
        new.attributes[marks.OWNER] = StringAttr("the arrays of a block")
        self.freed.append(new.memref)
        return new.memref

    def free(self, into: Block) -> None:
        """Gives back what is on the heap, at the end of the block's code."""
        for buffer in self.freed:
            append(into, memref.DeallocOp.get(buffer), self.source)


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
        at = OpBuilder(into, self.source)
        step = at.index(stride)
        if None not in self.sizes:
            count = math.prod(cast("tuple[int, int, int]", self.sizes)) * stride
            return Part(self.storage.make(into, i8, [count]), step)
        total = step
        for size in self.cloner.ids.size:
            total = at.core.mul(total, size)
        return Part(self.storage.make(into, i8, [DYNAMIC_INDEX], [total]), step)

    def _declare_shared(self, op: memref.AllocaOp, into: Block) -> None:
        type = op.memref.type
        if not is_dense_layout(type):
            self.cloner.clone(op, into)
            return
        new = self.storage.make(into, type.element_type, type.get_shape(), (), op.alignment or ALIGNMENT)
        self.cloner.define(op.memref, new)

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
                    if not node.op.results or not self.cloner.knows(node.op.results[0]):
                        self.cloner.clone(node.op, into)
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
        cloner = self.cloner
        with cloner.scope() as once:
            for op in ops:
                for value in captured(op):
                    self._resolve(value, once, body)
                cloner.clone(op, body)
                for result in op.results:
                    if result in self.arrays:
                        append(body, memref.StoreOp.get(cloner.value(result), self.arrays[result], cloner.lane), op)
            for _, value in segment.moves:
                self._resolve(value, once, body)
            for home, value in segment.moves:
                append(body, memref.StoreOp.get(cloner.value(value), self.arrays[home], cloner.lane), source)
        for loop in bodies[1:]:
            append(loop, scf.YieldOp(), source)

    def _open_loops(self, into: Block, source: Operation) -> list[Block]:
        """Loops over the lanes, x innermost; gives `into` and the body of each. Sets the lane's position."""
        bodies = [into]
        thread = [self.zero, self.zero, self.zero]
        for d in (2, 1, 0):
            if self.sizes[d] == 1:
                continue
            body = Block(arg_types=[INDEX])
            append(bodies[-1], scf.ForOp(self.zero, self.cloner.ids.size[d], self.one, [], body), source)
            body.args[0].name_hint = f"thread_{'xyz'[d]}"
            thread[d] = body.args[0]
            bodies.append(body)
        innermost = bodies[-1].parent_op() if len(bodies) > 1 else None
        if innermost is not None:
            innermost.attributes[marks.LANES] = UnitAttr()
        self.cloner.ids.thread = Point(thread)
        self.cloner.lane = [thread[d] for d in (2, 1, 0) if self.sizes[d] != 1]
        return bodies

    def _resolve(self, value: SSAValue, once: Mapping[SSAValue, Sequence[SSAValue]], into: Block) -> None:
        """Makes `value` available to the lane; `once` has those that are the same for all lanes."""
        cloner = self.cloner
        if cloner.knows(value) or value in cloner.private:
            return
        if value in cloner.viewed:
            with cloner.at(into, self.source):
                cloner.stand(value, cloner.view(value))
        elif self.plan.uniformity.is_uniform(value):
            cloner.stand(value, *once[value])
        elif (array := self.arrays.get(self.plan.homes.get(value, value))) is not None:
            cloner.define(value, append(into, memref.LoadOp.get(array, cloner.lane), self.source).res)
        else:
            assert isinstance(value, OpResult)
            for operand in value.op.operands:
                self._resolve(operand, once, into)
            cloner.clone(value.op, into)

    # Loops and branches around barriers

    def _emit_control(self, node: Control, into: Block) -> None:
        match node.op:
            case scf.ForOp():
                new = self._emit_for(node.op, node.regions)
            case scf.IfOp():
                new = self._emit_if(node.op, node.regions)
            case scf.WhileOp():
                new = self._emit_while(node.op, node.regions)
        append(into, new, node.op)
        self.cloner.define_all(self._shared(node.op.results), new.results)

    def _shared(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [v for v in values if self.plan.uniformity.is_uniform(v)]

    def _shared_of(self, targets: Sequence[SSAValue], sources: Sequence[SSAValue]) -> list[SSAValue]:
        """The new values of those `sources` whose target is the same for all lanes."""
        pairs = zip(targets, sources, strict=True)
        return [self.cloner.value(s) for t, s in pairs if self.plan.uniformity.is_uniform(t)]

    def _block(self, args: Sequence[SSAValue]) -> Block:
        shared = self._shared(args)
        block = Block(arg_types=[v.type for v in shared])
        self.cloner.define_all(shared, block.args)
        return block

    def _emit_for(self, op: scf.ForOp, regions: Sequence[Sequence[Node]]) -> scf.ForOp:
        old = op.body.block
        carried = old.args[1:]
        lb, ub, step = self.cloner.all_values((op.lb, op.ub, op.step))
        inits = self._shared_of(carried, op.iter_args)
        body = self._block(old.args)
        self.emit(regions[0], body)
        end = terminator(op.body)
        append(body, scf.YieldOp(*self._shared_of(carried, end.operands)), end)
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
            append(body, scf.YieldOp(*self._shared_of(op.results, end.operands)), end)
            branches.append(Region(body))
        return scf.IfOp(
            self.cloner.value(op.cond), [v.type for v in self._shared(op.results)], branches[0], branches[1]
        )

    def _emit_while(self, op: scf.WhileOp, regions: Sequence[Sequence[Node]]) -> scf.WhileOp:
        start, done = op.before_region.block, op.after_region.block
        inits = self._shared_of(start.args, op.arguments)
        before = self._block(start.args)
        self.emit(regions[0], before)
        condition = cast(scf.ConditionOp, terminator(op.before_region))
        passed = self._shared_of(done.args, condition.args)
        append(before, scf.ConditionOp(self.cloner.value(condition.condition), *passed), condition)
        after = self._block(done.args)
        self.emit(regions[1], after)
        end = terminator(op.after_region)
        append(after, scf.YieldOp(*self._shared_of(start.args, end.operands)), end)
        return scf.WhileOp(inits, [v.type for v in self._shared(op.results)], Region(before), Region(after))


MOST = 16
"""Of operations that parts are made of: each is compared with each."""


def path_to(index: SSAValue) -> list[scf.ForOp]:
    """The loop that counts an index, behind those around it that are in no block."""
    block: Any = index.owner
    path: list[scf.ForOp] = []
    while block is not None:
        path.insert(0, block.parent_op())
        block = path[0].parent_block()
    return path


def apart(path: Sequence[scf.ForOp]) -> list[list[scf.ForOp]]:
    """Copies of a nest of loops over lanes, each with a part of the innermost body; none if it stays together.

    Lanes without a barrier between them may run at the same time, so all may do the first part before one does the
    second. What a part computes of memory or leaves there is not used by others.
    """
    anchors = [op for op in path[-1].body.block.ops if _is_anchor(op)]
    parts = _parts(anchors) if 1 < len(anchors) <= MOST else []
    return [_only(path, part) for part in parts] if len(parts) > 1 else []


def _is_anchor(op: Operation) -> bool:
    return not isinstance(op, (*PURE, scf.YieldOp))


def _only(path: Sequence[scf.ForOp], part: Sequence[Operation]) -> list[scf.ForOp]:
    values: dict[SSAValue, SSAValue] = {}
    path[0].clone(values)
    copies = path_to(values[path[-1].body.block.args[0]])
    pairs = [*zip(path[-1].body.block.ops, copies[-1].body.block.ops, strict=True)]
    for op, copy in reversed(pairs):
        # What only operations of other parts use comes behind what it is computed from.
        left_out = op not in part if _is_anchor(op) else isinstance(op, PURE) and not any(r.uses for r in copy.results)
        if left_out:
            copy.detach()
            copy.erase()
    return copies


def _parts(anchors: Sequence[Operation]) -> list[list[Operation]]:
    """Runs of operations that have nothing to do with those in other runs."""
    known = [_Uses(op) for op in anchors]
    starts = [n for n in range(len(known)) if not any(a.meets(b) for a in known[:n] for b in known[n:])]
    return [list(anchors[a:b]) for a, b in zip(starts, [*starts[1:], len(anchors)], strict=True)]


class _Uses:
    """The values that an operation of a body computes and uses, and the memory that it reads and writes."""

    def __init__(self, op: Operation):
        self.made = set(op.results)
        self.taken = _taken(op)
        self.touched: set[SSAValue] = set()
        self.written: set[SSAValue] = set()
        for inner in operations(op):
            memory = {v for v in inner.operands if isinstance(v.type, MemRefType)}
            self.touched |= memory
            if not isinstance(inner, memref.LoadOp | memref.DimOp):
                self.written |= memory

    def meets(self, later: _Uses) -> bool:
        """Return whether another one can't run apart from it."""
        return bool(self.made & later.taken or self.written & later.touched or self.touched & later.written)


def _taken(op: Operation) -> set[SSAValue]:
    """The values that an operation is computed from, by way of operations that are done again in each part."""
    values: set[SSAValue] = set()
    pending = [v for inner in operations(op) for v in inner.operands]
    while pending:
        value = pending.pop()
        if value in values:
            continue
        values.add(value)
        if isinstance(value.owner, PURE):
            pending += value.owner.operands
    return values
