"""What the schedules of sorts and searches share: the order of elements, binary search, and the memory of merges."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, SSAValue

from hologram.dialects.atlas.arrays.general import element_type
from hologram.dialects.atlas.arrays.sorting import ArgsortOp, SortingOp
from hologram.dialects.atlas.instructions.types import DType
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.nest import axis_last


def comes_before(b: Builder, dtype: DType, u: SSAValue, v: SSAValue) -> SSAValue:
    """Emit whether u is less than v. NaN is greater than all numbers."""
    t = b.of(dtype)
    less = t.compare("lt", u, v)
    if not dtype.is_float:
        return less
    return b.core.either(less, b.both(t.compare("eq", u, u), t.compare("ne", v, v)))


def bisect(b: Builder, first: Index, last: Index, is_behind: Callable[[Index], SSAValue]) -> SSAValue:
    """Binary search: the first place between two from which on what is wanted is not behind."""

    def halve(values: Sequence[SSAValue]) -> list[SSAValue]:
        low, high = values
        middle = b.add(low, b.div(b.sub(high, low), 2))
        goes_on = is_behind(middle)
        return [b.index(b.select(goes_on, b.add(middle, 1), low)), b.index(b.select(goes_on, high, middle))]

    return b.carried_while([b.index(first), b.index(last)], lambda v: b.compare("ult", v[0], v[1]), halve)[0]


class Sorting:
    """Rows of elements that are sorted, and two arrays of a row's length each in which runs are merged: one is read and
    the other one written, in turn. An element goes with its place where the places are wanted, of type `index`."""

    def __init__(
        self, b: Builder, dtype: DType, rows: Index, length: Index, value: Callable[[Index, Index], SSAValue],
        *, index: Attribute | None = None, is_descending: bool = False,
    ):  # fmt: skip
        """`value` loads an element of a row at a place."""
        self.b, self.dtype, self.rows, self.length, self.value = b, dtype, rows, length, value
        self.is_descending = is_descending
        size = b.mul(b.mul(rows, length), 2)
        self.memory = [b.alloc(type, [size]) for type in (dtype.ir, index) if type is not None]

    def free(self) -> None:
        """Ends the memory."""
        self.b.free(*self.memory)

    def comes_before(self, u: SSAValue, v: SSAValue) -> SSAValue:
        """Emit whether u stands before v wherever they were."""
        return comes_before(self.b, self.dtype, *((v, u) if self.is_descending else (u, v)))

    # Elements

    def given(self, row: Index, place: Index) -> list[SSAValue]:
        """An element of a row, and its place if it is wanted."""
        loaded = self.value(row, place)
        return [loaded, *(self.b.index_as(place, element_type(m.type)) for m in self.memory[1:])]

    def at(self, row: Index, half: Index, place: Index) -> Index:
        """Where an element of a row stands in the memory, in the half that begins at `half`."""
        return self.b.add(self.b.add(self.b.mul(row, self.b.mul(self.length, 2)), half), place)

    def load(self, place: Index) -> list[SSAValue]:
        """An element at a place of the memory, and its index."""
        return self.b.load_all(self.memory, [place])

    def key(self, place: Index) -> SSAValue:
        """An element at a place of the memory."""
        return self.b.load(self.memory[0], [place])

    def store(self, values: Sequence[SSAValue], place: Index) -> None:
        """Stores an element at a place of the memory, and its index."""
        self.b.store_all(values, self.memory, [place])


class SortedRows(Sorting):
    """The rows of a sort or an argsort, along its axis."""

    def __init__(self, b: Builder, op: SortingOp):
        nest = axis_last(b, op.axis.value.data, *(b.rw.value(v) for v in (op.ins[0], op.outs[0])))
        (x, self.y), (*self.outer, length) = nest.accesses, nest.extents

        def value(row: Index, place: Index) -> SSAValue:
            return x.load(b, [*b.split(row, self.outer), place])

        index = element_type(op.outs[0].type) if isinstance(op, ArgsortOp) else None
        rows, is_descending = b.product(self.outer), op.is_descending
        super().__init__(b, op.type.dtype, rows, length, value, index=index, is_descending=is_descending)

    def give(self, row: Index, place: Index, half: Index) -> None:
        """Stores an element of the out, which stands in a half of the memory."""
        value = self.b.load(self.memory[-1], [self.at(row, half, place)])
        self.y.store(self.b, value, [*self.b.split(row, self.outer), place])
