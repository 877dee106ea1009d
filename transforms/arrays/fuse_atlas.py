"""`fuse-atlas`: element-wise chains become one map; producers and consumers join reductions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import GenericOp, MapOp, ReduceOp, YieldOp, within
from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.atlas.instructions.scalar import CvtOp
from hologram.dialects.shapes import DYNAMIC, is_endless, shape_of
from hologram.support.walking import operations

MOVE, CHEAP, MODERATE, DEAR = 0, 1, 4, 10
"""Rough costs of an element: nothing computed, an addition, a division, a transcendental."""
AGAIN = 2
"""What may be computed again rather than stored and loaded."""
_MODERATE = {"div", "rem", "sqrt", "rcp", "fma", "fms", "lerp", "clamp"}
MAX_USES = 4
"""How often something cheap may be computed."""
MAX_COST = 256
"""What a body may cost that still computes again what others compute: work would grow with the square of a program."""
MAX_OPERANDS = 24
"""A fused operation with more operands than this would run out of registers."""


@dataclass(frozen=True)
class FuseAtlasPass(ModulePass):
    """Inlines producer maps into the maps and reductions that read them, and maps that read only a reduction's or a
    product's result into its finish region, in value form.

    A producer is inlined where it is not computed more often than before, or is cheap to compute again; it is never
    computed again when some use needs it stored anyway, unless it only moves elements. Each fused element is the value
    that the unfused program gives, to the bit.

    Before::

        %s = atlas.map ins(%a, %b) ... { add }
        %r = atlas.map ins(%s) ... { relu }

    After::

        %r = atlas.map ins(%a, %b) ... { add; relu }
    """

    name = "fuse-atlas"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in operations(op):
            if isinstance(function, func.FuncOp):
                for block in function.body.blocks:
                    _fuse_block(block)
            elif isinstance(function, scf.ForOp | scf.WhileOp | scf.IfOp):
                for region in function.regions:
                    for block in region.blocks:
                        _fuse_block(block)


def _fuse_block(block: Block) -> None:
    """Visits consumers from last to first; a fused consumer is visited again."""
    places = {op: place for place, op in enumerate(block.ops)}
    op = block.last_op
    while op is not None:
        fused = _fuse(op, places) if isinstance(op, MapOp | ReduceOp) and op.is_value_form else None
        if fused is not None:
            op = fused
            continue
        previous = op.prev_op
        if isinstance(op, MapOp | ReduceOp) and _is_dead(op):
            Rewriter.erase_op(op)
        op = previous


def _fuse(consumer: MapOp | ReduceOp, places: Mapping[Operation, int]) -> MapOp | ReduceOp | GemmOp | None:
    """Inlines the last producer that may be, or joins the reduction or product it finishes; gives the new consumer.

    The last one comes first: what it reads is then one operand with what the consumer reads of the same value, and is
    inlined once. In another order a chain whose steps read the one before twice would double at each step.
    """
    merge_equal(consumer)
    owners = [value.owner for value in consumer.inputs]
    for number in sorted(range(len(owners)), key=lambda n: -places.get(cast("Operation", owners[n]), -1)):
        producer = owners[number]
        if isinstance(producer, MapOp) and _may_inline(producer, consumer, number):
            return _inline(producer, consumer, number)
    if isinstance(consumer, MapOp):
        for number, value in enumerate(consumer.ins):
            producer = value.owner
            if not isinstance(producer, ReduceOp | GemmOp) or producer.parent is not consumer.parent:
                continue
            if isinstance(producer, ReduceOp) and _may_finish(producer, consumer, number):
                return _finish(producer, consumer, number)
            if isinstance(producer, GemmOp) and _may_finish_gemm(producer, consumer, number):
                return _finish_gemm(producer, consumer, number)
    return None


def _is_dead(op: GenericOp) -> bool:
    return op.is_value_form and not any(r.uses for r in op.results) and is_side_effect_free(op)


# Producers


def cost(block: Block) -> int:
    """The cost of one element of a body."""
    total = MOVE
    for op in block.ops:
        if isinstance(op, ScalarOp):
            name = op.INSTRUCTION.name
            total += DEAR if not op.INSTRUCTION.exact else MODERATE if name in _MODERATE else CHEAP
        elif isinstance(op, CvtOp):
            total += CHEAP
    return total


def _may_inline(producer: MapOp, consumer: MapOp | ReduceOp, number: int) -> bool:
    if len(producer.results) != 1 or len(producer.ins) + len(consumer.operands) > MAX_OPERANDS:
        return False
    composed = zip(producer.ins, _composed(producer, consumer, number), strict=True)
    if not _keeps_extents(consumer, number, [m for value, m in composed if not is_endless(value.type)]):
        return False
    price, once = cost(producer.body.block), _is_once(consumer, number)
    if price > AGAIN and producer.parent is not consumer.parent:
        return False  # A loop would compute it in each step.
    if not once and not is_side_effect_free(producer):
        return False  # an element that is never read would no longer trap
    if price == MOVE:
        return True
    uses = list(producer.results[0].uses)
    if len(uses) == 1:
        return once or price <= AGAIN
    if price > AGAIN or len(uses) > MAX_USES or cost(consumer.body.block) > MAX_COST:
        return False
    return all(_reads(use.operation, producer.results[0]) for use in uses)


def _is_once(consumer: MapOp | ReduceOp, number: int) -> bool:
    """Return whether operand `number` is read at every index, and at each just once."""
    dims = [e.position for e in consumer.maps[number].results if isinstance(e, AffineDimExpr)]
    finishes = isinstance(consumer, ReduceOp) and number >= len(consumer.ins)
    loops = len(consumer.parallel_dims) if isinstance(consumer, ReduceOp) and finishes else consumer.num_loops
    return len(consumer.maps[number].results) == len(dims) == len(set(dims)) == loops


def _reads(user: Operation, value: SSAValue) -> bool:
    """Return whether `user` reads `value` as an element that a fused body could compute."""
    return isinstance(user, GenericOp) and value not in user.outs


def _composed(producer: MapOp, consumer: GenericOp, number: int) -> list[AffineMap]:
    """The maps of the producer's ins over the consumer's loops."""
    order = producer.maps[-1].inverse_permutation()
    assert order is not None
    loops = compose(order, consumer.maps[number])
    return [compose(m, loops) for m in producer.maps[: len(producer.ins)]]


def compose(outer: AffineMap, inner: AffineMap) -> AffineMap:
    """`outer` after `inner`. Only a chain of bare dimensions is one: by chance alone, it need not cover its axis."""
    results: list[AffineExpr] = []
    for expr in outer.results:
        whole = isinstance(expr, AffineDimExpr) and isinstance(inner.results[expr.position], AffineDimExpr)
        moved = _stripped(expr.replace_dims_and_symbols(inner.results, []))
        results.append(within(moved) if isinstance(moved, AffineDimExpr) and not whole else moved)
    return AffineMap(inner.num_dims, 0, tuple(results))


def _stripped(expr: AffineExpr) -> AffineExpr:
    """The expression without divisions by one."""
    if not isinstance(expr, AffineBinaryOpExpr):
        return expr
    left, right = _stripped(expr.lhs), _stripped(expr.rhs)
    if expr.kind is AffineBinaryOpKind.FloorDiv and right == AffineConstantExpr(1):
        return left
    return AffineExpr.binary(expr.kind, left, right)


def _keeps_extents(consumer: GenericOp, number: int, maps: list[AffineMap]) -> bool:
    """Return whether every loop still has an operand of a size indexed by it alone; `maps` are those that come in."""
    operands = enumerate(zip(consumer.operands, consumer.maps, strict=True))
    kept = [m for i, (value, m) in operands if i != number and not is_endless(value.type)] + maps
    return len({e for m in kept for e in m.results if isinstance(e, AffineDimExpr)}) == consumer.num_loops


def _inline(producer: MapOp, consumer: MapOp | ReduceOp, number: int) -> MapOp | ReduceOp:
    """The consumer with operand `number` computed by the producer's body."""
    maps, ins_count = list(consumer.maps), len(consumer.ins)
    maps[number : number + 1] = _composed(producer, consumer, number)
    ins = list(consumer.ins)
    finish_ins = list(consumer.finish_ins) if isinstance(consumer, ReduceOp) else []
    if isinstance(consumer, ReduceOp) and number >= ins_count:
        place = number - ins_count
        _inline_body(producer.body.block, consumer.finish.block, place + len(consumer.kinds))
        finish_ins[place : place + 1] = producer.ins
    else:
        _inline_body(producer.body.block, consumer.body.block, number)
        ins[number : number + 1] = producer.ins
    fused = _rebuild(consumer, ins, finish_ins, maps)
    merge_equal(fused)
    if not producer.results[0].uses:
        Rewriter.erase_op(producer)  # one that may trap was taken over element by element
    return fused


