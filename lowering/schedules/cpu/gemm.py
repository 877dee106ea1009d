"""The CPU schedule of `atlas.gemm`: tiles in registers, b packed in blocks that stay in the second cache.

For a block of columns and a part of the sums the rows of b are packed by all threads; then tiles of rows are multiplied
with the panels of the block in parallel. Each element of the out is summed up in the order of k, in parts of one fixed
length, so neither threads nor tiles change its bits.

Packing for `atlas.gemm`: a block of b as panels of columns, the rows of a tile of a side by side.

The tile of an `atlas.gemm` whose sums stay in vector registers, and how they get to the out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, StridedLayoutAttr, i1
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.lowering.rewriting.kernel_builder import Builder, Index
from hologram.lowering.schedules.common.gemm_product import Product
from hologram.lowering.schedules.common.target import Target
from hologram.lowering.schedules.common.vectors import Vectors, multiply_add
from hologram.lowering.schedules.cpu.gemm_few import FewTimesMatrix

STEP = 16
"""The rows of b that are packed at once."""


@dataclass(frozen=True)
class BlockOfRight:
    """A block of b: from a column and a step of the sums on."""

    batch: Sequence[Index]
    column: Index
    columns: Index
    start: Index
    count: Index


@dataclass(frozen=True)
class Panels:
    """The packed block: the panel of columns p lies in the rows from p * depth on, one for each step of the sums."""

    buffer: SSAValue
    depth: Index
    width: int
    lanes: int


def pack_right(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Copies the block, in parallel; the last panel is filled up with zeros."""
    if product.rows_are_dense(1):
        _pack_rows(product, panels, block)
    else:
        _pack_columns(product, panels, block)


