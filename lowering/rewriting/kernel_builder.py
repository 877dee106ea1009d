"""Builds kernel code: loops as context managers, index arithmetic that folds constants, loads and stores.

Sizes and indices are `Index`: a Python int where known at compile time, else a value of type index.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from typing import TypeAlias, cast, overload

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockOps, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineDimExpr, AffineExpr

from hologram.dialects import marks
from hologram.dialects.atlas.arrays.general import YieldOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DType, dtype_of
from hologram.dialects.atlas.instructions.verbs import InstructionEmitter
from hologram.dialects.llvm import LoopAnnotationAttr, LoopUnrollAttr, LoopVectorizeAttr
from hologram.dialects.shapes import element_type
from hologram.dialects.verbs import Arith, IndexArithmetic, Verb
from hologram.dialects.verbs import Index as Index
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.rewriting.convert_scf_to_cf import ANNOTATION

INDEX = IndexType()
LINEAR = "atlas.linear"
"""On a loop: its index is the linear number of the element it computes."""
AS_IT_IS = LoopAnnotationAttr(
    {
        "vectorize": LoopVectorizeAttr({"disable": BoolAttr.from_bool(True)}),
        "unroll": LoopUnrollAttr({"disable": BoolAttr.from_bool(True)}),
    }
)
"""Of a loop that is what it should be, with vectors where there should be."""
PAST_CACHE = "past_cache"
"""In a dictionary in place of the mark's unit: what is stored to a memref of more elements goes past the caches."""


Step: TypeAlias = Callable[[Index, Sequence[SSAValue]], Sequence[SSAValue]]
"""One iteration of a loop: from its index and the values that are carried along, the next values."""