def _inline_body(source: Block, target: Block, position: int) -> None:
    """Copies `source`'s operations to the start of `target`, where argument `position` is replaced by its arguments."""
    first = target.first_op
    assert first is not None
    args = [target.insert_arg(a.type, position + 1 + i, a.location) for i, a in enumerate(source.args)]
    mapping: dict[SSAValue, SSAValue] = dict(zip(source.args, args, strict=True))
    for op in source.ops:
        if isinstance(op, YieldOp):
            result = mapping.get(op.values[0], op.values[0])
            target.args[position].replace_all_uses_with(result)
        else:
            target.insert_op_before(op.clone(mapping), first)
    target.erase_arg(target.args[position])


def _rebuild(
    op: MapOp | ReduceOp, ins: Sequence[SSAValue], finish_ins: Sequence[SSAValue], maps: Sequence[AffineMap]
) -> MapOp | ReduceOp:
    """The operation with other operands and its own regions, in its place."""
    new: MapOp | ReduceOp
    if isinstance(op, ReduceOp):
        finish = op.detach_region(op.finish)
        new = ReduceOp(op.combiners, ins, op.outs, maps, op.detach_region(op.body), finish_ins, finish)
    else:
        new = MapOp(ins, op.outs, maps, op.detach_region(op.body))
    _replace(op, new)
    return new


