"""The schedule of `atlas.map` for devices: a tile of elements a block, several loads of a thread under way at once.

Where a target has them, threads load and store vectors of 16 bytes; the others take neighbouring elements one each, so
that a block's accesses are neighbours either way. What is walked across the out is turned in tiles (`transpose`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import f64
from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineDimExpr

from hologram.dialects.atlas.arrays.general import MapOp, element_type
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.lowering.lanes.scalar_rules import may_trap
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_memref
from hologram.lowering.schedules.common.nest import Access, Nest
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.cpu.map import work_of
from hologram.lowering.schedules.cpu.transpose import crossing
from hologram.lowering.schedules.simt import transpose
from hologram.lowering.schedules.simt.launches import launch
from hologram.lowering.schedules.simt.neighbours import (
    aligned,
    bits_of,
    by_vectors,
    in_vectors,
    is_neighbourly,
    lanes_of,
    load_group,
    store_group,
    unrolled,
)
from hologram.lowering.schedules.simt.transpose import tiled

NONE: Mapping[int, Access] = {}
MOST_WORK = 256
"""The operations that a thread's unrolled code has, about, at most."""
LEAST_WIDTH = 8
"""The threads that a row gets at least."""
LOOKED_UP: tuple[type[Any], ...] = (scalar.ErfOp, scalar.GeluOp, scalar.TanhOp)
"""What looks up tables of coefficients: a thread waits for shared memory again and again, so there shall be many."""
FEW_REGISTERS, FEW_VALUES = 32, 16
"""So many registers a thread of such a map has, which leaves room for so many loaded values. Of NVIDIA's GPUs, whose
multiprocessors have 65,536 registers, those that take 2,048 threads do so with it."""


@dataclass(frozen=True)
class MapParameters:
    """`vectors`: the vectors that a thread loads of each operand before it computes; `elements`: the elements where it
    has no vectors."""

    vectors: int = 4
    elements: int = 8


def schedule_map(b: Builder, op: MapOp, target: Target, parameters: MapParameters) -> None:
    """Loop in the order of the first out's axes, dimensions that all operands walk densely merged to one."""
    order = [e.position for e in op.maps[len(op.ins)].results if isinstance(e, AffineDimExpr)]
    nest, _ = Nest.of(b, op, order).merged(b)
    emitter = _Map(b, nest, len(op.ins), op.body, target, parameters)
    if not nest.extents:
        with launch(b, target, 1, 1):
            emitter.group([], 1)
    elif any(may_trap(o) for o in op.body.block.ops if isinstance(o, ScalarOp)):
        emitter.one_by_one()
    elif len(nest.extents) == 1:
        emitter.line()
    elif (across := crossing(nest, emitter.ins)) is not None:
        emitter.turned(across)
    else:
        emitter.rows()


