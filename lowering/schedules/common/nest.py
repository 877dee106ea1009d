"""The iteration space of a map or reduce at the kernel level: operands, extents, merged dimensions, and tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineDimExpr, AffineExpr

from hologram.dialects.atlas.arrays.general import DYNAMIC, GenericOp, element_type, shape_of, within
from hologram.dialects.shapes import is_endless
from hologram.lowering.rewriting.kernel_builder import Builder, Index, is_dense, is_memref


@dataclass
class Access:
    """An operand and the elements it is read or written at; a scalar has no indices, the indices of an `atlas.iota`
    have no memory."""

    value: SSAValue
    exprs: tuple[AffineExpr, ...]

    @property
    def innermost(self) -> int | None:
        """The dimension that indexes the innermost axis in memory, if one does."""
        if is_endless(self.value.type):
            return None
        last = self.exprs[-1] if self.exprs else None
        if isinstance(last, AffineBinaryOpExpr) and last == within(last.lhs):
            last = last.lhs
        return last.position if isinstance(last, AffineDimExpr) else None

    def uses(self, dim: int) -> bool:
        return any(dim in e.used_dims() for e in self.exprs)

    def load(self, b: Builder, dims: Sequence[Index]) -> SSAValue:
        """The element at the given dimensions."""
        if is_endless(self.value.type):
            return b.index_as(b.affine(self.exprs[0], dims), element_type(self.value.type))
        if not is_memref(self.value):
            return self.value
        return b.load(self.value, [b.affine(e, dims) for e in self.exprs])

    def store(self, b: Builder, value: SSAValue, dims: Sequence[Index]) -> None:
        """Stores the element at the given dimensions."""
        b.store(value, self.value, [b.affine(e, dims) for e in self.exprs])


@dataclass
class Nest:
    """Loops 0..n-1 with their extents, and the accesses in the order of the op's operands."""

    extents: list[Index]
    accesses: list[Access]

    @staticmethod
    def of(b: Builder, op: GenericOp, order: Sequence[int]) -> Nest:
        """The nest of `op`, with its dimensions renumbered: dimension i is the op's `order[i]`."""
        values = [v if is_endless(v.type) else b.rw.value(v) for v in op.operands]
        position = {old: new for new, old in enumerate(order)}
        renamed = [AffineExpr.dimension(position[d]) for d in range(len(order))]
        maps = [m.replace_dims_and_symbols(renamed, [], len(order), 0) for m in op.maps]
        extents: list[Index] = []
        for dim in order:
            source = op.extent_source(dim)
            assert source is not None
            operand, axis = source
            size = shape_of(op.operands[operand].type)[axis]
            extents.append(b.size(values[operand], axis) if size == DYNAMIC else size)
        return Nest(extents, [Access(v, m.results) for v, m in zip(values, maps, strict=True)])

    def merged(self, b: Builder, barriers: Sequence[int] = ()) -> tuple[Nest, list[int]]:
        """Merges neighbouring dimensions that every operand walks densely; none across a dimension in `barriers`.

        Gives the new dimension of each old one too.
        """
        groups: list[list[int]] = []
        for dim in range(len(self.extents)):
            if dim and dim not in barriers and all(_walks(a, dim - 1) for a in self.accesses):
                groups[-1].append(dim)
            else:
                groups.append([dim])
        group_of = [n for n, group in enumerate(groups) for _ in group]
        if len(groups) == len(self.extents):
            return self, group_of
        extents = [b.product([self.extents[d] for d in group]) for group in groups]
        return Nest(extents, [_merge(b, a, group_of) for a in self.accesses]), group_of


class OuterFirst:
    """A base for code on a nest whose first `parallel` dimensions number the outputs."""

    nest: Nest
    parallel: int

    @property
    def outer(self) -> Sequence[Index]:
        """The extents of the outputs."""
        return self.nest.extents[: self.parallel]

    @property
    def inner(self) -> Sequence[Index]:
        """The extents of what each output is made of."""
        return self.nest.extents[self.parallel :]


