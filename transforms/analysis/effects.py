"""The effects of operations, and from them whether operations may be erased, moved, or run once for many.

xDSL asks an operation's traits one by one; what holds of a whole class is remembered. Block arguments that always hold
one value are that value.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import (
    ConstantLike,
    EffectInstance,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
    is_side_effect_free,
)
from xdsl.transforms.dead_code_elimination import result_only_effects

from hologram.dialects.atlas.lanes.programs import BraOp


class Effects:
    """The effects of operations, where an operation is asked after those that it holds: what holds others is asked
    once."""

    def __init__(self) -> None:
        self._known: dict[Operation, AbstractSet[EffectInstance] | None] = {}

    def of(self, op: Operation) -> AbstractSet[EffectInstance] | None:
        """The effects of an operation, as `get_effects` gives them."""
        if not op.regions or not _follows_regions(type(op)):
            return get_effects(op)
        if op not in self._known:
            self._known[op] = self._inside(op)
        return self._known[op]

    def _inside(self, op: Operation) -> AbstractSet[EffectInstance] | None:
        effects: set[EffectInstance] = set()
        for inner in (o for region in op.regions for block in region.blocks for o in block.ops):
            more = self.of(inner)
            if more is None:
                return None
            effects |= more
        return effects


@lru_cache(1024)
def _follows_regions(kind: type[Operation]) -> bool:
    """Return whether the effects of operations of a class are those of what they hold."""
    effects = kind.get_traits_of_type(MemoryEffect)
    return len(effects) == 1 and isinstance(effects[0], RecursiveMemoryEffect)


def is_trivially_dead(op: Operation, effects: Effects | None = None) -> bool:
    """Return whether nothing uses the results of an operation, and it does nothing else."""
    return all(result.first_use is None for result in op.results) and may_go_unused(op, effects)


_FREE = frozenset(
    "vector.bitcast vector.create_mask vector.maskedload vector.reduction vector.transfer_read"
    " affine.apply affine.min affine.load affine.vector_load".split()
)
"""Operations that at most read, of whose effects their classes say nothing."""

_HOLDING = frozenset(("affine.for", "affine.if", "affine.parallel", "vector.mask"))
"""Operations that may go if all that they hold may, and say nothing of their effects."""


def may_go_unused(op: Operation, effects: Effects | None = None) -> bool:
    """Return whether an operation may go once nothing uses its results."""
    known = _may_go(type(op))
    if op.name == "vector.transfer_write":
        # One that writes into a tensor gives another tensor.
        return bool(op.results)
    if op.name in _HOLDING:
        inside = (o for region in op.regions for block in region.blocks for o in block.ops)
        return all(may_go_unused(o) for o in inside if not o.has_trait(IsTerminator))
    if known is None and effects is not None and op.regions:
        kinds = effects.of(op)
        if kinds is None or any(e.kind in (MemoryEffectKind.WRITE, MemoryEffectKind.FREE) for e in kinds):
            return False
    return result_only_effects(op) if known is None else known


@lru_cache(1024)
def _may_go(kind: type[Operation]) -> bool | None:
    """The answer for all operations of a class; None where each has its own."""
    if any(kind.has_trait(trait, value_if_unregistered=False) for trait in (IsTerminator, SymbolOpInterface)):
        return False
    effects = kind.get_traits_of_type(MemoryEffect)
    if not effects:
        return kind.name in _FREE
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
            changed |= bool(block.args) and _drop(block, ways[block])


def _drop(block: Block, ways: Sequence[tuple[BraOp, int]]) -> bool:
    given = [op.ways[number][1] for op, number in ways]
    copies: dict[int, SSAValue] = {}
    for argument, *values in zip(block.args, *given, strict=True):
        others = set(values) - {argument}
        if len(others) == 1:
            copies[argument.index] = others.pop()
    if not copies:
        return False
    arguments = list(block.args)
    for position, value in copies.items():
        arguments[position].replace_all_uses_with(value)
    for op, number in ways:
        op.give(number, [v for n, v in enumerate(op.ways[number][1]) if n not in copies])
    for position in reversed(copies):
        block.erase_arg(arguments[position])
    return True
