"""`fuse-atlas`: element-wise chains become one map; producers and consumers join reductions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from hologram.dialects.atlas.arrays import GenericOp, MapOp, ReduceOp, YieldOp, result_types
from hologram.dialects.atlas.instruction import ScalarOp

MOVE, CHEAP, MODERATE, DEAR = 0, 1, 4, 10
"""Rough costs of an element: nothing computed, an addition, a division, a transcendental."""
AGAIN = 2
"""What may be computed again rather than stored and loaded."""
_MODERATE = {"div", "rem", "sqrt", "rcp", "fma", "fms", "lerp", "clamp"}
MAX_OPERANDS = 24
"""A fused operation with more operands than this would run out of registers."""


@dataclass(frozen=True)
class FuseAtlasPass(ModulePass):
    """Inlines producer maps into the maps and reductions that read them, and maps that read only a reduction's result
    into its finish region, in value form.

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
        for function in op.walk():
            if isinstance(function, func.FuncOp):
                for block in function.body.blocks:
                    _fuse_block(block)


def _fuse_block(block: Block) -> None:
    """Visits consumers from last to first; a fused consumer is visited again."""
    op = block.last_op
    while op is not None:
        fused = _fuse_into(op) if isinstance(op, GenericOp) and op.is_value_form else None
        if fused is None and isinstance(op, MapOp):
            fused = _fuse_finish(op)
        if fused is None:
            previous = op.prev_op
            if isinstance(op, MapOp | ReduceOp) and _is_dead(op):
                op.detach()
                op.erase()
            op = previous
        else:
            op = fused


def _is_dead(op: GenericOp) -> bool:
    return op.is_value_form and not any(r.uses for r in op.results) and is_side_effect_free(op)


def cost(block: Block) -> int:
    """The cost of one element of a body."""
    total = MOVE
    for op in block.ops:
        if isinstance(op, ScalarOp):
            name = op.INSTRUCTION.name
            total += DEAR if not op.INSTRUCTION.exact else MODERATE if name in _MODERATE else CHEAP
    return total


def _traps(op: MapOp) -> bool:
    return not is_side_effect_free(op)


def _fuse_into(consumer: GenericOp) -> GenericOp | None:
    """Inlines the first producer that may be; gives the new consumer."""
    for number, value in enumerate(consumer.operands):
        producer = value.owner
        if number >= len(consumer.operands) - len(consumer.outs):
            return None
        if isinstance(producer, MapOp) and _may_inline(producer, consumer, number):
            fused = _inline(producer, consumer, number)
            if fused is not None:
                return fused
    return None


def _may_inline(producer: MapOp, consumer: GenericOp, number: int) -> bool:
    if len(producer.results) != 1 or len(producer.ins) + len(consumer.operands) > MAX_OPERANDS:
        return False
    price, map = cost(producer.body.block), consumer.maps[number]
    dims = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    covers = len(dims) == len(map.results) == len(set(dims))
    once = covers and len(dims) == consumer.num_loops
    if _traps(producer) and not once:
        return False  # an element that is never read would no longer trap
    if price == MOVE:
        return True
    users = {use.operation for use in producer.results[0].uses}
    if users == {consumer}:
        return once or price <= AGAIN
    return price <= AGAIN and len(users) <= 4 and all(_reads(u, producer.results[0]) for u in users)


def _reads(user: Operation, value: SSAValue) -> bool:
    """Whether `user` reads `value` as an element that a fused body could compute."""
    return isinstance(user, GenericOp) and value not in user.outs


def _inline(producer: MapOp, consumer: GenericOp, number: int) -> GenericOp | None:
    """The consumer with operand `number` computed by the producer's body; None if a loop would lose its extent."""
    map = consumer.maps[number]
    order = producer.maps[-1].inverse_permutation()
    if order is None:
        return None
    loops = order.compose(map) if producer.num_loops else AffineMap(consumer.num_loops, 0, ())
    maps = [m.compose(loops) if m.results else AffineMap(consumer.num_loops, 0, ()) for m in producer.maps[:-1]]
    ins_count = len(consumer.ins)
    if not _keeps_extents(consumer, number, list(producer.ins), maps):
        return None
    in_body = number < ins_count
    region = consumer.body if in_body or not isinstance(consumer, ReduceOp) else consumer.finish
    position = number if in_body else number - ins_count + len(_kinds(consumer))
    block = region.block
    _inline_body(producer.body.block, block, position)
    groups = [list(consumer.ins), list(consumer.finish_ins) if isinstance(consumer, ReduceOp) else []]
    place = (0, number) if in_body else (1, number - ins_count)
    new_maps = list(consumer.maps)
    groups[place[0]][place[1] : place[1] + 1] = producer.ins
    new_maps[number : number + 1] = maps
    fused = _rebuild(consumer, groups[0], groups[1], list(consumer.outs), new_maps)
    _merge_equal(fused)
    if _is_dead(producer):
        producer.detach()
        producer.erase()
    return fused


def _kinds(op: GenericOp) -> Sequence[object]:
    return op.kinds.data if isinstance(op, ReduceOp) else ()


