"""Takes parallel loops out of functions: their bodies become functions over a range of iterations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.dialects.arith import constant_of, trip_count
from hologram.dialects.llvm import FenceOp
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.dialects.verbs import Index
from hologram.lowering.processor.parallel_work import Amount, Estimate, Formula, combine, emit
from hologram.lowering.rewriting import traps
from hologram.lowering.rewriting.helper_functions import RESONATE
from hologram.support import pool_call
from hologram.support.option_ranges import Natural
from hologram.support.splicing import move
from hologram.support.walking import operations

VIEWS = frozenset(
    "memref.subview memref.cast memref.collapse_shape memref.expand_shape memref.reinterpret_cast memref.transpose"
    " memref.assume_alignment memref.memory_space_cast memref.view".split()
)


@dataclass(frozen=True)
class OutlineParallelLoopsPass(ModulePass):
    """Moves the outermost parallel loops of functions into functions of their own, which run a range of iterations.

    The function's first arguments are the range's begin and end, among the iterations numbered in row-major order, and
    the work of one iteration, which only the call's lowering looks at; what the loop uses from outside follows. The
    call of the whole range carries the attribute `hologram.parallel`: a plain call means the same, but the range may
    be split. Loops known to have little work stay, as do those with reductions and with calls of what the module does
    not define. Atomic operations of different iterations come in any order, and their old values with it. Fences that
    vectorize-loops made for non-temporal stores become one at the end of the range.

    Before::

        scf.parallel (%i) = (%c0) to (%n) step (%c1) {
          ... memref.store %v, %a[%i] ...
        }

    After::

        func.call @f_parallel_0(%c0, %n, %work, %a) {hologram.parallel} : (index, index, index, memref<?xf32>) -> ()

        func.func private @f_parallel_0(%begin: index, %end: index, %work: index, %a: memref<?xf32> {llvm.noalias}) {
          scf.for %i = %begin to %end step %c1 {
            ... memref.store %v, %a[%i] ...
          }
        }
    """

    name = "outline-parallel-loops"

    least_work: Natural | None = None
    """Loops known to have less work than this stay where they are; by default what is not worth a second thread."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        least = pool_call.SERIAL_WORK if self.least_work is None else self.least_work
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks]
        if any(isinstance(o, scf.ParallelOp) for f in functions for o in operations(f)):
            _Outliner(op, functions, least).run()


@dataclass
class _Outliner:
    module: ModuleOp
    functions: Sequence[func.FuncOp]
    least: int
    names: set[str] = field(default_factory=set[str])
    numbers: Counter[str] = field(default_factory=Counter[str])
    """How many names were made of each base."""
    defined: dict[str, func.FuncOp] = field(default_factory=dict[str, func.FuncOp])

    def run(self) -> None:
        symbols = [op.properties.get("sym_name") for op in self.module.body.block.ops]
        self.names = {s.data for s in symbols if isinstance(s, StringAttr)}
        self.defined = {f.sym_name.data: f for f in self.functions}
        done = {name for f in self.functions for op in operations(f) if (name := parallel_callee(op)) is not None}
        for function in self.functions:
            if function.sym_name.data not in done:
                loops = [(loop, Estimate(loop).iteration()) for loop in self._loops(function.body, function)]
                for loop, work in reversed(loops):
                    self._outline(function, loop, work)

    def _loops(self, region: Region, function: func.FuncOp) -> Iterator[scf.ParallelOp]:
        """The loops that can be moved and are not known to be small, each before those in it.

        Of loops within another, those that run at a time when the other runs on one thread get the others.
        """
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, scf.ParallelOp) and self._can_move(op, function) and _counts(op) != 1:
                    if not self._is_large(op):
                        continue
                    yield op
                for nested in op.regions:
                    yield from self._loops(nested, function)

    def _is_large(self, loop: scf.ParallelOp) -> bool:
        count, work = _counts(loop), Estimate(loop).iteration()
        return not isinstance(count, int) or not isinstance(work, int) or count * work >= max(self.least, 1)

    def _can_move(self, loop: scf.ParallelOp, function: func.FuncOp) -> bool:
        if loop.initVals:
            return False
        asserts = False
        seen: set[str] = set()
        for op in operations(loop.body):
            asserts = asserts or isinstance(op, cf.AssertOp)
            if not _can_move_op(op, self.defined, seen):
                return False
        # Who asserts leaves the function; its caller follows if the record says so.
        return not asserts or traps.record_of(function) is not None

    def _outline(self, function: func.FuncOp, loop: scf.ParallelOp, iteration: Amount) -> None:
        name = self._fresh(f"{function.sym_name.data}_parallel")
        host = _Host(loop)
        nest = [
            _Dimension.of(host, *bounds) for bounds in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True)
        ]
        total: Amount = reduce(partial(combine, "mul"), [dimension.count for dimension in nest], 1)
        work, count = emit(iteration, host), emit(total, host)
        body = _Body(loop, nest, host, traps.record_of(function))
        call = host.emit(func.CallOp(name, [host.index(0), count, work, *body.captures], []))
        call.attributes[marks.PARALLEL] = UnitAttr()
        outlined = body.make(name, function)
        block = loop.parent_block()
        assert block is not None
        block.erase_op(loop)
        self.module.body.block.insert_op_after(outlined, function)

    def _fresh(self, base: str) -> str:
        while (name := f"{base}_{self.numbers[base]}") in self.names:
            self.numbers[base] += 1
        self.names.add(name)
        return name