class Builder(IndexArithmetic, InstructionEmitter):
    """Emits at the insertion point of a conversion, for the operation that is being converted."""

    kind: IndexType | IntegerType = INDEX
    """The type of indices."""

    def __init__(self, rw: Rewriter):
        self.rw = rw
        self.core = Arith(rw.emit)
        """The verbs on values of any type of arith."""
        self.as_they_are = False
        """Whether LLVM shall leave loops as they are, except those that vectorize-loops makes."""
        self.fused = True
        """Whether the target has a fused multiply-add, which sums that promise a tolerance are made of."""
        self._around: list[Block] = []
        """The blocks that the one at the insertion point is being built in, the outermost first."""
        self._outside = 0
        """How many of them lie outside of the innermost parallel loop."""

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        return self.rw.emit(op).results[0]

    def once(self, key: Hashable, make: Callable[[], SSAValue], *, across: bool = True) -> SSAValue:
        """`make()`, called once for a block and those in it: for constants and the like, needed again and again.

        Without `across` a parallel loop makes its own: passing a value to its threads costs more than an addition.
        """
        for block in self._around if across else self._around[self._outside :]:
            if (known := self.rw.made(key, block)) is not None:
                return known
        return self.rw.once(key, make)

    def emitted(self, verb: Verb, a: Index, b: Index) -> SSAValue:
        make = lambda: self.core.binary(verb, self.index(a), self.index(b))  # noqa: E731
        return self.once((verb, a, b), make, across=False)

    # Index arithmetic

    def index(self, value: Index, type: IntegerType | None = None) -> SSAValue:
        """The value of an index, a constant where it is known; `type` is that of the constant, if it is no index."""
        if isinstance(value, SSAValue):
            return value
        make = lambda: self.op(arith.ConstantOp(IntegerAttr(value, type or self.kind)))  # noqa: E731
        return self.once(("index", value, type or self.kind), make)

    def index_as(self, value: Index, type: Attribute) -> SSAValue:
        """An index as an integer of some type."""
        return self.core.index_cast(self.index(value), type)

    def to_index(self, value: SSAValue) -> SSAValue:
        """A signed integer as an index."""
        return self.core.index_cast(value, INDEX)

    def compare(self, predicate: str, a: Index, b: Index) -> SSAValue:
        """An arith.cmpi of two indices."""
        return self.core.compare(predicate, self.index(a), self.index(b))

    def at_most(self, a: Index, b: Index) -> SSAValue | bool:
        """Return whether a <= b for sizes; told at once where both are known."""
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return self.compare("ule", a, b)

    def is_some(self, a: Index) -> SSAValue | bool:
        """Return whether a size is not 0; told at once where it is known."""
        return a > 0 if isinstance(a, int) else self.compare("ne", a, 0)

    def is_multiple(self, a: Index, of: int) -> SSAValue | bool:
        """Return whether a size is so many times another; told at once where it is known."""
        return a % of == 0 if isinstance(a, int) else self.compare("eq", self.rem(a, of), 0)

    @overload
    def both(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    @overload
    def both(self, a: SSAValue | bool, b: SSAValue | bool) -> SSAValue | bool: ...
    def both(self, a: SSAValue | bool, b: SSAValue | bool) -> SSAValue | bool:
        """Return whether both conditions hold, one or both of which may be known."""
        if isinstance(a, bool):
            return b if a else False
        if isinstance(b, bool):
            return a if b else False
        return self.core.both(a, b)

    def either(self, a: SSAValue | bool, b: SSAValue | bool) -> SSAValue | bool:
        """Return whether one of two conditions holds, one or both of which may be known."""
        if isinstance(a, bool):
            return True if a else b
        if isinstance(b, bool):
            return True if b else a
        return self.core.either(a, b)

    def select(self, condition: SSAValue | bool, yes: Index, no: Index) -> Index:
        """One of two indices."""
        if isinstance(condition, bool):
            return yes if condition else no
        return self.core.select(condition, self.index(yes), self.index(no))

    def affine(self, expr: AffineExpr, dims: Sequence[Index]) -> Index:
        """An affine expression at given dimensions. floordiv and mod round toward -inf, as in affine."""
        match expr:
            case AffineConstantExpr():
                return expr.value
            case AffineDimExpr():
                return dims[expr.position]
            case AffineBinaryOpExpr():
                return self._affine_binary(expr, dims)
            case _:
                raise AssertionError("indexing maps have no symbols")

    def _affine_binary(self, expr: AffineBinaryOpExpr, dims: Sequence[Index]) -> Index:
        a, b = self.affine(expr.lhs, dims), self.affine(expr.rhs, dims)
        match expr.kind:
            case AffineBinaryOpKind.Add:
                return self.add(a, b)
            case AffineBinaryOpKind.Mul:
                return self.mul(a, b)
            case _ if isinstance(a, int) and isinstance(b, int):
                return expr.eval([d if isinstance(d, int) else 0 for d in dims], [])
            case AffineBinaryOpKind.FloorDiv if b == 1:
                return a
            case AffineBinaryOpKind.FloorDiv if _never_negative(expr.lhs):
                return self.div(a, b)
            case AffineBinaryOpKind.Mod if _never_negative(expr.lhs):
                return self.rem(a, b)
            case AffineBinaryOpKind.FloorDiv:
                return self._floordiv(a, b)
            case AffineBinaryOpKind.CeilDiv:
                return self._floordiv(self.add(a, self.sub(b, 1)), b)
            case _:
                return self.sub(a, self.mul(self._floordiv(a, b), b))

    def _floordiv(self, a: Index, b: Index) -> Index:
        # The quotient truncates; one less where a remainder is negative.
        divisor = self.index(b)
        quotient = self.core.sdiv(self.index(a), divisor)
        below = self.compare("slt", self.core.srem(self.index(a), divisor), 0)
        return self.core.select(below, self.index(self.sub(quotient, 1)), quotient)

    # Memory

    def size(self, value: SSAValue, axis: int) -> Index:
        """The size of a memref along an axis."""
        size = cast("MemRefType[Attribute]", value.type).get_shape()[axis]
        if size != DYNAMIC_INDEX:
            return size
        make = lambda: self.op(memref.DimOp(value, self.index(axis)))  # noqa: E731
        return self.once(("dim", value, axis), make)

    def sizes(self, value: SSAValue) -> list[Index]:
        """The sizes of a memref, ints where static."""
        return [self.size(value, axis) for axis in range(cast("MemRefType[Attribute]", value.type).get_num_dims())]

    def copy(self, source: SSAValue, target: SSAValue, sizes: Sequence[Index]) -> None:
        """Copies an array of one axis at least, its rows in parallel."""
        with self.parallel(sizes[:-1], name="i") as row, self.loop(0, sizes[-1], name="j", vector=True) as j:
            self.store(self.load(source, [*row, j]), target, [*row, j])

    def address(self, value: SSAValue) -> SSAValue:
        """The address of a memref's first element, as an index."""
        return self.op(memref.ExtractAlignedPointerAsIndexOp.get(value))

    def load(self, source: SSAValue, indices: Sequence[Index]) -> SSAValue:
        """One element."""
        return self.op(memref.LoadOp.get(source, [self.index(i) for i in indices]))

    def store(self, value: SSAValue, target: SSAValue, indices: Sequence[Index]) -> None:
        """Stores one element."""
        self.rw.emit(memref.StoreOp.get(value, target, [self.index(i) for i in indices]))

    def load_all(self, sources: Sequence[SSAValue], indices: Sequence[Index]) -> list[SSAValue]:
        """The elements of several memrefs at the same indices."""
        return [self.load(source, indices) for source in sources]

    def store_all(self, values: Sequence[SSAValue], targets: Sequence[SSAValue], indices: Sequence[Index]) -> None:
        """Stores a value to each of several memrefs, at the same indices."""
        for value, target in zip(values, targets, strict=True):
            self.store(value, target, indices)

    def free(self, *memory: SSAValue) -> None:
        """Ends memory that was asked for by `alloc`."""
        for value in memory:
            self.rw.emit(memref.DeallocOp.get(value))

    def alloc(self, element: Attribute, sizes: Sequence[Index]) -> SSAValue:
        """Memory for an array, aligned to lines of the caches. Who asks for it calls `free`, too."""
        shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
        alloc = self.rw.emit(memref.AllocOp.get(element, 64, shape, [s for s in sizes if not isinstance(s, int)]))
        alloc.attributes[marks.OWNER] = StringAttr(self.rw.source.name)
        return alloc.memref

    def alloca(self, element: Attribute, *shape: int) -> SSAValue:
        """A small array on the stack. The conversion to llvm gives it a fixed place, so loops don't grow the stack."""
        return self.op(memref.AllocaOp.get(element, shape=shape))

    def collapse(self, source: SSAValue, groups: Sequence[Sequence[int]]) -> SSAValue:
        """Merges runs of axes of a contiguous memref."""
        type = cast("MemRefType[Attribute]", source.type)
        if len(groups) == len(type.get_shape()):
            return source
        sizes = [[type.get_shape()[axis] for axis in group] for group in groups]
        shape = [DYNAMIC_INDEX if DYNAMIC_INDEX in group else prod(group) for group in sizes]
        result = MemRefType(type.element_type, shape, NoneAttr(), type.memory_space)
        axes = ArrayAttr([ArrayAttr([IntegerAttr(axis, i64) for axis in group]) for group in groups])
        return self.op(
            memref.CollapseShapeOp.create(operands=[source], result_types=[result], properties={"reassociation": axes})
        )

    # Scalars

    def check(self, holds: SSAValue, text: str, *values: Index, lane: Index | None = None) -> None:
        """Traps with a text, and at most two values, where a condition does not hold."""
        number = None if lane is None else self.index(lane)
        self.rw.emit(AssertOp(holds, text, number, [self.index(v) for v in values]))

    def check_equal(self, actual: Index, expected: Index, text: str) -> None:
        """Traps where two sizes differ that are not both known, and not one value."""
        if isinstance(actual, int) and isinstance(expected, int) or actual is expected:
            return
        pair = [self.index(actual), self.index(expected)]
        self.check(self.compare("eq", *pair), text, *pair)

    def constant(self, value: float, dtype: DType) -> SSAValue:
        """A scalar constant."""
        return self.once(("scalar", str(value), dtype), lambda: self.op(MovImmOp.of(value, dtype)))

    def region(self, region: Region, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """The code of a region of scalars at these arguments; what it yields."""
        self.rw.inline(region.block, *((a,) for a in arguments))
        last = region.block.last_op
        assert isinstance(last, YieldOp)
        return [self.rw.value(v) for v in last.values]

    # Control

    @contextmanager
    def inside(self, block: Block) -> Generator[BlockOps]:
        """Emits into `block`, then comes back."""
        outer = self.rw.insertion_block
        self._around.append(outer)
        self.rw.move_to(block)
        yield block.ops
        self.rw.move_to(outer)
        self._around.pop()

    @contextmanager
    def apart(self, block: Block) -> Generator[None]:
        """Emits into `block`, which threads of its own run."""
        with self.inside(block):
            outside, self._outside = self._outside, len(self._around)
            yield
            self._outside = outside

    @contextmanager
    def loop(
        self,
        lower: Index,
        upper: Index,
        step: Index = 1,
        name: str | None = None,
        *,
        linear: bool = False,
        vector: bool | int = False,
        as_it_is: bool = False,
        past_cache: int | None = None,
    ) -> Generator[Index]:
        """A counted loop. A single iteration known as such is straight code.

        `linear` says that the index is the linear number of the element computed, which traps name; `vector` that no
        iteration reads or writes what another one writes, so that several may run at once, by a number so many;
        `past_cache` that an out of more elements is too large for the caches; `as_it_is` that LLVM shall neither unroll
        nor vectorise it, for it has vectors where there should be.
        """
        ends = isinstance(lower, int) and isinstance(upper, int) and (lower, upper)
        if ends and isinstance(step, int) and ends[0] < ends[1] <= ends[0] + step:
            yield lower
            return
        bounds = [self.index(v) for v in (lower, upper, step)]
        body = Block(arg_types=[INDEX])
        body.args[0].name_hint = name
        with self.inside(body):
            yield body.args[0]
            self.rw.emit(scf.YieldOp())
        loop = self.rw.emit(scf.ForOp(bounds[0], bounds[1], bounds[2], [], body))
        if linear:
            loop.attributes[LINEAR] = UnitAttr()
        if vector:
            limit = None if past_cache is None else DictionaryAttr({PAST_CACHE: IntegerAttr(past_cache, i64)})
            mark = UnitAttr() if vector is True else IntegerAttr(vector, i64)
            loop.attributes[marks.VECTORIZE] = mark if limit is None else limit
        if as_it_is or (self.as_they_are and not vector):
            loop.attributes[ANNOTATION] = AS_IT_IS

    @contextmanager
    def parallel(
        self, extents: Sequence[Index], steps: Sequence[int] | None = None, name: str | None = None
    ) -> Generator[list[Index]]:
        """Loops from 0 whose iterations may run in any order. Those known to run once are left out."""
        steps = [1] * len(extents) if steps is None else steps
        pairs = enumerate(zip(extents, steps, strict=True))
        real = [n for n, (e, s) in pairs if not (isinstance(e, int) and 0 < e <= s)]
        indices: list[Index] = [0] * len(extents)
        if not real:
            yield indices
            return
        bounds = [
            [self.index(v) for v in vs]
            for vs in ([0] * len(real), [extents[n] for n in real], [steps[n] for n in real])
        ]
        body = Block(arg_types=[INDEX] * len(real))
        for n, arg in zip(real, body.args, strict=True):
            indices[n], arg.name_hint = arg, name
        with self.apart(body):
            yield indices
            self.rw.emit(scf.ReduceOp())
        self.rw.emit(scf.ParallelOp(bounds[0], bounds[1], bounds[2], Region(body)))

    def carried(
        self,
        lower: Index,
        upper: Index,
        start: Sequence[SSAValue],
        step: Step,
        name: str | None = None,
        *,
        by: Index = 1,
        as_it_is: bool = False,
        annotation: LoopAnnotationAttr | None = None,
    ) -> list[SSAValue]:
        """A counted loop, in steps of `by`, that carries values along: `step(index, values)` gives the next ones."""
        if isinstance(lower, int) and isinstance(upper, int) and isinstance(by, int) and upper <= lower + by:
            return list(step(lower, start) if lower < upper else start)
        first, end, stride = (self.index(v) for v in (lower, upper, by))
        body = self._block([self.kind, *(v.type for v in start)], lambda args: step(args[0], args[1:]))
        body.args[0].name_hint = name
        loop = self.rw.emit(scf.ForOp(first, end, stride, start, body))
        if as_it_is or annotation is not None:
            loop.attributes[ANNOTATION] = AS_IT_IS if annotation is None else annotation
        return list(loop.results)

    def carried_while(
        self,
        start: Sequence[SSAValue],
        condition: Callable[[Sequence[SSAValue]], SSAValue],
        step: Callable[[Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> list[SSAValue]:
        """A loop that carries values along while a condition on them holds."""
        return self.repeat(start, lambda values: (condition(values), values), step)

    def repeat(
        self,
        start: Sequence[SSAValue],
        first: Callable[[Sequence[SSAValue]], tuple[SSAValue, Sequence[SSAValue]]],
        second: Callable[[Sequence[SSAValue]], Sequence[SSAValue]] = lambda values: values,
    ) -> list[SSAValue]:
        """A loop whose `first` part runs once at least: it says whether to go on, to the `second` part and again, and
        gives the values that are carried along."""
        types = [v.type for v in start]
        before = Block(arg_types=types)
        with self.inside(before):
            goes_on, values = first(before.args)
            self.rw.emit(scf.ConditionOp(goes_on, *values))
        after = self._block(types, second)
        return list(self.rw.emit(scf.WhileOp(list(start), types, Region(before), Region(after))).results)

    def least_power_of_two(self, count: Index) -> Index:
        """The least power of two that is not below `count`, which is 1 at least."""
        if isinstance(count, int):
            return 1 << max(count - 1, 0).bit_length()
        return self.carried_while(
            [self.index(1)],
            lambda values: self.compare("ult", values[0], count),
            lambda values: [self.index(self.mul(values[0], 2))],
        )[0]

    @contextmanager
    def loops(self, extents: Sequence[Index], name: str | None = None) -> Generator[list[Index]]:
        """Nested counted loops from 0, the last innermost."""
        with ExitStack() as stack:
            yield [stack.enter_context(self.loop(0, e, name=name)) for e in extents]

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """Code that runs only where the condition holds."""
        body = Block()
        with self.inside(body):
            yield
            self.rw.emit(scf.YieldOp())
        self.rw.emit(scf.IfOp(condition, [], Region(body)))

    def choose(self, condition: SSAValue | bool, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """One of two pieces of code; only that one where it is known which."""
        self.chosen(condition, lambda: yes() or (), lambda: no() or ())

    def chosen(
        self, condition: SSAValue | bool, yes: Callable[[], Sequence[SSAValue]], no: Callable[[], Sequence[SSAValue]]
    ) -> list[SSAValue]:
        """The values that one of two pieces of code gives; only that one is emitted where it is known which."""
        if isinstance(condition, bool):
            return list((yes if condition else no)())
        first, second = (self._block([], lambda _, code=code: code()) for code in (yes, no))
        leave = second.last_op
        assert leave is not None
        types = [v.type for v in leave.operands]
        return list(self.rw.emit(scf.IfOp(condition, types, Region(first), Region(second))).results)

    def _block(self, types: Sequence[Attribute], code: Callable[[Sequence[SSAValue]], Sequence[SSAValue]]) -> Block:
        """A block that ends with the values that `code` makes of its arguments."""
        block = Block(arg_types=types)
        with self.inside(block):
            self.rw.emit(scf.YieldOp(*code(block.args)))
        return block


def _never_negative(expr: AffineExpr) -> bool:
    match expr:
        case AffineDimExpr():
            return True
        case AffineConstantExpr():
            return expr.value >= 0
        case AffineBinaryOpExpr():
            return _never_negative(expr.lhs) and _never_negative(expr.rhs)
        case _:
            return False


def is_memref(value: SSAValue) -> bool:
    """Return whether a value is a memref (else a scalar)."""
    return isinstance(value.type, MemRefType)


def is_dense(value: SSAValue) -> bool:
    """Return whether a memref's elements lie densely in row-major order."""
    return isinstance(cast("MemRefType[Attribute]", value.type).layout, NoneAttr)


def dtype_in(value: SSAValue, *, unsigned: bool = False) -> DType:
    """The type of a memref's elements, or of a scalar; integers are signed unless said otherwise."""
    dtype = dtype_of(element_type(value.type), unsigned=unsigned)
    assert dtype is not None
    return dtype
