"""`atlas.attention` and `atlas.flash_attention`: for some queries at a time two products and a softmax between.

The queries are scaled and the keys transposed first, so that products read their operands where they lie. A tile's
scores stay in the second cache; flash_attention has those of a block of keys alone, and scales what came before.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from hologram.dialects.atlas.arrays.attention import AttendOp, FlashAttentionOp
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import Kind, ReduceOp
from hologram.dialects.atlas.arrays.named import SoftmaxOp, integer_attr
from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.lowering.arrays.decompositions.parts import Parts, wide_of
from hologram.lowering.rewriting.kernel_builder import Index, dtype_in
from hologram.transforms.arrays.array_forms import ArrayForms, Scalars, axes

TILE = 96
"""The queries that are taken at a time: a multiple of the rows of the products' tiles."""


class _Attention:
    def __init__(self, b: Parts, op: AttendOp):
        self.b, self.op = b, op
        self.q, k, v, *mask = (b.rw.value(x) for x in op.ins)
        self.mask = mask
        self.stored = dtype_in(self.q)
        self.wide = wide_of(self.stored)
        *self.batch, self.queries, self.depth = b.sizes(self.q)
        self.keys, self.width = b.sizes(k)[-2], b.sizes(v)[-1]
        self.out = b.rw.value(op.outs[0])
        self.k = self._transposed(k)
        self.v = b.forms.widened(v, self.wide)
        self.scale = self._scale()

    def _transposed(self, k: SSAValue) -> SSAValue:
        """The keys as the columns of a matrix."""
        rank = len(self.batch) + 2
        out = self.b.forms.temporary([*self.batch, self.depth, self.keys], self.wide)
        order = [*range(rank - 2), rank - 1, rank - 2]
        read = AffineMap(rank, 0, tuple(AffineExpr.dimension(d) for d in order))
        maps = [read, AffineMap.identity(rank)]
        return self.b.forms.map([k], out, maps, lambda s, args: s.cvt(self.stored, self.wide, args[0]))

    def _scale(self) -> SSAValue:
        b, given, f64 = self.b, self.op.scale, DTYPES["f64"]
        if given is not None:
            return b.constant(given.value.data, self.wide)
        if isinstance(self.depth, int):
            return b.constant(max(self.depth, 1) ** -0.5, self.wide)
        root = b.of(f64).apply("sqrt", b.forms.number(self.depth, f64))
        return b.cvt(f64, self.wide, b.of(f64).div(1.0, root))

    def emit(self) -> None:
        b = self.b
        with b.parallel([*self.batch, b.ceildiv(self.queries, TILE)], name="tile") as (*batch, tile):
            first = b.mul(tile, TILE)
            count = b.min(b.sub(self.queries, first), TILE)
            # As one loop of one iteration where that is known.
            forms = b.new_forms()
            queries = self._scaled(forms, batch, first, count)
            seen = self._seen(first, count)
            if isinstance(self.op, FlashAttentionOp):
                self._by_blocks(forms, batch, first, count, queries, seen, self.op.block)
            else:
                self._at_once(forms, batch, first, count, queries, seen)
            forms.free()
        b.forms.free()

    def _scaled(self, forms: ArrayForms, batch: Sequence[Index], first: Index, count: Index) -> SSAValue:
        """The tile's queries, times the scale."""
        b = self.b
        out = forms.temporary([count, self.depth], self.wide)
        with b.loop(0, count, name="i") as i, b.loop(0, self.depth, name="d", vector=True) as d:
            value = b.cvt(self.stored, self.wide, b.load(self.q, [*batch, b.add(first, i), d]))
            b.store(b.of(self.wide).mul(value, self.scale), out, [i, d])
        return out

    def _seen(self, first: Index, count: Index) -> Index:
        """Emit how many keys the tile's last query sees; one at least, so that one that sees none gives NaN."""
        b = self.b
        if not self.op.is_causal:
            return self.keys
        return b.min(b.max(self._limit(b.add(first, count)), 1), self.keys)

    def _limit(self, end: Index) -> Index:
        """Emit how many keys query `end` - 1 sees."""
        b = self.b
        return b.sub(b.max(b.add(end, self.keys), self.queries), self.queries)

    def _scores(
        self, batch: Sequence[Index], queries: SSAValue, scores: SSAValue, place: tuple[Index, Index, Index, Index]
    ) -> None:  # fmt: skip
        """scale * q k^T + mask for some queries and keys: (first query, how many, first key, how many)."""
        b = self.b
        first, count, key, width = place
        keys = b.part(self.k, [*batch, 0, key], [*([1] * len(batch)), self.depth, width], dropped=len(batch))
        self._product(queries, keys, scores)
        for mask in self.mask:
            outer = list(batch) if len(b.sizes(mask)) > 2 else list[Index]()
            with b.loop(0, count, name="i") as i, b.loop(0, width, name="j", vector=True) as j:
                added = b.load(mask, [*outer, b.add(first, i), b.add(key, j)])
                total = scalar.AddOp(self.wide, b.load(scores, [i, j]), b.cvt(self.stored, self.wide, added))
                b.store(b.op(total), scores, [i, j])
        if not self.op.is_causal:
            return
        nothing = b.constant(-float("inf"), self.wide)
        with b.loop(0, count, name="i") as i:
            limit = self._limit(b.add(b.add(first, i), 1))
            start = b.min(b.sub(b.max(limit, key), key), width)
            with b.loop(start, width, name="j", vector=True) as j:
                b.store(nothing, scores, [i, j])

    def _product(self, a: SSAValue, c: SSAValue, out: SSAValue, *, is_stored: bool = False, adds: bool = False) -> None:
        finish = None
        if is_stored and self.stored is not self.wide:
            finish = self.b.forms.region(
                [], lambda s, args: s.cvt(self.wide, self.stored, args[0]), [self.wide.ir]
            )  # fmt: skip
        gemm = GemmOp([a, c, out] if adds else [a, c], [out], (), (), finish)
        gemm.attributes["schedule"] = DictionaryAttr({"small": integer_attr(1 << 18)})
        self.b.array(gemm)

    def _values(self, batch: Sequence[Index], key: Index, width: Index) -> SSAValue:
        sizes = [*([1] * len(batch)), width, self.width]
        return self.b.part(self.v, [*batch, key, 0], sizes, dropped=len(batch))

    def _target(self, batch: Sequence[Index], first: Index, count: Index) -> SSAValue:
        sizes = [*([1] * len(batch)), count, self.width]
        return self.b.part(self.out, [*batch, first, 0], sizes, dropped=len(batch))

    def _at_once(
        self, forms: ArrayForms, batch: Sequence[Index], first: Index, count: Index, queries: SSAValue, seen: Index
    ) -> None:  # fmt: skip
        scores = forms.temporary([count, seen], self.wide)
        self._scores(batch, queries, scores, (first, count, 0, seen))
        self.b.array(SoftmaxOp([scores], [scores], axis=integer_attr(1)))
        self._product(scores, self._values(batch, 0, seen), self._target(batch, first, count), is_stored=True)

    # Blocks of keys

    def _by_blocks(
        self, forms: ArrayForms, batch: Sequence[Index], first: Index, count: Index, queries: SSAValue, seen: Index,
        block: int,
    ) -> None:  # fmt: skip
        b, wide = self.b, self.wide
        sums, total, most, change = (
            forms.temporary([count, self.width], wide), *(forms.temporary([count], wide) for _ in range(3))
        )  # fmt: skip
        with b.loop(0, count, name="i") as i:
            b.store(b.constant(0.0, wide), total, [i])
            b.store(b.constant(-float("inf"), wide), most, [i])
            with b.loop(0, self.width, name="j", vector=True) as j:
                b.store(b.constant(0.0, wide), sums, [i, j])
        with b.loop(0, seen, block, name="block") as key:
            width = b.min(b.sub(seen, key), block)
            inner = b.new_forms()
            scores = inner.temporary([count, width], wide)
            self._scores(batch, queries, scores, (first, count, key, width))
            self._powers(inner, scores, total, most, change)
            with b.loop(0, count, name="i") as i:
                factor = b.load(change, [i])
                with b.loop(0, self.width, name="j", vector=True) as j:
                    b.store(b.of(wide).mul(b.load(sums, [i, j]), factor), sums, [i, j])
            self._product(scores, self._values(batch, key, width), sums, adds=True)
            inner.free()
        out, empty = self._target(batch, first, count), b.compare("eq", self.keys, 0)
        with b.loop(0, count, name="i") as i:
            divisor = b.core.select(empty, b.constant(1.0, wide), b.load(total, [i]))
            with b.loop(0, self.width, name="j", vector=True) as j:
                value = b.of(wide).div(b.load(sums, [i, j]), divisor)
                b.store(b.cvt(wide, self.stored, value), out, [i, j])

    def _powers(self, forms: ArrayForms, scores: SSAValue, total: SSAValue, most: SSAValue, change: SSAValue) -> None:
        """exp(score - maximum) in place; the sums, the maxima and the factor of what came before follow."""
        wide, b = self.wide, self.b
        rows = forms.temporary(b.sizes(total), wide)
        row, all = axes(2, 0), axes(2, 0, 1)
        body = forms.region([scores], lambda s, args: args[0])
        b.array(ReduceOp([(Kind.max, wide)], [scores], [rows], [all, row], body))

        def greatest(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.of(wide).max(args[0], args[1])

        def factor(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.of(wide).apply("exp", s.of(wide).sub(args[0], self._finite(s, greatest(s, args))))

        def power(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.of(wide).apply("exp", s.of(wide).sub(args[0], self._finite(s, args[1])))

        def updated(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            sum, before, scaled = args
            return s.of(wide).add(s.of(wide).mul(before, scaled), sum)

        one = axes(1, 0)
        forms.map([most, rows], change, [one] * 3, factor)
        forms.map([most, rows], most, [one] * 3, greatest)
        forms.map([scores, most], scores, [all, row, all], power)
        same = forms.region([scores], lambda s, args: args[0])
        finish = forms.region([total, change], updated, [wide.ir])
        maps = [all, row, row, row]
        b.array(ReduceOp([(Kind.add, wide)], [scores], [total], maps, same, [total, change], finish))

    def _finite(self, s: Scalars, most: SSAValue) -> SSAValue:
        """A maximum of -inf, of scores that are all left out, is no number to subtract: 0 instead."""
        wide = self.wide
        nothing = s.of(wide).compare("eq", most, -float("inf"))
        return s.of(wide).select(nothing, 0.0, most)


def decompose_attention(b: Parts, op: AttendOp) -> None:
    """Tiles of queries in parallel."""
    _Attention(b, op).emit()