def parallel_callee(op: Operation) -> str | None:
    """The name of the function whose range may be split, if `op` is a call of one."""
    return op.callee.string_value() if isinstance(op, func.CallOp) and marks.PARALLEL in op.attributes else None


def _can_move_op(op: Operation, functions: Mapping[str, func.FuncOp], seen: set[str]) -> bool:
    """Return whether iterations may run this in any order and at once; each function is looked at once.

    The order of atomic operations is nobody's promise, nor what depends on it.
    """
    if not isinstance(op, func.CallOp):
        return True
    name = op.callee.string_value()
    if name in (*traps.FUNCTIONS, RESONATE) or name in seen:
        return True  # The trap record keeps the first of several, whichever that is; sums of R are exact.
    seen.add(name)
    callee = functions.get(name)
    return callee is not None and all(_can_move_op(o, functions, seen) for o in operations(callee))


def _counts(loop: scf.ParallelOp) -> int | None:
    """Return the number of a loop's iterations, if that is known."""
    counts = [trip_count(*bounds) for bounds in zip(loop.lowerBound, loop.upperBound, loop.step, strict=True)]
    known = [count for count in counts if count is not None]
    return prod(known) if len(known) == len(counts) else None


class _Host(OpBuilder):
    """Emits code before the loop; each constant once."""

    def __init__(self, loop: scf.ParallelOp):
        super().__init__(loop)
        self.constants: dict[int, SSAValue] = {}

    def index(self, value: Index) -> SSAValue:
        if not isinstance(value, int):
            return value
        if value not in self.constants:
            self.constants[value] = super().index(value)
        return self.constants[value]


@dataclass
class _Dimension:
    """A dimension of a loop: where it begins, its step and how often it runs."""

    lower: SSAValue
    step: SSAValue
    count: Amount

    @staticmethod
    def of(host: _Host, lower: SSAValue, upper: SSAValue, step: SSAValue) -> _Dimension:
        if (count := trip_count(lower, upper, step)) is not None:
            return _Dimension(lower, step, count)
        first, by = constant_of(lower), constant_of(step)
        length = upper if first == 0 else host.core.sub(upper, lower)
        if not (first == 0 and isinstance(upper, OpResult) and isinstance(upper.op, memref.DimOp)):
            length = host.core.smax(length, host.index(0))
        if by != 1:
            less = host.core.sub(step, host.index(1))
            length = host.core.div(host.core.add(length, less), step)
        return _Dimension(lower, step, Formula("value", value=length))


