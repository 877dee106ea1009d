"""`convert-hologram-kernels-to-atlas`: the kernel form becomes lane programs, whose values are SSA."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import itemgetter
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES, dtype_of
from hologram.dialects.atlas.instructions.verbs import InstructionEmitter, Instructions
from hologram.dialects.atlas.lanes.programs import AXES, BraOp, CallOp, ExitOp, FuncOp, LaunchOp, ProgramOp, RetOp
from hologram.dialects.hologram import kernels
from hologram.dialects.verbs import Arith
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import drop_copied_arguments

SUFFIX = "_lanes"
INDEX = IndexType()


@dataclass(frozen=True)
class ConvertHologramKernelsToAtlasPass(ModulePass):
    """Turns `hologram.kernel` into an `atlas.program`, and a host function that launches it on as many blocks as its
    lanes fill; `hologram.function` into `atlas.func`. Variables become arguments of blocks, control becomes branches:
    `structure-control-flow` and `raise-loops` come after.

    Where a kernel has no region `lanes`, the function takes the blocks of the grid after the kernel's arguments.

    Before::

        hologram.kernel @fill(%x: memref<?xf32>, %k: f32) block [64, 1, 1] lanes {
        ^bb0(%y: memref<?xf32>, %l: f32):
          %zero = arith.constant 0 : index
          %n = memref.dim %y, %zero : memref<?xf32>
          hologram.lanes %n : index
        } {
          %i = atlas.special gid : i64
          atlas.stg f32 %k, %x[%i : i64] : memref<?xf32>
        }

    After::

        func.func @fill(%x: memref<?xf32>, %k: f32) {
          %zero = arith.constant 0 : index
          %n = memref.dim %x, %zero : memref<?xf32>
          %c64 = arith.constant 64 : index
          %blocks = arith.ceildivui %n, %c64 : index
          ...
          scf.if %some {
            atlas.launch @fill_lanes grid(%blocks, %c1, %c1) args(%x, %k : memref<?xf32>, f32)
          }
        }
        atlas.program @fill_lanes(%x: memref<?xf32>, %k: f32) block [64, 1, 1] {
          %i = atlas.special gid : i64
          atlas.stg f32 %k, %x[%i : i64] : memref<?xf32>
        }
    """

    name = "convert-hologram-kernels-to-atlas"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for child in list(op.body.block.ops):
            match child:
                case kernels.KernelOp():
                    _convert_kernel(child)
                case kernels.FunctionOp():
                    type = child.function_type
                    body = _Body(child.body.block, lambda values: RetOp(*values)).region
                    function = FuncOp(child.sym_name.data, list(type.inputs), list(type.outputs), body)
                    Rewriter.replace_op(child, _like(function, child), [])
                case _:
                    pass


def _like(new: Any, op: Operation) -> Any:
    new.location = op.location
    new.attributes |= op.attributes
    return new


# Kernels and their launches


def _convert_kernel(op: kernels.KernelOp) -> None:
    """The program, and the function that launches it."""
    sizes = _sizes(op)
    name = op.sym_name.data + SUFFIX
    inputs = [*op.function_type.inputs, *[INDEX] * len(sizes)]
    extra = [op.body.block.insert_arg(INDEX, len(op.body.block.args)) for _ in sizes]
    for value, users in zip(extra, sizes.values(), strict=True):
        for dim in users:
            Rewriter.replace_op(dim, [], [value])
    body = _Body(op.body.block, lambda _: ExitOp())
    program = _like(ProgramOp(name, inputs, op.block_size, body.region), op)
    Rewriter.replace_op(op, [_Host(op, name, list(sizes)).function, program], [])


def _sizes(op: kernels.KernelOp) -> dict[tuple[int, int], list[memref.DimOp]]:
    """The sizes of arrays that the body reads, by argument and axis: lanes are given them by the host."""
    dims: dict[tuple[int, int], list[memref.DimOp]] = {}
    for dim in [o for o in operations(op.body) if isinstance(o, memref.DimOp)]:
        axis: Any = dim.index.owner
        source: Any = dim.source
        dims.setdefault((source.index, axis.value.value.data), []).append(dim)
    return dims


class _Host:
    """The function that launches the program of a kernel."""

    def __init__(self, op: kernels.KernelOp, program: str, sizes: Sequence[tuple[int, int]]):
        self.op = op
        self.inputs = list(op.function_type.inputs)
        given = op.arg_attrs
        self.attributes = [DictionaryAttr({}) for _ in self.inputs] if given is None else list(given.data)
        if op.lanes.blocks:
            self.block = op.lanes.block
            op.lanes.detach_block(self.block)
            grid, some = self._lanes()
        else:
            grid, some = self._told(), None
        arguments = self.block.args[: len(op.function_type.inputs)]
        core = Arith(self._put)
        dims = [core.op(memref.DimOp(arguments[n], core.constant(axis, INDEX))) for n, axis in sizes]
        launch = LaunchOp(program, grid, [], [*arguments, *dims])
        launch.location = op.location
        # A launch of no lanes would trap: there is nothing to do.
        self._put(launch if some is None else scf.IfOp(some, [], [launch, scf.YieldOp()]))
        self._put(func.ReturnOp())
        region, attributes = Region(self.block), ArrayAttr(self.attributes)
        self.function = _like(func.FuncOp(op.sym_name.data, (self.inputs, []), region, arg_attrs=attributes), op)
        if (constraints := op.attributes.get(marks.CONSTRAINTS)) is not None:
            self.function.attributes[marks.CONSTRAINTS] = constraints
        if not op.lanes.blocks and some is None:
            self.function.attributes[marks.LAUNCH] = DictionaryAttr({"block": op.block})

    def _put(self, op: Operation) -> None:
        op.location = self.op.location
        self.block.add_op(op)

    def _lanes(self) -> tuple[list[SSAValue], SSAValue]:
        """The blocks that the lanes fill, and whether there are any lanes."""
        lanes: Any = self.block.last_op
        counts = list(lanes.sizes)
        lanes.detach()
        lanes.drop_all_references()
        core = Arith(self._put)
        zero = core.constant(0, INDEX)
        # A count below zero, such as that of an argument, would be one of 2^64 lanes nearly.
        some = reduce(core.both, [core.compare("sgt", n, zero) for n in counts])
        pairs = zip(counts, self.op.block_size, strict=False)
        grid = [core.op(arith.CeilDivUIOp(n, core.constant(size, INDEX))) for n, size in pairs]
        return grid + [core.constant(1, INDEX) for _ in range(3 - len(grid))], some

    def _told(self) -> list[SSAValue]:
        """The blocks along x, y and z, as arguments of the function."""
        self.inputs += [INDEX] * 3
        names = [StringAttr(f"grid_{axis}") for axis in AXES]
        self.attributes += [DictionaryAttr({marks.NAME: n, marks.SIZE: n}) for n in names]
        self.block = Block(arg_types=self.inputs)
        return list(self.block.args[-3:])


# Bodies


class _Variables:
    """Where a body sets its variables, and up to where it reads them: by the numbers of its operations, in their order.
    Behind a place, control only needs the variables that were set on the way there and that are still read."""

    def __init__(self, body: Block):
        self.count = 0
        self.declared: dict[SSAValue, int] = {}
        self.spans: dict[Operation, tuple[int, int]] = {}
        """Of the operations with regions: their numbers, and those of what follows them."""
        self.sets: list[tuple[int, SSAValue]] = []
        self.last_read: dict[SSAValue, int] = {}
        reads: list[tuple[SSAValue, Operation]] = []
        self._scan(body, [], reads)
        for variable, loop in reads:
            self._read(variable, self.spans[loop][1] - 1)

    def _scan(self, block: Block, loops: list[Operation], reads: list[tuple[SSAValue, Operation]]) -> None:
        for op in block.ops:
            self.count += 1
            match op:
                case kernels.VarOp():
                    self.declared[op.variable] = self.count
                case kernels.SetOp():
                    self.sets.append((self.count, op.variable))
                case kernels.GetOp():
                    self._read(op.variable, self.count)
                    declared = self.declared[op.variable]
                    # What a loop reads is what an earlier iteration has set.
                    loop = next((o for o in loops if self.spans[o][0] > declared), None)
                    if loop is not None:
                        reads.append((op.variable, loop))
                case _ if op.regions:
                    start = self.count
                    self.spans[op] = start, start
                    around = [*loops, op] if isinstance(op, (kernels.ForOp, kernels.WhileOp)) else loops
                    for inner in (block for region in op.regions for block in region.blocks):
                        self._scan(inner, around, reads)
                    self.spans[op] = start, self.count + 1
                case _:
                    pass

    def _read(self, variable: SSAValue, number: int) -> None:
        self.last_read[variable] = max(number, self.last_read.get(variable, 0))

    def changed(self, op: Operation, *, within: bool = False) -> tuple[SSAValue, ...]:
        """The variables from outside that an operation sets and that are read behind it, or also `within` it."""
        start, end = self.spans[op]
        low, high = (bisect_left(self.sets, number, key=itemgetter(0)) for number in (start, end))
        after = start if within else end
        set_here = dict.fromkeys(variable for _, variable in self.sets[low:high])
        return tuple(v for v in set_here if self.declared[v] < start and self.last_read.get(v, 0) >= after)


@dataclass(frozen=True)
class _Place:
    """A block that control goes to, the variables whose values it takes, and what the others hold there."""

    block: Block
    variables: tuple[SSAValue, ...]
    others: Mapping[SSAValue, SSAValue]


@dataclass
class _Loop:
    """The places that `hologram.break` and `hologram.continue` go to."""

    out: _Place
    next: _Place
    more: list[SSAValue] = field(default_factory=list[SSAValue])
    """What the place `next` is given beside the variables."""


class _Body(InstructionEmitter):
    """A body as blocks that branch to one another. Blocks that several ways lead to take the values of the variables
    that change on the way there; arguments that always hold one value go away at the end.
    """

    def __init__(self, body: Block, end: Callable[[Sequence[SSAValue]], Operation]):
        self.end = end
        self.region = Region(Block(arg_types=body.arg_types))
        self.at: Block | None = self.region.first_block
        """The block that is being filled; none behind what leaves it."""
        self.now: dict[SSAValue, SSAValue] = {}
        """What the variables hold, in their order."""
        self.loops: list[_Loop] = []
        self.variables = _Variables(body)
        self.reached: set[Block] = set()
        """The blocks that something goes to."""
        self.location = body.parent_op().location  # pyright: ignore[reportOptionalMemberAccess]
        for old, new in zip(body.args, self.region.blocks[0].args, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        self._fill(body)
        if self.at is not None:
            self._leave(end([]))
        drop_copied_arguments(self.region)

    # What stands in a block

    def _fill(self, block: Block) -> None:
        """Moves the operations of a block to where control is. What follows a way out is dropped: it never runs."""
        known = len(self.now)
        for op in list(block.ops):
            if self.at is None:
                break
            self.location = op.location
            self._move(op)
        while len(self.now) > known:
            self.now.popitem()

    def _move(self, op: Operation) -> None:
        match op:
            case kernels.VarOp():
                self.now[op.variable] = self._zero(op.variable.type)
            case kernels.GetOp():
                op.result.replace_all_uses_with(self.now[op.variable])
            case kernels.SetOp():
                self.now[op.variable] = op.value
            case kernels.IfOp():
                self._if(op)
            case kernels.ForOp():
                self._for(op)
            case kernels.WhileOp():
                self._while(op)
            case kernels.BreakOp():
                self._go(self.loops[-1].out)
            case kernels.ContinueOp():
                self._go(self.loops[-1].next, self.loops[-1].more)
            case kernels.ReturnOp():
                self._leave(self.end([] if op.value is None else [op.value]))
            case kernels.CallOp():
                call = CallOp(op.callee.root_reference.data, list(op.arguments), list(op.result_types))
                self._emit(call)
                for old, new in zip(op.results, call.results, strict=True):
                    old.replace_all_uses_with(new)
            case _:
                op.detach()
                self._emit(op)

    def _emit(self, op: Operation) -> None:
        assert self.at is not None
        op.location = self.location
        self.at.add_op(op)

    def op(self, op: Operation) -> SSAValue:
        self._emit(op)
        return op.results[0]

    def _zero(self, type: Attribute) -> SSAValue:
        assert isinstance(type, kernels.VariableType)
        dtype = dtype_of(type.element)
        assert dtype is not None
        return self.constant(0, dtype)

    # Ways between blocks

    def _place(self, variables: Sequence[SSAValue] = (), *more: Attribute) -> _Place:
        """A new block that takes `more` and the values of these variables."""
        block = Block(arg_types=[*more, *(self.now[v].type for v in variables)])
        return _Place(block, tuple(variables), self.now)

    def _enter(self, place: _Place, more: int = 0) -> list[SSAValue]:
        """Goes on at a place; the values that it takes beside the variables."""
        self.region.add_block(place.block)
        self.at = place.block
        self.now = {**place.others, **dict(zip(place.variables, place.block.args[more:], strict=True))}
        return list(place.block.args[:more])

    def _given(self, place: _Place) -> list[SSAValue]:
        return [self.now[v] for v in place.variables]

    def _go(self, place: _Place, more: Sequence[SSAValue] = ()) -> None:
        self.reached.add(place.block)
        self._leave(BraOp(place.block, [*more, *self._given(place)]))

    def _part(self, condition: SSAValue, then: _Place, otherwise: _Place) -> None:
        self._leave(
            BraOp(
                then.block, self._given(then),
                condition=condition, otherwise=otherwise.block, else_arguments=self._given(otherwise),
            )
        )  # fmt: skip

    def _leave(self, terminator: Operation) -> None:
        self._emit(terminator)
        self.at = None

    # Structured control

    def _if(self, op: kernels.IfOp) -> None:
        then, out = self._place(), self._place(self.variables.changed(op))
        otherwise = self._place() if op.else_region.blocks else out
        self._part(op.condition, then, otherwise)
        joined = otherwise is out
        for place, region in ((then, op.then_region), (otherwise, op.else_region)):
            if region.blocks:
                self._enter(place)
                self._fill(region.block)
                if self.at is not None:
                    self._go(out)
                    joined = True
        if joined:
            self._enter(out)

    def _while(self, op: kernels.WhileOp) -> None:
        head = self._place(self.variables.changed(op, within=True))
        self._go(head)
        self._enter(head)
        before = op.before.block
        condition: Any = before.last_op
        value = condition.condition
        condition.detach()
        self._fill(before)
        if isinstance(value.owner, kernels.GetOp):
            value = self.now[value.owner.variable]
        body, out = self._place(), self._place(self.variables.changed(op))
        self._part(value, body, out)
        self._enter(body)
        self.loops.append(_Loop(out, head))
        self._fill(op.body.block)
        self.loops.pop()
        if self.at is not None:
            self._go(head)
        self._enter(out)

    def _for(self, op: kernels.ForOp) -> None:
        """A loop of a number of iterations that is known before the first: a counter goes up from zero to it."""
        number = op.body.block.args[0]
        dtype = dtype_of(number.type)
        assert dtype is not None
        signed, unsigned = self.of(dtype), self.of(DTYPES[f"u{dtype.bits}"])
        count = self._count(op, signed, unsigned)
        zero, one = unsigned.value(0), unsigned.value(1)
        changed = self.variables.changed(op, within=True)
        head = self._place(changed, number.type)
        self._go(head, [zero])
        (counter,) = self._enter(head, 1)
        body, out, latch = self._place(), self._place(self.variables.changed(op)), self._place(changed)
        self._part(unsigned.compare("ltu", counter, count), body, out)
        self._enter(body)
        number.replace_all_uses_with(signed.add(op.start, signed.mul(counter, op.step)))
        self.loops.append(_Loop(out, latch))
        self._fill(op.body.block)
        self.loops.pop()
        if self.at is not None:
            self._go(latch)
        if latch.block in self.reached:
            self._enter(latch)
            self._go(head, [unsigned.add(counter, one)])
        self._enter(out)

    def _count(self, op: kernels.ForOp, signed: Instructions, unsigned: Instructions) -> SSAValue:
        """Emit how many numbers `range` has: the distance over the step, rounded up, and none if it leads away."""
        zero, one = signed.value(0), unsigned.value(1)
        step = _number(op.step)
        if step is not None and step != 0:
            low, high = (op.start, op.stop) if step > 0 else (op.stop, op.start)
            size = unsigned.value(abs(step))
        else:
            up = signed.compare("gt", op.step, zero)
            low = signed.select(up, op.start, op.stop)
            high = signed.select(up, op.stop, op.start)
            size = signed.select(up, op.step, signed.sub(zero, op.step))
        steps = signed.sub(high, low)
        if step is None or abs(step) != 1:
            steps = unsigned.add(self._quotient(unsigned.sub(steps, one), size, step, unsigned), one)
        return unsigned.select(signed.compare("lt", low, high), steps, zero)

    def _quotient(self, a: SSAValue, size: SSAValue, step: int | None, unsigned: Instructions) -> SSAValue:
        """a over the size of a step, by a shift where that is a power of two."""
        known = abs(step or 0)
        if known and known & (known - 1) == 0:
            return unsigned.apply("shr", a, self.constant(known.bit_length() - 1, DTYPES["u32"]))
        return unsigned.div(a, size)


def _number(value: SSAValue) -> int | None:
    """The number that an integer is known to be."""
    given: Any = value.owner.value if isinstance(value.owner, MovImmOp) else None
    return given.value.data if isinstance(given, IntegerAttr) else None