def _pack_rows(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Row by row, as they lie."""
    b, v = product.b, Vectors(product.b, product.wide, panels.lanes)
    source, width = product.values[1], panels.width
    whole = b.mul(b.div(block.columns, width), width)

    def copy(row: Index, column: Index, mask: SSAValue | None) -> SSAValue:
        at = product.place(1, block.batch, b.add(block.start, row), b.add(block.column, column))
        return v.load(source, at, mask)

    with b.parallel([block.count], [STEP], name="k") as (first,):
        with b.loop(first, b.min(b.add(first, STEP), block.count), name="k") as row:
            with b.loop(0, whole, width, name="j", as_it_is=True) as column:
                target = b.add(b.mul(b.div(column, width), panels.depth), row)
                for at in range(0, width, panels.lanes):
                    v.store(copy(row, b.add(column, at), None), panels.buffer, [target, at])
            if block.columns == whole:
                return
            with b.when(b.compare("ult", whole, block.columns)):
                target = b.add(b.mul(b.div(whole, width), panels.depth), row)
                for at in range(0, width, panels.lanes):
                    column = b.add(whole, at)
                    mask = v.mask(b.sub(block.columns, column))
                    v.store(copy(row, column, mask), panels.buffer, [target, at])


def _pack_columns(product: Product, panels: Panels, block: BlockOfRight) -> None:
    """Panel by panel, a few steps of the sums at a time, so that what is written stays in the nearest cache."""
    b, width = product.b, panels.width
    with b.parallel([b.ceildiv(block.columns, width)], name="p") as (panel,):
        column, base = b.mul(panel, width), b.mul(panel, panels.depth)
        present = b.min(b.sub(block.columns, column), width)
        with b.loop(0, block.count, STEP, name="k") as first:
            end = b.min(b.add(first, STEP), block.count)
            with b.loop(0, present, name="j") as j, b.loop(first, end, name="k") as k:
                value = product.element(1, block.batch, b.add(block.start, k), b.add(block.column, b.add(column, j)))
                b.store(value, panels.buffer, [b.add(base, k), j])
            if present != width:
                with b.loop(present, width, name="j") as j, b.loop(first, end, name="k") as k:
                    b.store(b.constant(0, product.wide), panels.buffer, [b.add(base, k), j])


def pack_left(product: Product, rows: int, depth: int, batch: Sequence[Index], row: Index, start: Index, count: Index
) -> SSAValue:  # fmt: skip
    """A small array with the elements of some rows of a for each step of the sums; rows past the last repeat it."""
    b: Builder = product.b
    buffer = b.alloca(product.wide.ir, depth, rows)
    places = clamped(product, rows, row)
    with b.loop(0, count, name="k") as k:
        for number, place in enumerate(places):
            b.store(product.element(0, batch, place, b.add(start, k)), buffer, [k, number])
    return buffer


def clamped(product: Product, rows: int, row: Index) -> list[Index]:
    """The rows of a tile; the last row in place of those past it."""
    b, m = product.b, product.m
    if isinstance(m, int) and m % rows == 0:
        return [b.add(row, n) for n in range(rows)]
    return [row, *(b.min(b.add(row, n), b.sub(m, 1)) for n in range(1, rows))]


Left = Callable[[int, Index], SSAValue]
"""The element of a in a row of the tile, at a step of the sums."""
Right = Callable[[Index, Index, SSAValue | None], SSAValue]
"""At a step of the sums, a vector of b: its first column in the tile, and which of its lanes exist (None: all)."""
Before = Callable[[Sequence[Index], "SSAValue | None", SSAValue], SSAValue]
"""At a place of the out, under a mask: a vector of sums, with what they are to be added to."""
Finish = Callable[[Index, Index, SSAValue], None]
"""What becomes of the sum at a row and a column of the out."""


@dataclass(frozen=True)
class Kept:
    """Where the sums of a block of columns, from `column` on, are kept between parts."""

    buffer: SSAValue
    column: Index


@dataclass(frozen=True)
class Part:
    """The part of the sums that tiles add up at a time; `kept` where the out can't hold the sums of several parts."""

    count: Index
    is_first: SSAValue | bool
    is_last: SSAValue | bool
    kept: Kept | None


@dataclass(frozen=True)
class Place:
    """A tile's first row and column in the out."""

    batch: Sequence[Index]
    row: Index
    column: Index


class Tile:
    """Emits tiles of `rows` rows for a product."""

    def __init__(self, product: Product, rows: int, vectors: int, lanes: int, *, masks: bool):
        self.product, self.b = product, product.b
        self.rows, self.count, self.lanes, self.masks = rows, vectors, lanes, masks
        self.width = vectors * lanes
        self.v = Vectors(product.b, product.wide, lanes)

    def whole(self, part: Part, place: Place, left: Left, right: Right) -> None:
        """A tile with all its columns, of sums that are stored as vectors."""
        sums = self._sums(part.count, left, lambda k, n: right(k, n * self.lanes, None), self.count)
        self._with_what_is_there(part, lambda before: self._store_rows(place, sums, before))

    def ragged(
        self, part: Part, place: Place, left: Left, right: Right, width: Index, counts: Sequence[int]
    ) -> None:  # fmt: skip
        """A tile of `width` columns. `counts` are numbers of vectors: the first that is enough is computed.

        Where there are none, two vectors at a time are, and the last one alone: less code, and less to compute than
        numbers that are too large, for the price of reading a again.
        """
        b, lanes = self.b, self.lanes
        buffer = b.alloca(self.product.wide.ir, self.rows, (counts[-1] if counts else self.count) * lanes)

        def compute(vectors: int, *, masked: bool, column: Index = 0) -> None:
            places = [b.add(column, n * lanes) for n in range(vectors)]
            masks = [self.v.mask(b.sub(width, at)) if masked else None for at in places]

            def load(k: Index, n: int) -> SSAValue:
                return right(k, places[n], masks[n])

            self._spill(self._sums(part.count, left, load, vectors), buffer, places)

        def by_pairs() -> None:
            pair = min(2, self.count)
            single = b.mul(b.div(b.add(width, lanes - 1), pair * lanes), pair * lanes)
            for start, end, vectors in ((0, single, pair), (single, width, 1))[:pair]:
                with b.loop(start, end, vectors * lanes, name="j") as column:
                    compute(vectors, masked=self.masks, column=column)

        def enough(counts: Sequence[int]) -> None:
            if not counts:
                by_pairs()
                return
            if len(counts) == 1:
                compute(counts[0], masked=self.masks and width != counts[0] * lanes)
                return
            fits = b.compare("ule", width, counts[0] * lanes)
            b.choose(fits, lambda: compute(counts[0], masked=self.masks), lambda: enough(counts[1:]))

        if isinstance(width, int) or self.product.stores_vectors:
            enough(counts)
        else:
            is_whole = b.compare("eq", width, self.width)
            b.choose(is_whole, lambda: compute(self.count, masked=False), lambda: enough(counts))
        if self.product.stores_vectors:
            self._with_what_is_there(part, lambda before: self._store_masked(place, buffer, width, before))
        else:
            self._store_elements(part, place, buffer, width)

    # Sums

    def _sums(self, count: Index, left: Left, right: Callable[[Index, int], SSAValue], vectors: int) -> list[SSAValue]:
        """The sums of the tile, row by row."""

        def step(k: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
            columns = [right(k, n) for n in range(vectors)]
            added: list[SSAValue] = []
            for r in range(self.rows):
                x = self.v.splat(left(r, k))
                added += [
                    self.v.multiply_add(x, y, sums[r * vectors + n]) for n, y in enumerate(columns)
                ]  # fmt: skip
            return added

        return self.b.carried(0, count, [self.v.zero()] * (self.rows * vectors), step, "k", as_it_is=True)

    def _spill(self, sums: Sequence[SSAValue], buffer: SSAValue, places: Sequence[Index]) -> None:
        """Stores the sums to a small array, those of each row at some columns."""
        for number, value in enumerate(sums):
            self.v.store(value, buffer, [number // len(places), places[number % len(places)]])

    @contextmanager
    def _row(self, place: Place, number: int) -> Generator[Index]:
        """A row of the tile, if the out has it."""
        row, m = self.b.add(place.row, number), self.product.m
        if number == 0 or (isinstance(m, int) and m % self.rows == 0):
            yield row
            return
        with self.b.when(self.b.compare("slt", row, m)):
            yield row

    @contextmanager
    def _each_row(self, place: Place) -> Generator[tuple[Index, Index]]:
        """A loop over the rows of the tile that the out has."""
        count = self.b.min(self.rows, self.b.sub(self.product.m, place.row))
        with self.b.loop(0, count, name="i") as r:
            yield r, self.b.add(place.row, r)

    # The out, by vectors

    def _scaled(self, total: SSAValue) -> SSAValue:
        product = self.product
        return total if product.alpha == 1 else self.b.core.mul(total, self.v.splat(product.scale(product.alpha)))

    def _with_what_is_there(self, part: Part, store: Callable[[Before], None]) -> None:
        """Stores sums: to be added to are c in the first part, and in the others what the out has."""
        product, v = self.product, self.v

        def c(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            if not product.has_c:
                return total
            return v.multiply_add(v.splat(product.scale(product.beta)), v.load(product.values[2], at, mask), total)

        def out(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            return self.b.core.add(v.load(product.out, at, mask), total)

        if isinstance(part.is_first, bool) or product.has_c or not self.masks:
            self.b.choose(part.is_first, lambda: store(c), lambda: store(out))
            return
        # One piece of code that loads nothing at first: half the code of two.
        one, zero = (self.b.op(arith.ConstantOp(IntegerAttr(n, i1))) for n in (1, 0))
        there = self.v.splat(self.b.core.select(part.is_first, zero, one), i1)

        def out_if_there(at: Sequence[Index], mask: SSAValue | None, total: SSAValue) -> SSAValue:
            lanes = there if mask is None else self.b.both(there, mask)
            return self.b.core.add(v.load(product.out, at, lanes), total)

        store(out_if_there)

    def _store_rows(self, place: Place, sums: Sequence[SSAValue], before: Before) -> None:
        for r in range(self.rows):
            with self._row(place, r) as row:
                for n in range(self.count):
                    at = [*place.batch, row, self.b.add(place.column, n * self.lanes)]
                    total = self._scaled(sums[r * self.count + n])
                    self.v.store(before(at, None, total), self.product.out, at)

    def _store_masked(self, place: Place, buffer: SSAValue, width: Index, before: Before) -> None:
        with self._each_row(place) as (r, row), self.b.loop(0, width, self.lanes, name="j", as_it_is=True) as column:
            mask = self.v.mask(self.b.sub(width, column))
            at = [*place.batch, row, self.b.add(place.column, column)]
            total = self._scaled(self.v.load(buffer, [r, column]))
            self.v.store(before(at, mask, total), self.product.out, at, mask)

    # The out, element by element

    def _store_elements(self, part: Part, place: Place, buffer: SSAValue, width: Index) -> None:
        """Sums are kept apart until the last part: elements of the out may not hold them, or c may be the out."""

        def finish(row: Index, column: Index, total: SSAValue) -> None:
            self.product.finish(total, place.batch, row, column)

        kept = part.kept
        if kept is None:
            self._each_element(place, buffer, width, None, finish)
            return

        def keep(row: Index, column: Index, total: SSAValue) -> None:
            self.b.store(total, kept.buffer, [row, self.b.sub(column, kept.column)])

        def ending(then: Finish) -> Callable[[], None]:
            return lambda: self.b.choose(
                part.is_first,
                lambda: self._each_element(place, buffer, width, None, then),
                lambda: self._each_element(place, buffer, width, kept, then),
            )

        self.b.choose(part.is_last, ending(finish), ending(keep))

    def _each_element(self, place: Place, buffer: SSAValue, width: Index, kept: Kept | None, then: Finish) -> None:
        """Gives each sum to `then`, with what is kept of the parts before."""
        b = self.b
        with self._each_row(place) as (r, row), b.loop(0, width, name="j", vector=True) as at:
            column = b.add(place.column, at)
            total = b.load(buffer, [r, at])
            if kept is not None:
                before = b.load(kept.buffer, [row, b.sub(column, kept.column)])
                total = b.op((arith.AddfOp if self.product.dtype.is_float else arith.AddiOp)(before, total))
            then(row, column, total)


WORD = 64
"""The bits of the widest integers that vectors are made of."""
PIECES = 16
"""Of work that can run at the same time, at least: threads finish together where pieces are small."""


@dataclass(frozen=True)
class GemmParameters:
    """`rows` and `vectors`: of the tile whose sums are held in registers (by default what the registers take).

    `depth` and `columns`: of the packed block of b. `small`: the elements up to which b is used where it lies, and
    `few`: the rows of a up to which it is.
    """

    rows: int = 6
    vectors: int = 0
    depth: int = 256
    columns: int = 512
    small: int = 65536
    few: int = 12


def schedule_gemm(b: Builder, op: GemmOp, target: Target, parameters: GemmParameters) -> None:
    """Batches in parallel; in each, tiles of rows."""
    product = Product(b, op)
    if product.wide.bits > min(WORD, target.vector_bytes * 8 // 2):
        one_by_one(product)
        return
    # Unrolled by LLVM, loops around loops are half as much code again, and no faster.
    b.as_they_are = True
    gemm = _Gemm(product, target, parameters)
    forms = [FewTimesMatrix(product, operand, gemm.tile.lanes, gemm.masks) for operand in (1, 0)]
    forms.sort(key=lambda form: form.is_wide)
    with b.parallel(product.batch, name="batch") as batch:
        _first_that_is_best(b, forms, batch, gemm)


def _first_that_is_best(b: Builder, forms: Sequence[FewTimesMatrix], batch: Sequence[Index], gemm: _Gemm) -> None:
    """The first of the forms that suits the sizes, else tiles."""
    if not forms:
        gemm.emit(batch)
        return
    form, *rest = forms
    b.choose(form.is_best(), lambda: form.emit(batch), lambda: _first_that_is_best(b, rest, batch, gemm))


def one_by_one(product: Product) -> None:
    """Sums of scalars, for types that no vector register has lanes for."""
    b, wide = product.b, product.wide
    with b.parallel([*product.batch, product.m, product.n], name="j") as (*batch, row, column):

        def step(k: Index, sums: Sequence[SSAValue]) -> list[SSAValue]:
            x, y = product.element(0, batch, row, k), product.element(1, batch, k, column)
            return [multiply_add(b, wide, x, y, sums[0])]

        (total,) = b.carried(0, product.k, [b.constant(0, wide)], step, "k", as_it_is=True)
        product.finish(total, batch, row, column)


class _Gemm:
    def __init__(self, product: Product, target: Target, parameters: GemmParameters):
        self.product, self.b = product, product.b
        lanes = max(1, target.vector_bytes * 8 // product.wide.bits)
        # 32 registers of the widest vectors, 16 of the others; two or more are for what is multiplied.
        vectors = parameters.vectors or (4 if target.vector_bytes >= 64 else 2)
        if isinstance(product.n, int):
            vectors = _even(-(-product.n // lanes), vectors)
        rows = _even(product.m, parameters.rows) if isinstance(product.m, int) else parameters.rows
        # Masked loads cost nothing where there are registers for masks, and little where vectors have 32 bytes.
        self.masks = target.vector_bytes >= 32
        self.tile = Tile(product, rows, vectors, lanes, masks=self.masks)
        self.rows, self.width = rows, vectors * lanes
        self.parameters = parameters
        self.depth = self.b.min(product.k, parameters.depth)
        self.columns = self._columns()
        self.is_packed = self._is_packed()

    def _columns(self) -> Index:
        """The columns of a block: more where the sums are short, so that it has as many elements."""
        b, width = self.b, self.width
        elements = -(-self.parameters.columns // width) * width * self.parameters.depth
        return b.mul(b.div(elements, b.mul(b.max(self.depth, 1), width)), width)

    def _is_packed(self) -> SSAValue | bool:
        """Whether b is packed: unless it lies well and is small, or used by few rows only."""
        b, product, parameters = self.b, self.product, self.parameters
        if not product.rows_are_dense(1):
            return True
        if not self.masks and not (isinstance(product.n, int) and product.n % self.width == 0):
            return True
        elements = b.mul(product.k, product.n)
        if isinstance(elements, int) and elements <= parameters.small:
            return False
        if isinstance(product.m, int) and product.m <= parameters.few:
            return False
        if isinstance(elements, int) and isinstance(product.m, int):
            return True
        return b.both(b.compare("ugt", elements, parameters.small), b.compare("ugt", product.m, parameters.few))

    def emit(self, batch: Sequence[Index]) -> None:
        """One product of the batch."""
        b, product = self.b, self.product
        panels, sums = self._panels(), self._kept_sums()
        with b.loop(0, product.n, self.columns, name="jc") as column:
            columns = b.min(b.sub(product.n, column), self.columns)
            # Sums of no products are stored too.
            with b.loop(0, b.max(product.k, 1), self.parameters.depth, name="pc") as start:
                count = b.min(b.sub(product.k, start), self.parameters.depth)
                block = BlockOfRight(batch, column, columns, start, count)
                if panels is not None:
                    b.choose(self.is_packed, lambda: pack_right(product, panels, block), lambda: None)
                self._multiply(block, self._part(block, sums), self._right(block, panels))
        b.free(*(buffer for buffer in (sums, panels and panels.buffer) if buffer is not None))

    # Memory

    def _panels(self) -> Panels | None:
        """Memory for a packed block, none where it is known that it is not used."""
        if self.is_packed is False:
            return None
        b = self.b
        rows = b.mul(b.ceildiv(b.min(self.product.n, self.columns), self.width), self.depth)
        if not isinstance(self.is_packed, bool):
            rows = b.core.select(self.is_packed, b.index(rows), b.index(0))
        return Panels(self.b.alloc(self.product.wide.ir, [rows, self.width]), self.depth, self.width, self.tile.lanes)

    def _kept_sums(self) -> SSAValue | None:
        """Memory for the sums of a block of columns between parts, where the out does not hold them."""
        product = self.product
        is_single = isinstance(product.k, int) and product.k <= self.parameters.depth
        if product.stores_vectors or is_single:
            return None
        b = self.b
        rows = product.m
        if not isinstance(product.k, int):
            several = b.compare("ugt", product.k, self.parameters.depth)
            rows = b.core.select(several, b.index(rows), b.index(0))
        return self.b.alloc(self.product.wide.ir, [rows, b.min(product.n, self.columns)])

    # Parts of sums

    def _part(self, block: BlockOfRight, sums: SSAValue | None) -> Part:
        b, k = self.b, self.product.k
        kept = None if sums is None else Kept(sums, block.column)
        if isinstance(block.start, int):
            return Part(block.count, True, True, None)
        is_first = b.compare("eq", block.start, 0)
        is_last = b.compare("uge", b.add(block.start, self.parameters.depth), k)
        return Part(block.count, is_first, is_last, kept)

    # Where b is read

    def _right(self, block: BlockOfRight, panels: Panels | None) -> Callable[[Index], Right]:
        """For a panel, how its vectors are loaded: from the packed block, or from b itself."""
        b = self.b
        source, is_packed = self._source(block, panels)

        def of_panel(panel: Index) -> Right:
            packed = (0 if panels is None else b.mul(panel, panels.depth), 0)
            direct = (block.start, b.add(block.column, b.mul(panel, self.width)))
            row, column = (b.select(is_packed, x, y) for x, y in zip(packed, direct, strict=True))
            before: Sequence[Index] = block.batch if is_packed is False else ()
            return lambda k, at, mask: self.tile.v.load(
                source, [*before, b.add(row, k), b.add(column, at)], mask if self.masks else None
            )

        return of_panel

    def _source(self, block: BlockOfRight, panels: Panels | None) -> tuple[SSAValue, SSAValue | bool]:
        if panels is None:
            return self.product.values[1], False
        if isinstance(self.is_packed, bool):
            return panels.buffer, True
        view = MemRefType(
            self.product.wide.ir, [DYNAMIC_INDEX] * 2, StridedLayoutAttr([None, 1], None)
        )  # fmt: skip
        bodies = (Block(), Block())
        for body, make in zip(bodies, (lambda: panels.buffer, lambda: self._matrix(block.batch)), strict=True):
            with self.b.inside(body):
                self.b.rw.emit(scf.YieldOp(self.b.op(memref.CastOp.get(make(), view))))
        return self.b.op(scf.IfOp(self.is_packed, [view], Region(bodies[0]), Region(bodies[1]))), self.is_packed

    def _matrix(self, batch: Sequence[Index]) -> SSAValue:
        """One matrix of b."""
        source = self.product.values[1]
        if not batch:
            return source
        type = cast("MemRefType[Attribute]", source.type)
        strides = type.get_strides()
        assert strides is not None
        sizes = self.b.sizes(source)[-2:]
        shape = [DYNAMIC_INDEX if isinstance(s, SSAValue) else s for s in sizes]
        result = MemRefType(type.element_type, shape, StridedLayoutAttr(strides[-2:], None))
        offsets = [*(self.b.index(i) for i in batch), 0, 0]
        return self.b.op(
            memref.SubviewOp.get(source, offsets, [*([1] * len(batch)), *sizes], [1] * len(offsets), result)
        )

    # Tiles

    def _multiply(self, block: BlockOfRight, part: Part, right: Callable[[Index], Right]) -> None:
        """Multiplies all rows of a with the block: tiles of rows, and groups of panels if there are few of those."""
        b, product = self.b, self.product
        tiles = b.ceildiv(product.m, self.rows)
        panels = b.ceildiv(block.columns, self.width)
        group, groups = self._groups(tiles, panels)
        with b.parallel([b.mul(tiles, groups)], name="t") as (number,):
            row = b.mul(b.div(number, groups), self.rows)
            first = b.mul(b.rem(number, groups), group)
            end = b.min(b.add(first, group), panels)
            self._row_of_tiles(block, part, row, right, (first, end))

    def _groups(self, tiles: Index, panels: Index) -> tuple[Index, Index]:
        """How many panels a group has, and how many groups there are, for enough pieces of work."""
        b = self.b
        if isinstance(tiles, int) and tiles >= PIECES:
            return panels, 1
        tiles = b.max(tiles, 1)
        wanted = b.min(panels, b.div(b.add(tiles, PIECES - 1), tiles))
        group = b.div(b.sub(b.add(panels, wanted), 1), wanted)
        return group, b.div(b.sub(b.add(panels, group), 1), group)

    def _row_of_tiles(
        self, block: BlockOfRight, part: Part, row: Index, right: Callable[[Index], Right], ends: tuple[Index, Index]
    ) -> None:
        b, width = self.b, self.width
        left = self._left(block, row)
        if self.product.stores_vectors:
            whole = b.div(block.columns, width)
            with b.loop(ends[0], b.min(ends[1], whole), name="p") as panel:
                place = Place(block.batch, row, b.add(block.column, b.mul(panel, width)))
                self.tile.whole(part, place, left, right(panel))
            self._last_panel(block, part, row, left, right, b.sub(ends[1], 1))
            return
        with b.loop(ends[0], ends[1], name="p") as panel:
            start = b.mul(panel, width)
            is_even = isinstance(self.product.n, int) and self.product.n % width == 0
            present = width if is_even else b.min(b.sub(block.columns, start), width)
            place = Place(block.batch, row, b.add(block.column, start))
            self.tile.ragged(part, place, left, right(panel), present, self._counts(present))

    def _last_panel(
        self, block: BlockOfRight, part: Part, row: Index, left: Left, right: Callable[[Index], Right], panel: Index
    ) -> None:
        """The last panel of a group, if it is not whole."""
        b, width = self.b, self.width
        if isinstance(self.product.n, int) and self.product.n % width == 0:
            return
        start = b.mul(panel, width)
        rest = b.sub(block.columns, start)
        place = Place(block.batch, row, b.add(block.column, start))
        if not isinstance(rest, int) or rest < width:
            is_ragged = True if isinstance(rest, int) else b.compare("ult", rest, width)
            tile = lambda: self.tile.ragged(part, place, left, right(panel), rest, self._counts(rest))  # noqa: E731
            b.choose(is_ragged, tile, lambda: None)

    def _counts(self, width: Index) -> list[int]:
        """The numbers of vectors that there is code for, none where nothing is known."""
        lanes, most = self.tile.lanes, self.tile.count
        if isinstance(width, int):
            return [-(-width // lanes)]
        if isinstance(self.product.n, int):
            rest = -(-(self.product.n % self.width) // lanes)
            return [rest] if self.product.stores_vectors else sorted({rest, most})
        return []

    def _left(self, block: BlockOfRight, row: Index) -> Left:
        """How elements of a are loaded: where its rows are dense as they lie, else packed first."""
        b, product = self.b, self.product
        if product.rows_are_dense(0):
            rows = clamped(product, self.rows, row)
            return lambda r, k: product.element(0, block.batch, rows[r], b.add(block.start, k))
        depth = min(product.k, self.parameters.depth) if isinstance(product.k, int) else self.parameters.depth
        packed = pack_left(product, self.rows, max(depth, 1), block.batch, row, block.start, block.count)
        return lambda r, k: b.load(packed, [k, r])


def _even(size: int, most: int) -> int:
    """The size of equal pieces of at most `most`."""
    return -(-size // max(1, -(-size // most))) or 1
