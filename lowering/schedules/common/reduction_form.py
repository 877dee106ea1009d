"""Reductions on a CPU in the association of isa.md section 3, for one output or a tile of neighbouring ones.

Element i belongs to chunk i div 4096 and there to accumulator i mod 128. The accumulators of a chunk combine by
halving, the chunks' results pairwise. Both are a balanced tree, so results wait for their partners as the bits of a
binary counter do: slot n of an array on the stack holds the result of 2^n leaves. Padding with the identity changes
nothing and is left out. Where the order is free (integers, minimum and maximum) there is one chunk.

Values and accumulators are combined as scalars or as vectors, and all lanes of an array in memory by halving.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import SSAValue

from hologram.dialects.atlas.arrays.general import Kind, ReduceOp, identity
from hologram.dialects.atlas.instructions.types import DType, working_type
from hologram.dialects.vector import LoadOp
from hologram.dialects.verbs import read_as
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import Nest, OuterFirst


def combine(b: Builder, kind: Kind, dtype: DType, x: SSAValue, y: SSAValue, *, loose: bool = False) -> SSAValue:
    """x op y, of scalars or of vectors. A `loose` maximum of floats may miss NaN and take either zero, which is one
    instruction rather than six."""
    if loose and kind is Kind.max_nan:
        assert dtype.is_float
        return b.core.select(b.core.compare("ogt", y, x), y, x)
    if not isinstance(x.type, VectorType):
        return b.of(dtype).apply(kind, x, y)
    verb = read_as(kind.removesuffix(".nan"), signed=not dtype.is_float and not dtype.is_unsigned)
    result = b.core.binary(verb, x, y)
    if not dtype.is_float or kind not in (Kind.min, Kind.max):
        return result
    # minimumNumber and maximumNumber give the operand that is no NaN.
    x_nan, y_nan = (b.core.compare("uno", v, v) for v in (x, y))
    return b.core.select(x_nan, y, b.core.select(y_nan, x, result))


def has_vectors(dtype: DType) -> bool:
    """Return whether `combine` takes vectors of a type."""
    return dtype.bits in (32, 64) if dtype.is_float else dtype.bits in (8, 16, 32, 64)


def halve(
    b: Builder, kind: Kind, dtype: DType, array: SSAValue, lanes: int, vector_bytes: int, *, loose: bool = False
) -> SSAValue:
    """Combines `lanes` (a power of two) elements of an array: k with k + lanes / 2, then + lanes / 4, ... + 1."""
    if lanes == 1:
        return b.load(array, [0])
    if not has_vectors(dtype) or vector_bytes * 8 <= dtype.bits:
        return _halve_scalars(b, kind, dtype, array, lanes, loose)
    wide = min(vector_bytes * 8 // dtype.bits, lanes)
    type: VectorType[Any] = VectorType(dtype.ir, [wide])
    parts = [b.op(LoadOp(array, [b.index(at)], type)) for at in range(0, lanes, wide)]
    vector = halved(b, kind, dtype, parts, loose=loose)
    while wide > 2:
        wide //= 2
        low, high = (b.op(_part(vector, start, wide)) for start in (0, wide))
        vector = combine(b, kind, dtype, low, high, loose=loose)
    first, second = (b.op(xdsl_vector.ExtractOp(vector, [n], dtype.ir)) for n in (0, 1))
    return combine(b, kind, dtype, first, second, loose=loose)


def halved(b: Builder, kind: Kind, dtype: DType, values: Sequence[SSAValue], *, loose: bool = False) -> SSAValue:
    """Combine values, a power of two of them: the first with the first of the second half, and so on."""
    while len(values) > 1:
        half = len(values) // 2
        values = [combine(b, kind, dtype, values[k], values[k + half], loose=loose) for k in range(half)]
    return values[0]


def _part(vector: SSAValue, start: int, count: int) -> xdsl_vector.ShuffleOp:
    """Some neighbouring lanes."""
    kind: Any = vector.type
    return xdsl_vector.ShuffleOp(
        vector,
        vector,
        DenseArrayBase.from_list(i64, list(range(start, start + count))),
        result_type=VectorType(kind.element_type, [count]),
    )


def _halve_scalars(b: Builder, kind: Kind, dtype: DType, array: SSAValue, lanes: int, loose: bool) -> SSAValue:
    half = lanes // 2
    while half:
        with b.loop(0, half, name="l", vector=True) as lane:
            here, there = b.load(array, [lane]), b.load(array, [b.add(lane, half)])
            b.store(combine(b, kind, dtype, here, there, loose=loose), array, [lane])
        half //= 2
    return b.load(array, [0])


CHUNK = 4096
LANES = 128
LEVELS = 48
"""Slots for the results that wait, more than the bits of any number of leaves."""

Combiners = Sequence[tuple[Kind, DType]]
Element = Callable[[Sequence[Index], Index], Sequence[SSAValue]]
"""`(reduced indices, number in the tile) -> the element for each combiner`."""


class Combining:
    """Combines the elements of several reductions over the same elements."""

    def __init__(self, b: Builder, combiners: Combiners, count: Index):
        self.b = b
        self.combiners = combiners
        self.count = count
        self.loose = False
        self.ordered = any(t.is_float and kind in (Kind.add, Kind.mul) for kind, t in combiners)

    def identities(self) -> list[SSAValue]:
        """The identity of each combiner."""
        return [self.b.constant(identity(kind, dtype), dtype) for kind, dtype in self.combiners]

    def join(self, old: Sequence[SSAValue], new: Sequence[SSAValue]) -> list[SSAValue]:
        """`old op new` for each combiner."""
        return [combine(self.b, *c, x, y, loose=self.loose) for c, x, y in zip(self.combiners, old, new, strict=True)]

    def while_bits(
        self,
        bits: Index,
        start: Sequence[SSAValue],
        goes_on: Callable[[SSAValue, SSAValue], SSAValue],
        step: Callable[[Index, SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> tuple[SSAValue, list[SSAValue]]:
        """Walks over the bits of a number, the lowest first, while `goes_on(this bit, any bit)`, values carried along:
        `step(place, bit, values)`. Gives the place at the end, and the values."""
        b = self.b

        def bit(rest: SSAValue) -> SSAValue:
            return b.compare("ne", b.both(rest, b.index(1)), 0)

        def condition(carried: Sequence[SSAValue]) -> SSAValue:
            return goes_on(bit(carried[0]), b.compare("ne", carried[0], 0))

        def next(carried: Sequence[SSAValue]) -> list[SSAValue]:
            rest, level, *values = carried
            after = step(level, bit(rest), values)
            return [b.index(b.div(rest, 2)), b.index(b.add(level, 1)), *after]

        _, level, *values = b.carried_while([b.index(bits), b.index(0), *start], condition, next)
        return level, values


class Reduction(Combining, ABC):
    """The base of the forms that emit a reduction as a whole."""

    def __init__(self, b: Builder, combiners: Combiners, lengths: Sequence[Index], element: Element):
        super().__init__(b, combiners, b.product(lengths))
        self.outer, self.inner = list(lengths[:-1]), lengths[-1] if lengths else 1
        self.element = element

    @abstractmethod
    def emit(self) -> None:
        """All of the code."""

    @abstractmethod
    def combined(self, number: int, t: Index) -> SSAValue:
        """The combined value; of no float elements the identity -0."""

    def result(self, number: int, t: Index) -> SSAValue:
        """The combined value of a combiner for one output; an empty float sum is +0."""
        kind, dtype = self.combiners[number]
        value = self.combined(number, t)
        if kind is not Kind.add or not dtype.is_float or (isinstance(self.count, int) and self.count > 0):
            return value
        empty = self.b.compare("eq", self.count, 0)
        return self.b.core.select(empty, self.b.constant(0.0, dtype), value)

    def results(self, number: int = 0) -> Callable[[Index], SSAValue]:
        """`result` of one combiner for each output."""
        return lambda t: self.result(number, t)


@dataclass
class Counter:
    """The results of groups that wait for their partners, those of 2^n groups in slot n."""

    reduction: Combining
    slots: Sequence[SSAValue]

    def push(self, number: Index, values: Sequence[SSAValue]) -> None:
        """Takes the result of a group; `number` counts them."""
        reduction, b = self.reduction, self.reduction.b
        level, values = reduction.while_bits(
            number,
            values,
            lambda bit, more: bit,
            lambda level, bit, v: reduction.join(b.load_all(self.slots, [level]), v),
        )
        b.store_all(values, self.slots, [level])

    def total(self, count: Index) -> list[SSAValue]:
        """The combined value of `count` groups."""
        reduction, b = self.reduction, self.reduction.b

        def fold(level: Index, bit: SSAValue, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return b.chosen(bit, lambda: reduction.join(b.load_all(self.slots, [level]), values), lambda: values)

        return reduction.while_bits(count, reduction.identities(), lambda bit, more: more, fold)[1]


class ReductionNest(OuterFirst):
    """The nest of an `atlas.reduce`: the parallel dimensions first, then the reduced ones, each set merged where all
    operands walk it densely."""

    def __init__(self, b: Builder, op: ReduceOp):
        self.b, self.op = b, op
        count = len(op.parallel_dims)
        order = [*op.parallel_dims, *op.reduction_dims]
        self.nest, group_of = Nest.of(b, op, order).merged(b, barriers=[count])
        self.parallel = len(set(group_of[:count]))
        self.wide = [(kind, working_type(kind.value, dtype)) for kind, dtype in op.combiners]
        """The combiners with the types that they work in."""
        ins, finish_ins = len(op.ins), len(op.finish_ins)
        self.ins = self.nest.accesses[:ins]
        self.finish_ins = self.nest.accesses[ins : ins + finish_ins]
        self.outs = self.nest.accesses[ins + finish_ins :]

    @property
    def is_along_outputs(self) -> bool:
        """Return whether operands are dense along the last output dimension, and none along a reduced one, but those
        that are the same for all outputs."""
        outputs, reduced = range(self.parallel), range(self.parallel, len(self.nest.extents))
        differing = [a for a in self.ins if any(map(a.uses, reduced)) and any(map(a.uses, outputs))]
        innermost = {a.innermost for a in differing}
        return self.parallel - 1 in innermost and not any(d is not None and d >= self.parallel for d in innermost)

    def element(self, loaded: Sequence[SSAValue]) -> list[SSAValue]:
        """The values to be combined that the region makes of an element of each operand."""
        return _converted(self.b, self.b.region(self.op.body, loaded), self.op.combiners, self.wide)

    def finish(self, values: Sequence[SSAValue], outer: Sequence[Index]) -> None:
        """Stores the results of one output."""
        b, op = self.b, self.op
        values = _converted(b, values, self.wide, op.combiners)
        if op.finish.blocks:
            values = b.region(op.finish, [*values, *(access.load(b, outer) for access in self.finish_ins)])
        for access, value in zip(self.outs, values, strict=True):
            access.store(b, value, outer)


def _converted(b: Builder, values: Sequence[SSAValue], source: Combiners, target: Combiners) -> list[SSAValue]:
    """The values from the source's types to the target's."""
    return [b.cvt(old, new, value) for value, (_, old), (_, new) in zip(values, source, target, strict=True)]
