"""The effects of operations, and from them whether operations may be erased, moved, or run once for many.

xDSL asks an operation's traits one by one; what holds of a whole class is remembered. Block arguments that always hold
one value are that value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import (
    ConstantLike,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    NoMemoryEffect,
    Pure,
    SymbolOpInterface,
    get_effects,
    is_side_effect_free,
)
from xdsl.transforms.dead_code_elimination import result_only_effects

from hologram.dialects.atlas.lanes.programs import BraOp


def is_trivially_dead(op: Operation) -> bool:
    """Return whether nothing uses the results of an operation, and it does nothing else."""
    return all(result.first_use is None for result in op.results) and may_go_unused(op)


def may_go_unused(op: Operation) -> bool:
    """Return whether an operation may go once nothing uses its results."""
    known = _may_go(type(op))
    return result_only_effects(op) if known is None else known


@lru_cache(1024)
def _may_go(kind: type[Operation]) -> bool | None:
    """The answer for all operations of a class; None where each has its own."""
    if any(kind.has_trait(trait, value_if_unregistered=False) for trait in (IsTerminator, SymbolOpInterface)):
        return False
    effects = kind.get_traits_of_type(MemoryEffect)
    if not effects:
        return False
    return True if all(isinstance(trait, NoMemoryEffect) for trait in effects) else None


def touches_no_memory(op: Operation) -> bool:
    """Return whether an operation has no effect; some of arith says nothing of its effects, and has none."""
    return op.name.startswith("arith.") or is_side_effect_free(op)


DIVISIONS = frozenset(
    f"{dialect}.{name}"
    for dialect, names in (
        ("arith", ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")),
        ("index", ("divs", "divu", "rems", "remu", "floordivs", "ceildivs", "ceildivu")),
    )
    for name in names
)


def divides_safely(op: Operation) -> bool:
    """Return whether a division's divisor is a positive constant."""
    divisor = ConstantLike.get_constant_value(op.operands[1])
    value = getattr(getattr(divisor, "value", None), "data", 0)
    return isinstance(value, int) and value > 0


def is_hoistable(op: Operation) -> bool:
    """Return whether `op` has no effect and is never undefined, so that it may run earlier, and more or less often."""
    if isinstance(op, (scf.IfOp, scf.ForOp)):
        return all(is_hoistable(nested) for region in op.regions for block in region.blocks for nested in block.ops)
    if op.regions:
        return False
    if op.name in DIVISIONS:
        return divides_safely(op)
    if isinstance(op, (arith.ExtSIOp, scf.YieldOp)) or op.has_trait(Pure):
        return True
    return op.dialect_name() == "memref" and is_side_effect_free(op)


def is_anchored(op: Operation) -> bool:
    """Return whether `op` gives every lane the same when run once at its place: it at most reads memory."""
    if op.name in DIVISIONS:
        return True
    effects = get_effects(op)
    return effects is not None and all(effect.kind is MemoryEffectKind.READ for effect in effects)


def drop_copied_arguments(region: Region) -> None:
    """Removes each block argument that every branch gives the same value, or itself. Every block must be reachable."""
    ways: dict[Block, list[tuple[BraOp, int]]] = {}
    for block in region.blocks:
        if isinstance(last := block.last_op, BraOp):
            for number, (target, _) in enumerate(last.ways):
                ways.setdefault(target, []).append((last, number))
    changed = True
    while changed:
        changed = False
        for block in list(region.blocks)[1:]:
            for position in reversed(range(len(block.args))):
                changed |= _drop(block, position, ways[block])


def _drop(block: Block, position: int, ways: Sequence[tuple[BraOp, int]]) -> bool:
    argument = block.args[position]
    given: set[SSAValue] = {op.ways[number][1][position] for op, number in ways} - {argument}
    if len(given) != 1:
        return False
    argument.replace_all_uses_with(given.pop())
    for op, number in ways:
        kept = [v for n, v in enumerate(op.ways[number][1]) if n != position]
        op.give(number, kept)
    block.erase_arg(argument)
    return True