def _replace(op: Operation, new: Operation) -> None:
    assert op.parent is not None
    new.location = op.location
    new.attributes.update(op.attributes)
    op.parent.insert_op_before(new, op)
    for old, fresh in zip(op.results, new.results, strict=True):
        fresh.name_hint = old.name_hint
        old.replace_all_uses_with(fresh)
    Rewriter.erase_op(op)


# Operands that say the same


def merge_equal(op: MapOp | ReduceOp) -> None:
    """One operand for operands of the same value and map within a group, and none for what nothing reads."""
    groups = [(op.body.block, 0, 0, len(op.ins))]
    if isinstance(op, ReduceOp) and op.finish.blocks:
        groups.append((op.finish.block, len(op.kinds), len(op.ins), len(op.finish_ins)))
    for block, skip, start, count in reversed(groups):
        for i in reversed(range(count)):
            _merge(op, block, skip, start, i)


def _merge(op: MapOp | ReduceOp, block: Block, skip: int, start: int, i: int) -> None:
    """Drops operand `i` of a group if an earlier one says the same, or if it is not read."""
    values, maps = op.operands[start:], op.maps[start:]
    equal = next((j for j in range(i) if (values[j], maps[j]) == (values[i], maps[i])), None)
    arg = block.args[skip + i]
    if equal is not None:
        arg.replace_all_uses_with(block.args[skip + equal])
    elif arg.first_use is not None or not _is_spare(op, start + i):
        return
    block.erase_arg(arg)
    _drop_operand(op, start + i)


def _is_spare(op: GenericOp, number: int) -> bool:
    """Return whether other operands tell the extents of the loops just as well."""
    if is_endless(op.operands[number].type):
        return True
    known: dict[AffineExpr, bool] = {}
    for i, (value, map) in enumerate(zip(op.operands, op.maps, strict=True)):
        if i != number and not is_endless(value.type):
            for size, expr in zip(shape_of(value.type), map.results, strict=True):
                known[expr] = known.get(expr, False) or size != DYNAMIC
    sizes = zip(shape_of(op.operands[number].type), op.maps[number].results, strict=True)
    return all(known.get(e, False) or (e in known and n == DYNAMIC) for n, e in sizes if isinstance(e, AffineDimExpr))


def _drop_operand(op: MapOp | ReduceOp, number: int) -> None:
    groups = [op.ins, op.finish_ins, op.outs] if isinstance(op, ReduceOp) else [op.ins, op.outs]
    sizes = [len(g) for g in groups]
    group = next(i for i in range(len(sizes)) if number < sum(sizes[: i + 1]))
    sizes[group] -= 1
    op.operands = [v for i, v in enumerate(op.operands) if i != number]
    op.properties["indexing_maps"] = ArrayAttr([m for i, m in enumerate(op.indexing_maps) if i != number])
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


# Finishing a reduction


