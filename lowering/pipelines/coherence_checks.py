"""The code of coherence checks: what is expected of a result, from the operands, and what stands in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from hologram.dialects.atlas.arrays.extension import flag
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import Kind, MapOp, ReduceOp, YieldOp
from hologram.dialects.atlas.arrays.products import QuantizedGemmOp
from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, dtype_of
from hologram.dialects.llvm import FenceOp
from hologram.dialects.shapes import shape_of
from hologram.dialects.verbs import Arith
from hologram.transforms.analysis.integer_ranges import Range, Ranges, elements, fits, region, whole
from hologram.transforms.arrays.array_forms import ArrayForms, Compute, Scalars, Size, axes
from hologram.transforms.arrays.residues import (
    MODULUS,
    SURVIVES,
    Chain,
    ResidueBuilder,
    chain_of,
    identity_element,
    term_of,
)

I32, I64 = DTYPES["i32"], DTYPES["i64"]
WHOLE = frozenset({8, 16, 32, 64})
"""The widths of integers that are checked."""


class Unchecked(Exception):
    """Says why an operation has no check."""


@dataclass(frozen=True)
class Limit:
    """Up to how many terms a sum can't wrap: None for any number. `terms` is how many there are."""

    terms: Size
    most: int | None

    @property
    def holds(self) -> bool | None:
        """Return whether it is known that nothing wraps, or that something may; None if the terms will tell."""
        if self.most is None:
            return True
        if isinstance(self.terms, int):
            return self.terms <= self.most
        # Of one term there is no sum to speak of.
        return None if self.most > 1 else False

    @property
    def text(self) -> str:
        """The moduli, for people."""
        if self.holds is None:
            return f"96 up to {self.most} terms, 16 and 32 beyond"
        return "96" if self.holds else "16 and 32"

    def modulus(self, forms: ArrayForms) -> SSAValue:
        """The modulus that the difference of two checksums is a multiple of; 16 divides the lesser one."""
        values = [forms.core.constant(m, i64) for m in (MODULUS, SURVIVES)]
        if self.holds is not None:
            return values[0] if self.holds else values[1]
        assert self.most is not None
        few = forms.core.compare("ule", forms.index(self.terms), forms.index(self.most))
        return forms.core.select(few, *values)