class _Body:
    """The function that takes a loop's body: its captures, and its code."""

    def __init__(self, loop: scf.ParallelOp, nest: Sequence[_Dimension], host: _Host, record: SSAValue | None):
        self.loop, self.nest, self.record = loop, nest, record
        estimate = Estimate(loop)
        used = dict.fromkeys(v for op in operations(loop.body) for v in op.operands if estimate.is_outside(v))
        self.counts = [emit(d.count, host) for d in nest[1:]]
        used |= dict.fromkeys([v for d in nest for v in (d.lower, d.step)] + self.counts)
        self.constants = [v for v in used if _is_constant(v)]
        asserts = any(isinstance(op, cf.AssertOp) for op in operations(loop.body))
        if record is not None and asserts:
            used[record] = None
        self.captures = [v for v in used if not _is_constant(v) and v is not record]
        if record is not None and record in used:
            self.captures.append(record)
        self.values: dict[SSAValue, SSAValue] = {}

    def make(self, name: str, function: func.FuncOp) -> func.FuncOp:
        """The function; the loop's body is moved into it."""
        entry = Block(arg_types=[INDEX, INDEX, INDEX, *(v.type for v in self.captures)])
        for arg, hint in zip(entry.args, ("begin", "end", "work"), strict=False):
            arg.name_hint = hint
        for value, arg in zip(self.captures, entry.args[3:], strict=True):
            self.values[value], arg.name_hint = arg, value.name_hint
        for value in self.constants:
            constant = cast("OpResult", value).op.clone()
            entry.add_op(constant)
            self.values[value] = constant.results[0]
        begin, end = entry.args[:2]
        at = OpBuilder(entry, self.loop)
        if len(self.nest) == 1:
            with at.loop(begin, end) as (inside, number):
                self._move(inside, [number])
        else:
            self._rows(at, begin, end)
        fences = [op for op in operations(entry) if isinstance(op, FenceOp) and marks.STREAMS in op.attributes]
        for fence in fences:
            Rewriter.erase_op(fence)
        if fences:
            at.emit(FenceOp("seq_cst"))
        at.emit(func.ReturnOp())
        types = FunctionType.from_lists([a.type for a in entry.args], [])
        attributes = [DictionaryAttr({})] * 3 + self._attributes(function)
        outlined = func.FuncOp(name, types, Region(entry), "private", arg_attrs=ArrayAttr(attributes))
        if (sites := function.attributes.get(marks.SITES)) is not None and self.record in self.captures:
            outlined.attributes[marks.SITES] = sites
        outlined.location = self.loop.location
        return outlined

    def _rows(self, at: OpBuilder, begin: SSAValue, end: SSAValue) -> None:
        """Rows of the last dimension, of which the first and the last may be parts: that dimension stays a loop."""
        *between, length = [self.values[c] for c in self.counts]
        core = at.core
        one = core.constant(1, INDEX)
        # There are no iterations where a size is 0, but the divisions are there.
        length = core.max(length, one)
        first = core.div(begin, length)
        last = core.div(core.add(end, core.sub(length, one)), length)
        with at.loop(first, last) as (row, number):
            core = row.core
            start = core.mul(number, length)
            stop = core.add(start, length)
            lower, upper = core.max(begin, start), core.min(end, stop)
            here = [core.sub(v, start) for v in (lower, upper)]
            outer: list[SSAValue] = []
            rest = number
            for size in reversed(between):
                outer.insert(0, core.rem(rest, size))
                rest = core.div(rest, size)
            with row.loop(here[0], here[1]) as (inside, column):
                self._move(inside, [rest, *outer, column])

    def _move(self, at: OpBuilder, numbers: Sequence[SSAValue]) -> None:
        """Moves the loop's body to where `at` builds: to the iteration `numbers`."""
        block = self.loop.body.block
        for arg, number, dimension in zip(block.args, numbers, self.nest, strict=True):
            index = number
            if constant_of(dimension.step) != 1:
                index = at.core.mul(index, self.values[dimension.step])
            if constant_of(dimension.lower) != 0:
                index = at.core.add(index, self.values[dimension.lower])
            index.name_hint = arg.name_hint
            arg.replace_all_uses_with(index)
        assert isinstance(at.at, Block)
        moved = list(block.ops)[:-1]
        move(moved, at.at)
        for nested in (nested for op in moved for nested in operations(op)):
            for n, operand in enumerate(nested.operands):
                if (new := self.values.get(operand)) is not None:
                    nested.operands[n] = new

    def _attributes(self, function: func.FuncOp) -> list[DictionaryAttr]:
        """Memory that no other capture reaches keeps its pointer's promise."""
        roots = [_roots(v) for v in self.captures]
        reached = Counter(root for mine in roots for root in mine)
        arg_attrs: list[DictionaryAttr] = []
        for value, mine in zip(self.captures, roots, strict=True):
            own = None not in reached and all(reached[r] == 1 and _is_own_memory(r, function) for r in mine)
            if value is self.record:
                arg_attrs.append(DictionaryAttr({traps.ARGUMENT: UnitAttr()}))
            else:
                arg_attrs.append(DictionaryAttr({"llvm.noalias": UnitAttr()} if mine and own else {}))
        return arg_attrs


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and isinstance(value.op, arith.ConstantOp)


def _roots(value: SSAValue) -> set[SSAValue | None]:
    """The memrefs of whose memory `value` may be, None for unknown ones; nothing where it is no memref."""
    if not isinstance(value.type, MemRefType):
        return set()
    while isinstance(value, OpResult) and value.op.name in VIEWS:
        value = value.op.operands[0]
    if not isinstance(value, OpResult):
        return {value}
    op = value.op
    if isinstance(op, arith.SelectOp):
        return _roots(op.lhs) | _roots(op.rhs)
    if isinstance(op, scf.IfOp):
        leaves = [region.block.last_op for region in op.regions]
        return {root for leave in leaves if leave is not None for root in _roots(leave.operands[value.index])}
    return {value if isinstance(op, memref.AllocOp | memref.AllocaOp | memref.GetGlobalOp) else None}


def _is_own_memory(root: SSAValue | None, function: func.FuncOp) -> bool:
    """Return whether nothing else leads to this memory: it was made here, or is an argument of an entry."""
    if isinstance(root, BlockArgument):
        visibility = function.sym_visibility
        is_entry = visibility is None or visibility.data == "public"
        return root.block is function.body.blocks.first and is_entry
    return isinstance(root, OpResult) and isinstance(root.op, memref.AllocOp | memref.AllocaOp)