def _keeps_extents(consumer: GenericOp, number: int, ins: list[SSAValue], maps: list[AffineMap]) -> bool:
    """Whether every loop still has an operand indexed by it alone."""
    kept = [m for i, m in enumerate(consumer.maps) if i != number] + maps
    plain = {e.position for m in kept for e in m.results if isinstance(e, AffineDimExpr)}
    return len(plain) == consumer.num_loops


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
    op: GenericOp, ins: list[SSAValue], finish_ins: list[SSAValue], outs: list[SSAValue], maps: list[AffineMap]
) -> GenericOp:
    """The operation with other operands and its own regions, in its place."""
    new: GenericOp
    if isinstance(op, ReduceOp):
        finish = op.detach_region(op.finish)
        new = ReduceOp(op.combiners, ins, outs, maps, op.detach_region(op.body), finish_ins, finish)
    else:
        new = MapOp(ins, outs, maps, op.detach_region(op.body))
    _replace(op, new)
    return new


def _replace(op: Operation, new: Operation) -> None:
    assert op.parent is not None
    new.location = op.location
    op.parent.insert_op_before(new, op)
    for old, fresh in zip(op.results, new.results, strict=True):
        fresh.name_hint = old.name_hint
        old.replace_all_uses_with(fresh)
    op.detach()
    op.erase()


def _merge_equal(op: GenericOp) -> None:
    """One operand for operands of the same value and map within a group."""
    groups = [(op.body.block, 0, 0, len(op.ins))]
    if isinstance(op, ReduceOp) and op.finish.blocks:
        groups.append((op.finish.block, len(op.kinds), len(op.ins), len(op.finish_ins)))
    drop: list[int] = []
    for block, skip, start, count in groups:
        seen: dict[tuple[SSAValue, AffineMap], int] = {}
        doubled: list[int] = []
        for i in range(count):
            first = seen.setdefault((op.operands[start + i], op.maps[start + i]), i)
            if first != i or not block.args[skip + i].uses:
                block.args[skip + i].replace_all_uses_with(block.args[skip + first])
                doubled.append(i)
        if doubled and _droppable(op, [start + i for i in doubled]):
            drop += [start + i for i in doubled]
            for i in reversed(doubled):
                block.erase_arg(block.args[skip + i])
    if not drop:
        return
    keep = [i for i in range(len(op.operands)) if i not in drop]
    ends = [len(op.ins), *([len(op.ins) + len(op.finish_ins)] if isinstance(op, ReduceOp) else []), len(op.operands)]
    sizes = [sum(start <= i < end for i in keep) for start, end in zip([0, *ends], ends, strict=False)]
    op.operands = [op.operands[i] for i in keep]
    op.properties["indexing_maps"] = ArrayAttr([op.indexing_maps.data[i] for i in keep])
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)


def _droppable(op: GenericOp, numbers: list[int]) -> bool:
    plain = {
        e.position for i, m in enumerate(op.maps) if i not in numbers for e in m.results if isinstance(e, AffineDimExpr)
    }
    return len(plain) == op.num_loops


def _fuse_finish(consumer: MapOp) -> ReduceOp | None:
    """Moves a map into the finish region of the one reduction whose result only it reads."""
    for number, value in enumerate(consumer.ins):
        producer = value.owner
        if isinstance(producer, ReduceOp) and _may_finish(producer, consumer, number):
            return _finish(producer, consumer, number)
    return None


def _may_finish(producer: ReduceOp, consumer: MapOp, number: int) -> bool:
    if len(producer.results) != 1 or not consumer.is_value_form:
        return False
    if {use.operation for use in producer.results[0].uses} != {consumer} or list(consumer.ins).count(producer.results[0]) != 1:
        return False
    map = consumer.maps[number]
    return map.inverse_permutation() is not None and len(map.results) == consumer.num_loops


def _finish(producer: ReduceOp, consumer: MapOp, number: int) -> ReduceOp:
    inverse = consumer.maps[number].inverse_permutation()
    assert inverse is not None
    loops = inverse.compose(producer.out_maps[0]) if consumer.num_loops else AffineMap(producer.num_loops, 0, ())
    maps = [m.compose(loops) if m.results else AffineMap(producer.num_loops, 0, ()) for m in consumer.maps]
    others = [i for i in range(len(consumer.ins)) if i != number]
    finish = _finish_region(producer)
    _append_body(finish.block, consumer.body.block, number)
    operands = [producer.operands[i] for i in range(len(producer.ins) + len(producer.finish_ins))]
    split = len(producer.ins)
    new_maps = [*producer.maps[: len(operands)], *(maps[i] for i in others), *maps[len(consumer.ins) :]]
    finish_ins = [*operands[split:], *(consumer.ins[i] for i in others)]
    body = producer.detach_region(producer.body)
    outs = list(consumer.outs)
    fused = ReduceOp(producer.combiners, operands[:split], outs, new_maps, body, finish_ins, finish)
    assert len(fused.results) == len(result_types(outs))
    _replace(consumer, fused)
    producer.detach()
    producer.erase()
    _merge_equal(fused)
    return fused


def _finish_region(op: ReduceOp) -> Region:
    """The finish region, detached; one that passes the combined values on where there was none."""
    if op.finish.blocks:
        return op.detach_region(op.finish)
    block = Block(arg_types=[t.ir for _, t in op.combiners])
    block.add_op(YieldOp(*block.args))
    return Region(block)


def _append_body(target: Block, source: Block, number: int) -> None:
    """Copies `source`'s operations to the end of `target`; argument `number` is the value that `target` yielded."""
    last = target.last_op
    assert isinstance(last, YieldOp)
    mapping: dict[SSAValue, SSAValue] = {}
    for i, arg in enumerate(source.args):
        mapping[arg] = last.values[0] if i == number else target.insert_arg(arg.type, len(target.args), arg.location)
    last.detach()
    last.erase()
    for op in source.ops:
        target.add_op(op.clone(mapping))