def axis_last(b: Builder, axis: int, *values: SSAValue) -> Nest:
    """Loops over the axes of the first value with `axis` last, the others merged where they can be; values that lack
    the axis are indexed by the others."""
    rank = len(b.sizes(values[0]))
    order = [d for d in range(rank) if d != axis] + [axis]
    same = [v for v in values if len(b.sizes(v)) == rank]
    sizes = [[b.size(v, d) for v in same] for d in order]
    extents = [next((s for s in known if isinstance(s, int)), known[0]) for known in sizes]
    dims = [AffineExpr.dimension(order.index(d)) for d in range(rank)]
    exprs = [tuple(dims if v in same else dims[:axis] + dims[axis + 1 :]) for v in values]
    accesses = [Access(v, e) for v, e in zip(values, exprs, strict=True)]
    return Nest(extents, accesses).merged(b, barriers=[rank - 1])[0]


@dataclass(frozen=True)
class OutputTile:
    """Neighbouring outputs along their last dimension that are computed at once; a tile of 1 is a single output."""

    b: Builder
    first: Sequence[Index]
    """The indices of the first of them."""
    width: Index
    """How many of the tile there are."""
    size: int

    def at(self, t: Index, *inner: Index) -> list[Index]:
        """The indices of an output by its number in the tile, and indices inside of it."""
        if self.size == 1:
            return [*self.first, *inner]
        return [*self.first[:-1], self.b.add(self.first[-1], t), *inner]


def tile_of(size: int, bits: int) -> int:
    """How many values of so many bits take the room of `size` values of 64 bits, one at least: tiles lie on stacks."""
    return max(size * 64 // max(bits, 64), 1)


def tile_across(nest: Nest, size: int) -> int:
    """The rows that are worth computing at once: `size` where neighbours in memory lie in neighbouring rows."""
    last = len(nest.extents) - 1
    return size if last > 0 and nest.accesses[0].innermost == last - 1 else 1


def for_each_tile(b: Builder, extents: Sequence[Index], size: int, body: Callable[[OutputTile], None]) -> None:
    """Loops over outputs, the last dimension in tiles: full ones of a size known to LLVM, then what remains."""
    if size == 1 or not extents:
        with b.parallel(extents, name="i") as indices:
            body(OutputTile(b, indices, 1, 1))
        return
    last = extents[-1]
    if isinstance(last, int) and last <= size:
        with b.parallel(extents[:-1], name="i") as indices:
            body(OutputTile(b, [*indices, 0], last, last))
        return
    full = b.div(last, size)
    with b.parallel([*extents[:-1], b.mul(full, size)], [1] * (len(extents) - 1) + [size], name="i") as indices:
        body(OutputTile(b, indices, size, size))
    if isinstance(last, int) and last % size == 0:
        return
    with b.parallel(extents[:-1], name="i") as indices, b.loop(b.mul(full, size), last, size, name="i") as start:
        body(OutputTile(b, [*indices, start], b.sub(last, start), size))


def _walks(access: Access, dim: int) -> bool:
    """Return whether `dim` and the next, if used at all, index neighbouring axes of a dense operand."""
    if not access.uses(dim) and not access.uses(dim + 1):
        return True
    if not is_memref(access.value) or not is_dense(access.value):
        return False
    users = [axis for axis, e in enumerate(access.exprs) if e.used_dims() & {dim, dim + 1}]
    pair = (AffineDimExpr(dim), AffineDimExpr(dim + 1))
    return len(users) == 2 and users[1] == users[0] + 1 and tuple(access.exprs[a] for a in users) == pair


def _merge(b: Builder, access: Access, group_of: Sequence[int]) -> Access:
    groups: list[list[int]] = []
    exprs: list[AffineExpr] = []
    renamed = [AffineExpr.dimension(g) for g in group_of]
    previous: AffineExpr | None = None
    for axis, expr in enumerate(access.exprs):
        joins = (
            isinstance(expr, AffineDimExpr) and isinstance(previous, AffineDimExpr)
            and expr.position == previous.position + 1 and group_of[expr.position] == group_of[previous.position]
        )  # fmt: skip
        if joins:
            groups[-1].append(axis)
        else:
            groups.append([axis])
            exprs.append(expr.replace_dims_and_symbols(renamed, []))
        previous = expr
    value = b.collapse(access.value, groups) if is_memref(access.value) else access.value
    return Access(value, tuple(exprs))
