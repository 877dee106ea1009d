"""Block arguments that always hold one value are that value."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region, SSAValue

from hologram.dialects.atlas.lanes import BraOp


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
