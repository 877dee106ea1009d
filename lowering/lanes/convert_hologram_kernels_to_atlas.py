"""`convert-hologram-kernels-to-atlas`: the kernel form becomes lane programs, whose values are SSA."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
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
    for dim in [o for o in op.body.walk() if isinstance(o, memref.DimOp)]:
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
        some = reduce(core.both, [core.compare("ne", n, zero) for n in counts])
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


@dataclass(frozen=True)
class _Place:
    """A block that control goes to, and the variables whose values it takes."""

    block: Block
    variables: tuple[SSAValue, ...]


@dataclass
class _Loop:
    """The places that `hologram.break` and `hologram.continue` go to."""

    out: _Place
    next: _Place
    more: list[SSAValue] = field(default_factory=list[SSAValue])
    """What the place `next` is given beside the variables."""


class _Body(InstructionEmitter):
    """A body as blocks that branch to one another. Each takes the values of all variables that there are; arguments
    that always hold one value go away at the end.
    """

    def __init__(self, body: Block, end: Callable[[Sequence[SSAValue]], Operation]):
        self.end = end
        self.region = Region(Block(arg_types=body.arg_types))
        self.at: Block | None = self.region.first_block
        """The block that is being filled; none behind what leaves it."""
        self.now: dict[SSAValue, SSAValue] = {}
        """What the variables hold, in their order."""
        self.loops: list[_Loop] = []
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
        for variable in list(self.now)[known:]:
            del self.now[variable]

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

    def _place(self, *more: Attribute) -> _Place:
        """A new block, with the variables that there are now, and `more` before them."""
        variables = tuple(self.now)
        block = Block(arg_types=[*more, *(self.now[v].type for v in variables)])
        return _Place(block, variables)

    def _enter(self, place: _Place, more: int = 0) -> list[SSAValue]:
        """Goes on at a place; the values that it takes beside the variables."""
        self.region.add_block(place.block)
        self.at = place.block
        self.now = dict(zip(place.variables, place.block.args[more:], strict=True))
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
        then, out = self._place(), self._place()
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
        head = self._place()
        self._go(head)
        self._enter(head)
        before = op.before.block
        condition: Any = before.last_op
        value = condition.condition
        condition.detach()
        self._fill(before)
        if isinstance(value.owner, kernels.GetOp):
            value = self.now[value.owner.variable]
        body, out = self._place(), self._place()
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
        head = self._place(number.type)
        self._go(head, [zero])
        (counter,) = self._enter(head, 1)
        body, out, latch = self._place(), self._place(), self._place()
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
