"""The CPU schedule of `atlas.gemm`: tiles in registers, b packed in blocks that stay in the second cache.

For a block of columns and a part of the sums the rows of b are packed by all threads; then tiles of rows are multiplied
with the panels of the block in parallel. Each element of the out is summed up in the order of k, in parts of one fixed
length, so neither threads nor tiles change its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, StridedLayoutAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from hologram.dialects.atlas.gemm import GemmOp
from hologram.lowering.schedules import Target
from hologram.lowering.schedules.builder import Builder, Index
from hologram.lowering.schedules.gemm_few import FewTimesMatrix
from hologram.lowering.schedules.gemm_pack import BlockOfRight, Panels, clamped, pack_left, pack_right
from hologram.lowering.schedules.gemm_product import Product
from hologram.lowering.schedules.gemm_tile import Kept, Left, Part, Place, Right, Tile
from hologram.lowering.schedules.vectors import carried, multiply_add

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

        def step(k: Index, sums: list[SSAValue]) -> list[SSAValue]:
            x, y = product.element(0, batch, row, k), product.element(1, batch, k, column)
            return [multiply_add(b, wide, x, y, sums[0])]

        (total,) = carried(b, (0, product.k, 1), [b.constant(0, wide)], step, "k")
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
        for buffer in (sums, None if panels is None else panels.buffer):
            if buffer is not None:
                b.rw.emit(memref.DeallocOp.get(buffer))

    # Memory

    def _panels(self) -> Panels | None:
        """Memory for a packed block, none where it is known that it is not used."""
        if self.is_packed is False:
            return None
        b = self.b
        rows = b.mul(b.ceildiv(b.min(self.product.n, self.columns), self.width), self.depth)
        if not isinstance(self.is_packed, bool):
            rows = b.op(arith.SelectOp(self.is_packed, b.index(rows), b.index(0)))
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
            rows = b.op(arith.SelectOp(several, b.index(rows), b.index(0)))
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
