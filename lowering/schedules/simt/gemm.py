"""The schedule of `atlas.gemm` for blocks of threads: tiles of the out in registers, of a and b in workgroup memory.

A block computes a tile of the out, each thread a grid of its elements. Tiles of a and b go through workgroup memory in
two buffers: while one is multiplied the next is loaded. Past the edges elements are loaded from inside and counted as
zeros. Each element of the out is summed up in the order of k, so tiles do not change its bits.

The schedule of `atlas.mixed_precision_gemm` for blocks of threads: that of gemm, with elements widened on their way
into workgroup memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import BoolAttr, VectorType
from xdsl.dialects.vector import ExtractOp
from xdsl.ir import SSAValue

from hologram.dialects import vector
from hologram.dialects.atlas.arrays.extension import flag
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.products import MixedPrecisionGemmOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.llvm import LoopAnnotationAttr, LoopUnrollAttr
from hologram.dialects.shapes import element_type
from hologram.errors import PassError
from hologram.lowering.rewriting.kernel_builder import Builder, Index, dtype_in
from hologram.lowering.schedules.common.gemm_product import Product, Reader, Sums
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.common.vectors import multiply_add
from hologram.lowering.schedules.cpu.gemm import WORD
from hologram.lowering.schedules.simt.launches import Launch, launch
from hologram.lowering.schedules.simt.tensor_core import Matrices, on_tensor_cores

PAD = 4
"""What a line of a tile is longer by, so that its columns lie in different banks."""
TOGETHER = 8
"""The rows of tiles that are taken together, so that neighbours read the same of a and b."""


MOST_THREADS = 1024
AT_ONCE = 4
"""The lines of a tile that one iteration multiplies, where no compiler is told to write all iterations out."""
UNROLLED = LoopAnnotationAttr({"unroll": LoopUnrollAttr({"full": BoolAttr.from_bool(True)})})
"""Of a loop of a few iterations, known, whose ends are better not waited for."""


@dataclass(frozen=True)
class GemmParameters:
    """`rows` and `columns` of the tile of a block, `depth` of what is in workgroup memory of a and b at a time,
    `lane_rows` and `lane_columns` of a thread's grid; of types of 64 bits half of each. `tf32`, if not 0, allows tensor
    cores to read 19 of the 32 bits of f32.
    """

    rows: int = 128
    columns: int = 128
    depth: int = 8
    lane_rows: int = 8
    lane_columns: int = 8
    tf32: int = 0


def schedule_gemm(b: Builder, op: GemmOp, target: Target, parameters: GemmParameters) -> None:
    """Tiles, if there is anything to sum up."""
    product = Product(b, op)
    if product.wide.bits > WORD:
        product.one_by_one()
        return
    tiles = Tiles(product, target, parameters)
    special = _on_tensor_cores(product, target, tiles.emit, tf32=bool(parameters.tf32))
    b.choose(b.at_most(1, product.k), special, product.one_by_one)


def _on_tensor_cores(
    product: Product, target: Target, otherwise: Callable[[], None], *, tf32: bool
) -> Callable[[], None]:
    """Return what emits the product: by tensor cores, and then the finish of each element, where they can store it."""
    b, op = product.b, product.op
    stored = element_type(product.out.type)
    if product.batch or product.has_c or stored != product.dtype.ir:
        return otherwise
    types, extents = (product.dtype, product.dtype), (product.m, product.n, product.k)
    values = product.values[0], product.values[1], product.out
    matrices = Matrices(values, types, extents, op.transposed, product.alpha)

    def finish() -> None:
        """Takes each element, rounded, as the finish region does."""
        with b.parallel([product.m, product.n], name="e") as at:
            given = [b.load(product.out, at), *(access.load(b, at) for access in product.finishing)]
            (value,) = b.region(op.finish, given)
            b.store(value, product.out, at)

    then = finish if op.finish.blocks else None
    return on_tensor_cores(b, target, matrices, otherwise, then, tf32=tf32)


@dataclass(frozen=True)
class _Factor:
    """An operand's tile in workgroup memory: lines along its rows (or columns), one for each k of the tile."""

    number: int
    size: int
    extent: Index
    runs_along_k: bool
    """Whether neighbours in memory are those along k."""