def terms_within(range: Range, dtype: DType, reserve: Range = (0, 0)) -> int | None:
    """Return how many numbers of a range may be added to one of `reserve` before the sum can leave a type; None if
    any."""
    least, greatest = whole(dtype)
    counts: list[int] = []
    if range[1] > 0:
        counts.append((greatest - max(reserve[1], 0)) // range[1])
    if range[0] < 0:
        counts.append((least - min(reserve[0], 0)) // range[0])
    return max(0, min(counts)) if counts else None


@dataclass(frozen=True)
class Factors:
    """A product alpha * a b + beta * c, and how its operands are read."""

    ins: Sequence[SSAValue]
    dtypes: Sequence[DType]
    out: SSAValue
    dtype: DType
    """Of the result."""
    transposed: tuple[bool, bool]
    alpha: int = 1
    beta: int = 1

    @staticmethod
    def of(op: GemmOp | QuantizedGemmOp) -> Factors:
        """Return the factors of an operation; raise Unchecked if its results are no plain sums of products of
        integers."""
        out = op.outs[0]
        if isinstance(op, QuantizedGemmOp):
            flips = flag(op.trans_a), flag(op.trans_b)
            return Factors(op.ins, [element.dtype for element in op.types], out, I32, flips)
        dtype = dtype_of(op.element)
        if dtype is None or not dtype.is_integer or dtype.bits not in WHOLE:
            raise Unchecked(f"its elements are {op.element}")
        alpha, beta = map(int, op.scales)
        return Factors(op.ins, [dtype] * len(op.ins), out, dtype, op.transposed, alpha, beta)

    @property
    def operands(self) -> list[tuple[SSAValue, DType]]:
        return list(zip(self.ins, self.dtypes, strict=True))

    @property
    def rank(self) -> int:
        return len(shape_of(self.out.type))


@dataclass(frozen=True)
class Check:
    """A check of one result: `expect` emits what is computed before the operation, `compare` what follows it."""

    limit: Limit
    what: str
    expect: Callable[[], None]
    compare: Callable[[], None]


class Checks:
    """Emits the checks of one operation through `forms`; `name` is what errors call it."""

    def __init__(self, forms: ArrayForms, name: str):
        self.forms, self.name = forms, name

    # Products

    def product(self, op: GemmOp | QuantizedGemmOp) -> list[Check]:
        """The rows of the result sum up to a times the row sums of b, the columns to the column sums of a times b."""
        factors = Factors.of(op)
        limit = self._product_limit(factors)
        return [self._along(factors, limit, rows=rows) for rows in (True, False)]

    def _product_limit(self, op: Factors) -> Limit:
        ranges = [whole(t) if (known := elements(v)) is None else known.read(t) for v, t in op.operands]
        corners = [op.alpha * x * y for x in ranges[0] for y in ranges[1]]
        added = [op.beta * x for x in ranges[2]] if len(ranges) == 3 else [0]
        reserve = min(added), max(added)
        if not fits(reserve, op.dtype):
            return Limit(0, -1)
        terms = self.forms.size(op.ins[0], op.rank - (2 if op.transposed[0] else 1))
        return Limit(terms, terms_within((min(corners), max(corners)), op.dtype, reserve))

    def _along(self, op: Factors, limit: Limit, *, rows: bool) -> Check:
        """The check of all rows, or of all columns."""
        forms, rank = self.forms, op.rank
        batch, (row, column, depth) = list(range(rank - 2)), (rank - 2, rank - 1, rank)
        kept = row if rows else column
        places = [[row, depth], [depth, column]]
        for place, flip in zip(places, op.transposed, strict=True):
            place.reverse() if flip else None
        # The operand that has the rows (or columns) that stay, and the other, whose vectors are summed up first.
        one, other = (0, 1) if rows else (1, 0)
        maps = [axes(rank + 1, *batch, *place) for place in places]
        sizes = forms.sizes(op.out)
        sizes = [*sizes[:-2], sizes[kept]]
        along = axes(rank, *batch, kept)
        expected: list[SSAValue] = []

        def expect() -> None:
            length = forms.size(op.ins[other], rank - 2 + places[other].index(depth))
            sums = forms.temporary([*sizes[:-1], length], I32)
            self._sum(op.operands[other], sums, [maps[other], axes(rank + 1, *batch, depth)], modulo=True)
            expected.append(forms.temporary(sizes, I64))
            before = [forms.temporary(sizes, I64)] if len(op.ins) == 3 else []
            if before:
                self._sum(op.operands[2], before[0], [AffineMap.identity(rank), along])

            def element(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
                x = identity_element(args[0], s, op.dtypes[one])
                return s.core.mul(x.value, s.cvt(I32, I64, args[1]))

            def finish(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
                total = _scaled(s, args[0], op.alpha)
                return total if not before else s.core.add(total, _scaled(s, args[1], op.beta))

            there = axes(rank + 1, *batch, kept)
            chosen = _without_gaps([maps[one], axes(rank + 1, *batch, depth), *([there] * len(before)), there])
            forms.sum([op.ins[one], sums], expected[0], chosen, I64, element, before, finish)

        def compare() -> None:
            differences = forms.temporary(sizes, I64)
            maps = [AffineMap.identity(rank), along, along]
            forms.sum([op.out], differences, maps, I64, _residue(op.dtype), expected, _difference)
            self._assert(differences, limit, "row" if rows else "column")

        return Check(limit, "row and column checksums", expect, compare)

    def _sum(
        self, operand: tuple[SSAValue, DType], out: SSAValue, maps: Sequence[AffineMap], *, modulo: bool = False
    ) -> None:
        """Sums of elements; `modulo` keeps their residues."""
        value, dtype = operand

        def finish(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return s.cvt(I64, I32, s.core.srem(args[0], MODULUS)) if modulo else args[0]

        self.forms.sum([value], out, _without_gaps(maps), I64, _residue(dtype), (), finish)

    # Maps and sums

    def map(self, op: MapOp) -> list[Check]:
        """The residues of each row of a result sum up to those of its expressions."""
        ranges = region(op)
        end = op.body.block.last_op
        assert isinstance(end, YieldOp)
        chains = [(out, chain_of(v, ranges)) for out, v in zip(op.outs, end.values, strict=True)]
        maps = dict(zip(op.outs, op.maps[len(op.ins) :], strict=True))
        return [self._rows(op, out, maps[out], chain, ranges) for out, chain in chains if chain is not None]

    def _rows(self, op: MapOp, out: SSAValue, place: AffineMap, chain: Chain, ranges: Ranges) -> Check:
        forms, rank = self.forms, op.num_loops
        limit = Limit(0, None if chain.exact else -1)
        sizes = forms.sizes(out)
        # All of an array of rank 1 at once; of one without axes its element.
        kept = AffineMap(rank, 0, place.results[:-1])
        expected: list[SSAValue] = []

        element = _again(op.body.block, chain.value, chain.dtype, ranges)

        def expect() -> None:
            target = forms.temporary(sizes[:-1], I64)
            # The out is there for the extents of the loops alone.
            self._total([*op.ins, out], target, [*op.maps[: len(op.ins)], place, kept], element)
            expected.append(target)

        def compare() -> None:
            differences = forms.temporary(sizes[:-1], I64)
            all, rows = AffineMap.identity(len(sizes)), axes(len(sizes), *range(len(sizes) - 1))
            self._total([out], differences, [all, rows, rows], _residue(chain.dtype), expected)
            self._assert(differences, limit, "row")

        return Check(limit, "checksums of rows", expect, compare)

    def _total(
        self, ins: Sequence[SSAValue], out: SSAValue, maps: Sequence[AffineMap], element: Compute,
        less: Sequence[SSAValue] = (),
    ) -> None:  # fmt: skip
        """Sums of elements, less those of another array; of arrays without axes the elements themselves."""
        forms = self.forms

        def finish(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return args[0] if not less else _difference(s, args)

        if maps[0].num_dims:
            forms.sum(ins, out, maps, I64, element, less, finish)
            return

        def both(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
            return finish(s, [element(s, args[: len(ins)]), *args[len(ins) :]])

        forms.map([*ins, *less], out, maps, both)

    def reduction(self, op: ReduceOp) -> list[Check]:
        """The residue of each sum is the sum of the residues."""
        ranges = region(op)
        end = op.body.block.last_op
        assert isinstance(end, YieldOp)
        for kind, dtype in op.combiners:
            if not dtype.is_integer or dtype.bits not in WHOLE:
                raise Unchecked(f"it combines {dtype.name}")
            if kind not in (Kind.add, Kind.mul):
                raise Unchecked(f"it combines by {kind.value}")
        if op.finish.blocks:
            raise Unchecked("its finish region changes the sums")
        return [self._combined(op, number, value, ranges) for number, value in enumerate(end.values)]

    def _combined(self, op: ReduceOp, number: int, value: SSAValue, ranges: Ranges) -> Check:
        forms, (kind, dtype), out = self.forms, op.combiners[number], op.outs[number]
        chain = term_of(value, ranges, dtype)
        if chain is None:
            raise Unchecked("what it combines is not to be computed again")
        place = op.out_maps[number]
        expected: list[SSAValue] = []
        sizes = forms.sizes(out)

        limit = Limit(0, -1)
        if chain.exact and kind is Kind.add:
            limit = Limit(self._terms(op), terms_within(ranges.read(value, dtype), dtype))

        def expect() -> None:
            target = forms.temporary(sizes, I64)
            body = forms.region(op.ins, _again(op.body.block, chain.value, dtype, ranges))
            maps = [*op.maps[: len(op.ins)], place]
            # Products of residues wrap at 64 bits, as sums of wrapped numbers do: that keeps them modulo 32.
            forms.array(ReduceOp([(kind, I64)], op.ins, [target], maps, body), target)
            expected.append(target)

        def compare() -> None:
            differences = forms.temporary(sizes, I64)
            same = AffineMap.identity(len(sizes))

            def less(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
                return s.core.sub(identity_element(args[0], s, dtype).value, args[1])

            forms.map([out, expected[0]], differences, [same, same, same], less)
            self._assert(differences, limit, "sum")

        # The expected sums lie as the out does, whatever the order of the dimensions.
        return Check(limit, "residues of the sums", expect, compare)

    def _terms(self, op: ReduceOp) -> Size:
        sizes: list[Size] = []
        for dim in op.reduction_dims:
            source = op.extent_source(dim)
            assert source is not None
            sizes.append(self.forms.size(op.operands[source[0]], source[1]))
        return self.forms.product(sizes)

    # Comparison

    def _assert(self, differences: SSAValue, limit: Limit, what: str) -> None:
        """Traps on the first difference that is no multiple of the modulus, with its number and the residue."""
        forms = self.forms
        count = forms.product(forms.sizes(differences))
        flat = forms.reshape(differences, [count])
        modulus = limit.modulus(forms)
        zero = forms.core.constant(0, i64)
        block = Block(arg_types=[IndexType()])
        (index,) = block.args
        index.name_hint = what
        core = Arith(block.add_op)
        value = core.op(memref.LoadOp.get(flat, [index]))
        # Twice, for the remainder of a negative number is negative.
        rest = core.srem(core.add(core.srem(value, modulus), modulus), modulus)
        moduli = {True: "96", False: "32", None: "96, or 32 of many terms,"}[limit.holds]
        text = f"{self.name}: the checksum of a {what} of the result differs modulo {moduli}"
        block.add_ops([AssertOp(core.compare("eq", rest, zero), text, index, [index, rest]), scf.YieldOp()])
        bounds = [forms.index(v) for v in (0, count, 1)]
        forms.emit(scf.ForOp(bounds[0], bounds[1], bounds[2], [], Region(block)))


def barrier() -> Operation:
    """Return the fence that keeps stored results from being passed on in registers: what follows reads memory."""
    return FenceOp("seq_cst", "singlethread")


def _residue(dtype: DType) -> Compute:
    """The residue of an element."""
    return lambda s, args: identity_element(args[0], s, dtype).value


def _again(block: Block, value: SSAValue, dtype: DType, ranges: Ranges) -> Compute:
    """Computes the small residue of a value of a region, from the elements that the region takes."""

    def compute(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        builder = ResidueBuilder(s, ranges, dict[SSAValue, SSAValue](zip(block.args, args, strict=False)))
        return builder.small(builder.of(value, dtype)).value

    return compute


def _difference(s: Scalars, args: Sequence[SSAValue]) -> SSAValue:
    return s.core.sub(args[0], args[1])


def _scaled(s: Scalars, value: SSAValue, factor: int) -> SSAValue:
    return value if factor == 1 else s.core.mul(value, factor)


def _without_gaps(maps: Sequence[AffineMap]) -> list[AffineMap]:
    """Maps to plain dimensions, without those that none uses."""
    used = sorted({d for map in maps for d in map.used_dims()})
    return [axes(len(used), *(used.index(e.position) for e in m.results if isinstance(e, AffineDimExpr))) for m in maps]