@dataclass
class _Map:
    """The code of one map."""

    b: Builder
    nest: Nest
    ins_count: int
    region: Region
    target: Target
    parameters: MapParameters
    lanes: int = field(init=False)
    """The elements of a vector."""
    items: int = field(init=False)
    """The vectors of each operand that a thread has under way."""

    def __post_init__(self) -> None:
        self.lanes = self._lanes()
        wanted = self.parameters.vectors if self.lanes > 1 else self.parameters.elements
        work = max(work_of(self.region), 1) * self.limbs**2
        most = MOST_WORK // (self.lanes * work)
        if self.looks_up:
            most = min(most, FEW_VALUES // (self.lanes * max(self.ins_count, 1)))
        self.items = max(min(wanted, most), 1)

    @cached_property
    def looks_up(self) -> bool:
        """Return whether the body looks up tables: functions of f64 have none."""
        return any(isinstance(op, LOOKED_UP) and op.results[0].type != f64 for op in self.region.block.ops)

    @property
    def registers(self) -> int:
        """The most of a thread; 0 if the compiler knows best."""
        return FEW_REGISTERS if self.looks_up else 0

    @property
    def limbs(self) -> int:
        """The words of the widest element: an operation on it is one on each of them, or on each pair."""
        return max(1, *(bits_of(element_type(a.value.type)) // 64 for a in self.nest.accesses if is_memref(a.value)))

    @property
    def last(self) -> int:
        return len(self.nest.extents) - 1

    @property
    def ins(self) -> Sequence[Access]:
        return self.nest.accesses[: self.ins_count]

    @property
    def outs(self) -> Sequence[Access]:
        return self.nest.accesses[self.ins_count :]

    def _vectors(self) -> list[Access]:
        """The accesses that are by vectors."""
        return by_vectors(self.nest.accesses, self.last) if self.nest.extents else []

    def _lanes(self) -> int:
        bits = [bits_of(element_type(a.value.type)) for a in self.nest.accesses if is_memref(a.value)]
        if not self._vectors() or self.target.access_bytes < 16:
            return 1
        return lanes_of(max(bits), self.target.access_bytes)

    # Groups of neighbours

    def load(self, access: Access, dims: Sequence[Index], lanes: int) -> list[SSAValue]:
        """So many neighbours of an operand; a single value for all of them where they are the same."""
        return load_group(self.b, access, dims, self.last, lanes)

    def compute(self, loaded: Sequence[Sequence[SSAValue]], lanes: int) -> list[list[SSAValue]]:
        """The neighbours of each out."""
        results = [self.b.region(self.region, [values[n] for values in loaded]) for n in range(lanes)]
        return [list(values) for values in zip(*results, strict=True)]

    def store(self, access: Access, values: Sequence[SSAValue], dims: Sequence[Index]) -> None:
        """Stores neighbours of an out."""
        store_group(self.b, access, values, dims, self.last)

    def groups(self, places: Sequence[Sequence[Index]], lanes: int, known: Mapping[int, Access] = NONE) -> None:
        """Groups of neighbours, the loads of all of them first."""

        def load(number: int, _: object) -> list[list[SSAValue]]:
            return [self.load(known.get(n, a), places[number], lanes) for n, a in enumerate(self.ins)]

        def compute(number: int, loaded: list[list[SSAValue]]) -> list[list[SSAValue]]:
            return self.compute(loaded, lanes)

        def store(number: int, values: list[list[SSAValue]]) -> None:
            for access, value in zip(self.outs, values, strict=True):
                self.store(access, value, places[number])

        unrolled(len(places), load, compute, store)

    def group(self, dims: Sequence[Index], lanes: int, known: Mapping[int, Access] = NONE) -> None:
        """One group of neighbours."""
        self.groups([dims], lanes, known)

    def element(self, dims: Sequence[Index], known: Mapping[int, Access]) -> None:
        """One element."""
        self.group(dims, 1, known)

    # Forms

    def one_by_one(self) -> None:
        """A thread an element, in a loop that knows the element's number, for bodies that may trap."""
        b, threads = self.b, self.target.threads
        count = b.product(self.nest.extents)
        tiles = b.ceildiv(count, threads)
        with launch(b, self.target, tiles, threads) as at, at.shares(tiles, name="tile") as tile:
            place = b.add(b.mul(tile, threads), at.thread)
            with b.loop(place, b.min(b.add(place, 1), count), name="i", linear=True) as i:
                self.group(b.split(i, self.nest.extents), 1)

    def line(self) -> None:
        """One dimension: tiles of whole vectors; the last one, and what has another alignment, element by element."""
        b, lanes, threads = self.b, self.lanes, self.target.threads
        extent, step = self.nest.extents[0], lanes * threads
        size = step * self.items
        tiles = b.ceildiv(extent, size)
        ready = aligned(b, [a.value for a in self._vectors()], self.target.access_bytes) if lanes > 1 else True
        if self.target.has_lanes:
            return self.apart(b.div(b.select(ready, extent, 0), size), size)
        # Tiles that end by here are whole.
        whole = b.select(ready, extent, 0)
        kernel = launch(b, self.target, tiles, threads, registers=self.registers, keep_reads=True)
        with kernel as at, at.shares(tiles, name="tile") as tile:
            start = b.mul(tile, size)
            end = b.add(start, size)
            known = self._constants()

            def vectors() -> None:
                first = b.add(start, b.mul(at.thread, lanes))
                self.groups([[b.add(first, n * step)] for n in range(self.items)], lanes, known)

            def elements() -> None:
                with b.loop(b.add(start, at.thread), b.min(end, extent), threads, name="i") as i:
                    self.group([i], 1, known)

            b.choose(b.at_most(end, whole), vectors, elements)

    def apart(self, tiles: Index, size: int) -> None:
        """One dimension: a launch for whole tiles, each thread with its own neighbours, and one for what is left."""
        b, lanes, threads, extent = self.b, self.lanes, self.target.threads, self.nest.extents[0]
        own = lanes * self.items

        def vectors() -> None:
            with launch(b, self.target, tiles, threads) as at:
                known = self._constants()
                first = b.add(b.mul(at.block[0], size), b.mul(at.thread, own))
                self.groups([[b.add(first, n * lanes)] for n in range(self.items)], lanes, known)

        def elements() -> None:
            with launch(b, self.target, b.ceildiv(left, threads), threads) as at, at.own(left) as number:
                self.group([b.add(done, number)], 1, self._constants())

        done = b.mul(tiles, size)
        left = b.sub(extent, done)
        b.choose(b.at_most(tiles, 0), lambda: None, vectors)
        b.choose(b.at_most(left, 0), lambda: None, elements)

    def turned(self, across: int) -> None:
        """Operands that are walked across the out: a thread turns a square of them where threads are lanes."""
        b, target = self.b, self.target

        def tiles() -> None:
            tiled(b, target, self.nest, self.ins, across, self.element)

        lanes = transpose.lanes_of_squares(target, self.nest, across)
        if lanes == 1:
            return tiles()
        ready = transpose.whole_squares(b, target, self.nest, across, lanes)
        b.choose(ready, lambda: transpose.emit(b, target, self.nest, across, lanes, self.square), tiles)

    def square(self, dims: Sequence[Index], across: int, lanes: int) -> None:
        """The elements of so many steps of `across` and as many of the last dimension."""
        b, last = self.b, self.last

        def at(line: int, column: int) -> list[Index]:
            return [b.add(i, line * (d == across) + column * (d == last)) for d, i in enumerate(dims)]

        columns = {
            n: [load_group(b, a, at(0, column), across, lanes) for column in range(lanes)]
            for n, a in enumerate(self.ins)
            if is_neighbourly(a, across)
        }
        for line in range(lanes):
            loaded = [
                [column[line] for column in columns[n]] if n in columns else self.load(a, at(line, 0), lanes)
                for n, a in enumerate(self.ins)
            ]
            for access, values in zip(self.outs, self.compute(loaded, lanes), strict=True):
                self.store(access, values, at(line, 0))

    def _constants(self) -> Mapping[int, Access]:
        """The operands that are the same for all elements, loaded."""
        return {n: Access(a.load(self.b, [0]), ()) for n, a in enumerate(self.ins) if not a.uses(0)}

    def rows(self) -> None:
        """The last dimension along the threads, a power of two of them a row; several rows a thread."""
        b, lanes, threads = self.b, self.lanes, self.target.threads
        *outer, length = self.nest.extents
        rows = b.product(outer)
        wide: SSAValue | bool = False
        if lanes > 1:
            wide = in_vectors(b, self._vectors(), length, lanes, self.target.access_bytes)
        groups = b.div(length, b.select(wide, lanes, 1))
        width, shift = width_of(b, groups, threads)
        step = b.div(threads, width)
        each = b.mul(step, self.items)
        tiles, columns = b.div(b.sub(b.add(rows, each), 1), each), b.div(b.sub(b.add(groups, width), 1), width)
        kernel = launch(b, self.target, tiles, threads, [columns], registers=self.registers, keep_reads=True)
        with kernel as at, at.shares(tiles, name="rows") as tile:
            x = b.core.both(at.thread, b.index(b.sub(width, 1)))
            y = b.core.shr(at.thread, b.index(shift))
            first = b.add(b.mul(tile, each), y)
            end = b.add(b.mul(tile, each), each)

            def form(column: Index, lanes: int) -> None:
                def many() -> None:
                    numbers = [b.add(first, b.mul(step, n)) for n in range(self.items)]
                    self.groups([[*b.split(n, outer), column] for n in numbers], lanes)

                def some() -> None:
                    with b.loop(first, b.min(end, rows), step, name="row") as row:
                        self.group([*b.split(row, outer), column], lanes)

                b.choose(b.at_most(end, rows), many, some)

            with at.shares(columns, axis=1, name="columns") as part:
                number = b.add(b.mul(part, width), x)
                with b.when(b.compare("ult", number, groups)):
                    b.choose(wide, lambda: form(b.mul(number, lanes), lanes), lambda: form(number, 1))


def width_of(b: Builder, count: Index, threads: int) -> tuple[Index, Index]:
    """The least power of two from LEAST_WIDTH on that is `count` at least, else `threads`; and its logarithm."""
    width: Index = threads
    shift: Index = threads.bit_length() - 1
    size = threads // 2
    while size >= LEAST_WIDTH:
        fits = b.at_most(count, size)
        width, shift = b.select(fits, size, width), b.select(fits, size.bit_length() - 1, shift)
        size //= 2
    return width, shift