class Tiles:
    """One product, or each of a batch."""

    def __init__(self, product: Sums, target: Target, parameters: GemmParameters):
        self.product, self.b, self.target = product, product.b, target
        part = 1 if product.wide.bits <= 32 else 2
        self.rows, self.columns = parameters.rows // part, parameters.columns // part
        self.lane_rows, self.lane_columns = parameters.lane_rows // part, parameters.lane_columns // part
        self.down, self.across = self.rows // self.lane_rows, self.columns // self.lane_columns
        self.threads = self.down * self.across
        # Vectors of sums' elements in workgroup memory; elsewhere threads take neighbours.
        lanes = target.vector_bytes * 8 // product.wide.bits
        even = self.lane_rows % lanes == 0 and self.lane_columns % lanes == 0 if lanes > 1 else False
        self.lanes = lanes if even else 1
        self.depth = parameters.depth
        bytes_of_line = 2 * (self.rows + self.columns + 2 * PAD) * (product.wide.bits // 8)
        while self.depth > 1 and self.depth * bytes_of_line > target.shared_bytes:
            self.depth //= 2
        self._check()
        self.left = _Factor(0, self.rows, product.m, product.runs_along_k(0))
        self.right = _Factor(1, self.columns, product.n, product.runs_along_k(1))

    def _check(self) -> None:
        """Check that threads divide a tile evenly."""
        sizes, lanes = (self.rows, self.columns), (self.lane_rows, self.lane_columns)
        fits = min(*sizes, *lanes) > 0 and all(size % lane == 0 for size, lane in zip(sizes, lanes, strict=True))
        fits = fits and 1 <= self.threads <= MOST_THREADS and self.threads % self.depth == 0
        for size in sizes if fits else ():
            wide = min(self.threads, size)
            fits = fits and size % (self.threads // self.depth) == 0
            fits = fits and self.threads % wide == 0 and size % wide == 0 and self.depth % (self.threads // wide) == 0
        if not fits:
            raise PassError(
                self.product.op,
                "schedule-tile",
                f"a tile of {self.rows} x {self.columns} in steps of {self.depth} is not cut evenly by threads of "
                f"{self.lane_rows} x {self.lane_columns}",
                hint="take powers of two, with up to 1024 threads for a tile",
            )

    def emit(self) -> None:
        """A launch with a block for each tile of each product."""
        b, product = self.b, self.product
        counts = b.ceildiv(product.m, self.rows), b.ceildiv(product.n, self.columns)
        products = b.product(product.batch)
        outer = [products] if product.batch else []
        with launch(b, self.target, b.mul(*counts), self.threads, outer, resident=2) as at:
            buffers = [at.shared(product.wide.ir, 2 * self.depth * (f.size + PAD)) for f in (self.left, self.right)]
            sums = at.private(product.wide.ir, self.lane_rows, self.lane_columns)
            if not product.batch:
                self._tiles(at, buffers, sums, counts, [])
                return
            with at.shares(products, 1, "batch") as number:
                self._tiles(at, buffers, sums, counts, self._batch(number))

    def _batch(self, number: Index) -> list[Index]:
        b, indices = self.b, list[Index]()
        for size in reversed(self.product.batch):
            indices.append(b.rem(number, size))
            number = b.div(number, size)
        return indices[::-1]

    def _tiles(
        self,
        at: Launch,
        buffers: Sequence[SSAValue],
        sums: SSAValue,
        counts: tuple[Index, Index],
        batch: Sequence[Index],
    ) -> None:
        b = self.b
        with at.shares(b.mul(*counts), name="tile") as number:
            group = b.mul(counts[1], TOGETHER)
            first = b.mul(b.div(number, group), TOGETHER)
            rows = b.min(b.sub(counts[0], first), TOGETHER)
            inside = b.rem(number, group)
            row = b.mul(b.add(first, b.rem(inside, rows)), self.rows)
            column = b.mul(b.div(inside, rows), self.columns)
            _Tile(self, at, buffers, batch, (row, column)).emit(sums)


@dataclass(frozen=True)
class _Part:
    """An element of a tile that a thread brings to workgroup memory: where it goes, and how it is read."""

    along: Index
    line: Index
    inside: SSAValue
    read: Reader


class _Tile:
    """One tile."""

    def __init__(
        self,
        tiles: Tiles,
        at: Launch,
        buffers: Sequence[SSAValue],
        batch: Sequence[Index],
        place: tuple[Index, Index],
    ):
        self.tiles, self.at, self.buffers, self.batch, self.place = tiles, at, buffers, batch, place
        self.b, self.product = tiles.b, tiles.product
        b, across = self.b, tiles.across
        self.lane_row, self.lane_column = b.div(at.thread, across), b.rem(at.thread, across)
        self.factors = (tiles.left, tiles.right)
        self.parts = self._readers()

    def emit(self, sums: SSAValue) -> None:
        """Sums up, then stores. What is no whole step comes first, so that no other one need be guarded."""
        b, product, depth = self.b, self.product, self.tiles.depth
        steps = b.div(b.sub(product.k, 1), depth)
        first = b.sub(product.k, b.mul(steps, depth))
        self._store(0, self._load(0, first))
        self.at.barrier()

        def step(number: Index, totals: Sequence[SSAValue]) -> Sequence[SSAValue]:
            after = self._load(b.add(first, b.mul(number, depth)), None)
            this = b.rem(number, 2)
            totals = self._multiply(this, totals)
            self._store(b.sub(1, this), after)
            self.at.barrier()
            return totals

        zeros = [b.constant(0, product.wide)] * (self.tiles.lane_rows * self.tiles.lane_columns)
        totals = b.carried(0, steps, zeros, step, "k")
        totals = self._multiply(b.rem(steps, 2), totals)
        # The next tile comes into the same memory.
        self.at.barrier()
        self._finish(totals, sums)

    # From memory to workgroup memory

    def _parts(self, factor: _Factor) -> list[tuple[Index, Index]]:
        """The places of this thread's elements of a tile: along the tile's lines, and the number of the line (k)."""
        b, thread, threads, depth = self.b, self.at.thread, self.tiles.threads, self.tiles.depth
        places: list[tuple[Index, Index]] = []
        if factor.runs_along_k:
            first, line = b.div(thread, depth), b.rem(thread, depth)
            places = [(b.add(first, n), line) for n in range(0, factor.size, max(threads // depth, 1))]
        else:
            wide = min(threads, factor.size)
            first, line = b.rem(thread, wide), b.div(thread, wide)
            lines = threads // wide
            places = [
                (b.add(first, c), b.add(line, n)) for n in range(0, depth, lines) for c in range(0, factor.size, wide)
            ]
        return places

    def _readers(self) -> list[list[_Part]]:
        """This thread's parts of both tiles. What does not change along k is computed here, before the loop."""
        b, readers = self.b, list[list[_Part]]()
        for factor, first in zip(self.factors, self.place, strict=True):
            parts: list[_Part] = []
            for along, line in self._parts(factor):
                at = b.add(first, along)
                inside = b.compare("ult", at, factor.extent)
                # An address inside in any case: no branch stands between the loads.
                at = b.min(at, b.sub(factor.extent, 1))
                parts.append(_Part(along, line, inside, self.product.reader(factor.number, self.batch, at)))
            readers.append(parts)
        return readers

    def _load(self, start: Index, end: Index | None) -> list[list[SSAValue]]:
        """This thread's elements of both tiles from a k on; zeros past the edges, and from the k `end` on."""
        b, product = self.b, self.product
        zero = b.constant(0, product.wide)
        elements: list[list[SSAValue]] = []
        for parts in self.parts:
            values: list[SSAValue] = []
            for part in parts:
                k, inside = b.add(start, part.line), part.inside
                if end is not None:
                    inside = b.both(inside, b.compare("ult", k, end))
                    k = b.min(k, b.sub(end, 1))
                value, exists = part.read(k)
                inside = inside if exists is None else b.both(inside, exists)
                values.append(b.core.select(inside, value, zero))
            elements.append(values)
        return elements

    def _store(self, buffer: Index, elements: Sequence[Sequence[SSAValue]]) -> None:
        """Puts elements into one of the two buffers."""
        b = self.b
        for factor, memory, parts, values in zip(self.factors, self.buffers, self.parts, elements, strict=True):
            start = self._line(factor, buffer, 0)
            for part, value in zip(parts, values, strict=True):
                place = b.add(b.mul(part.line, factor.size + PAD), part.along)
                b.store(value, memory, [b.add(start, place)])

    def _line(self, factor: _Factor, buffer: Index, number: Index) -> Index:
        """The start of a line of a tile."""
        b, pitch = self.b, factor.size + PAD
        return b.add(b.mul(buffer, self.tiles.depth * pitch), b.mul(number, pitch))

    # Products

    def _multiply(self, buffer: Index, totals: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The sums with the products of one buffer."""
        b, tiles, wide = self.b, self.tiles, self.product.wide

        def line(k: Index, totals: Sequence[SSAValue]) -> Sequence[SSAValue]:
            left = self._fragment(0, buffer, k, (self._row(0), tiles.down, tiles.lane_rows))
            right = self._fragment(1, buffer, k, (self._column(0), tiles.across, tiles.lane_columns))
            pairs = ((x, y) for x in left for y in right)
            return [multiply_add(b, wide, x, y, t) for (x, y), t in zip(pairs, totals, strict=True)]

        if tiles.target.unrolls_loops:
            return b.carried(0, tiles.depth, totals, line, "kk", annotation=UNROLLED)
        at_once = min(tiles.depth, AT_ONCE)

        def lines(number: Index, totals: Sequence[SSAValue]) -> Sequence[SSAValue]:
            for n in range(at_once):
                totals = line(b.add(b.mul(number, at_once), n), totals)
            return totals

        return b.carried(0, tiles.depth // at_once, totals, lines, "kk")

    def _fragment(self, number: int, buffer: Index, k: Index, mine: tuple[Index, int, int]) -> list[SSAValue]:
        """This thread's elements of a line of a tile. `mine` are the first, how many threads share it, how many."""
        b, memory, lanes = self.b, self.buffers[number], self.tiles.lanes
        first, threads, count = mine
        # What is known is added last: instructions have room for it.
        start = b.add(self._line(self.factors[number], buffer, k), first)
        places = [[b.index(b.add(start, n * threads))] for n in range(0, count, lanes)]
        if lanes == 1:
            return [b.load(memory, place) for place in places]
        kind = VectorType(self.product.wide.ir, [lanes])
        size = lanes * self.product.wide.bits // 8
        loaded = [b.op(vector.LoadOp(memory, place, kind, alignment=size)) for place in places]
        return [b.op(ExtractOp(v, [lane], self.product.wide.ir)) for v in loaded for lane in range(lanes)]

    def _row(self, number: Index) -> Index:
        """The row of the tile that a row of this thread's grid is."""
        return self._spread(number, self.lane_row, self.tiles.down)

    def _column(self, number: Index) -> Index:
        return self._spread(number, self.lane_column, self.tiles.across)

    def _spread(self, number: Index, lane: Index, count: int) -> Index:
        """Neighbours in a vector, then a vector of each other thread, and again."""
        b, lanes = self.b, self.tiles.lanes
        inside, group = b.rem(number, lanes), b.div(number, lanes)
        return b.add(b.add(b.mul(group, lanes * count), b.mul(lane, lanes)), inside)

    def _finish(self, totals: Sequence[SSAValue], sums: SSAValue) -> None:
        """Stores the elements that there are, one after the other: what is done to them is there once."""
        b, product, tiles = self.b, self.product, self.tiles
        for n, total in enumerate(totals):
            b.store(total, sums, [n // tiles.lane_columns, n % tiles.lane_columns])
        with b.loops([tiles.lane_rows, tiles.lane_columns], name="e") as (i, j):
            row, column = b.add(self.place[0], self._row(i)), b.add(self.place[1], self._column(j))
            inside = b.both(b.compare("ult", row, product.m), b.compare("ult", column, product.n))
            with b.when(inside):
                product.finish(b.load(sums, [i, j]), self.batch, row, column)


F32 = DTYPES["f32"]


class _Mixed(Sums):
    """The sums of a product whose operands have types of their own."""

    def __init__(self, b: Builder, op: MixedPrecisionGemmOp):
        self.values = [b.rw.value(v) for v in (*op.ins, *op.outs)]
        self.types = [dtype_in(v) for v in self.values]
        super().__init__(b, op, self.types[-1], F32)
        self.flips = flag(op.trans_a), flag(op.trans_b)
        self.alpha, self.beta = (1.0 if v is None else v.value.data for v in (op.alpha, op.beta))
        sizes = [b.sizes(v) for v in self.values]
        *self.batch, self.m, self.n = sizes[-1]
        self.k = sizes[0][-2 if self.flips[0] else -1]

    def runs_along_k(self, operand: int) -> bool:
        return self.flips[operand] == bool(operand)

    def reader(self, operand: int, batch: Sequence[Index], at: Index) -> Reader:
        return partial(self._element, operand, batch, at)

    def _element(self, operand: int, batch: Sequence[Index], at: Index, k: Index) -> tuple[SSAValue, None]:
        place = [at, k] if self.runs_along_k(operand) else [k, at]
        return self.b.cvt(self.types[operand], F32, self.b.load(self.values[operand], [*batch, *place])), None

    def finish(self, total: SSAValue, batch: Sequence[Index], row: Index, column: Index) -> None:
        """alpha * total + beta * c, rounded once."""
        b, at = self.b, [*batch, row, column]
        if self.alpha != 1:
            total = b.of(F32).mul(total, self.alpha)
        if len(self.values) == 4:
            total = multiply_add(b, F32, b.constant(self.beta, F32), b.load(self.values[2], at), total)
        b.store(self.narrowed(total), self.values[-1], at)


def schedule_mixed_gemm(b: Builder, op: MixedPrecisionGemmOp, target: Target, parameters: GemmParameters) -> None:
    """Tiles, or tensor cores, if there is anything to sum up."""
    sums = _Mixed(b, op)
    tiled = Tiles(sums, target, parameters).emit
    if not sums.batch and len(op.ins) == 2 and sums.types[0] is sums.types[1]:
        types, extents = (sums.types[0], sums.types[-1]), (sums.m, sums.n, sums.k)
        matrices = Matrices((sums.values[0], sums.values[1], sums.values[2]), types, extents, sums.flips, sums.alpha)
        tiled = on_tensor_cores(b, target, matrices, tiled)
    b.choose(b.at_most(1, sums.k), tiled, lambda: _zeros(sums))


def _zeros(sums: _Mixed) -> None:
    """Store the results of empty sums."""
    b = sums.b
    with b.parallel([*sums.batch, sums.m, sums.n], name="j") as (*batch, row, column):
        sums.finish(b.constant(0, F32), batch, row, column)