def _may_finish(producer: ReduceOp, consumer: MapOp, number: int) -> bool:
    """Return whether the reduction has one result, which only this map reads, each element once."""
    if len(producer.results) != 1 or len(producer.operands) + len(consumer.operands) > MAX_OPERANDS:
        return False
    return len(list(producer.results[0].uses)) == 1 and _is_once(consumer, number)


def _finish(producer: ReduceOp, consumer: MapOp, number: int) -> ReduceOp:
    """The reduction with the map's body in its finish region, in the map's place."""
    inverse = consumer.maps[number].inverse_permutation()
    assert inverse is not None
    loops = compose(inverse, producer.out_maps[0])
    maps = [compose(m, loops) for m in consumer.maps]
    others = [i for i in range(len(consumer.ins)) if i != number]
    finish = _finish_region(producer)
    _append_body(finish.block, consumer.body.block, number)
    count = len(producer.ins) + len(producer.finish_ins)
    fused = ReduceOp(
        producer.combiners,
        producer.ins,
        consumer.outs,
        [*producer.maps[:count], *(maps[i] for i in others), *maps[len(consumer.ins) :]],
        producer.detach_region(producer.body),
        [*producer.finish_ins, *(consumer.ins[i] for i in others)],
        finish,
    )
    _replace(consumer, fused)
    Rewriter.erase_op(producer)
    merge_equal(fused)
    return fused


def _finish_region(op: ReduceOp | GemmOp) -> Region:
    """The finish region, detached; one that passes the computed values on where there was none."""
    if op.finish.blocks:
        return op.detach_region(op.finish)
    block = Block(arg_types=[t.ir for _, t in op.combiners] if isinstance(op, ReduceOp) else [op.element])
    block.add_op(YieldOp(*block.args))
    return Region(block)


def _append_body(target: Block, source: Block, number: int) -> None:
    """Copies `source`'s operations to the end of `target`; argument `number` is the value that `target` yielded."""
    last = target.last_op
    assert isinstance(last, YieldOp)
    mapping: dict[SSAValue, SSAValue] = {}
    for i, arg in enumerate(source.args):
        mapping[arg] = last.values[0] if i == number else target.insert_arg(arg.type, len(target.args), arg.location)
    Rewriter.erase_op(last)
    for op in source.ops:
        target.add_op(op.clone(mapping))


# Finishing a product


def _may_finish_gemm(producer: GemmOp, consumer: MapOp, number: int) -> bool:
    """Return whether only this map reads the product, each element once, and stores its result in the same place."""
    if len(consumer.outs) != 1 or len(producer.operands) + len(consumer.operands) > MAX_OPERANDS:
        return False
    if len(list(producer.results[0].uses)) != 1 or not _is_once(consumer, number) or not is_side_effect_free(consumer):
        return False
    *maps, out = _from_indices_of(consumer, number)
    if out != AffineMap.identity(out.num_dims):
        return False
    return all(_is_plain(v, m) for i, (v, m) in enumerate(zip(consumer.ins, maps, strict=True)) if i != number)


def _from_indices_of(consumer: MapOp, number: int) -> list[AffineMap]:
    """The maps of a map over the indices of one of its ins."""
    loops = consumer.maps[number].inverse_permutation()
    assert loops is not None
    return [compose(m, loops) for m in consumer.maps]


def _is_plain(value: SSAValue, map: AffineMap) -> bool:
    """Return whether a value has a size, and indices are dimensions, and constants that surely lie inside."""
    return not is_endless(value.type) and all(
        isinstance(e, AffineDimExpr) or (isinstance(e, AffineConstantExpr) and 0 <= e.value < size)
        for e, size in zip(map.results, shape_of(value.type), strict=True)
    )


def _finish_gemm(producer: GemmOp, consumer: MapOp, number: int) -> GemmOp:
    """The product with the map's body in its finish region, in the map's place."""
    maps = _from_indices_of(consumer, number)
    others = [i for i in range(len(consumer.ins)) if i != number]
    finish = _finish_region(producer)
    _append_body(finish.block, consumer.body.block, number)
    finishing = [*producer.finishing, *((consumer.ins[i], maps[i]) for i in others)]
    fused = GemmOp(
        producer.ins, consumer.outs, [v for v, _ in finishing], [m for _, m in finishing], finish, **producer.scalars
    )
    fused.attributes.update(producer.attributes)
    _replace(consumer, fused)
    Rewriter.erase_op(producer)
    return fused
