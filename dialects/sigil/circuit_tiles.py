"""The tile reading of a circuit, checked: every operation has one, and branches touch tiles of their own."""

from __future__ import annotations

from dataclasses import dataclass, field

from hologram.dialects.sigil.build import body_of
from hologram.dialects.sigil.ops import CircuitOp, GeneratorOp
from hologram.dialects.sigil.tiles import NoTileReading, Step, Tile, step_of
from hologram.dialects.sigil.tree import Body, Leaf, Node, Par, leaves, transformed
from hologram.errors import PassError


def checked_tiles(circuit: CircuitOp) -> Body:
    """The body of a circuit without prefixes; the nodes' places are its operations.

    Raises PassError for an operation without a tile reading, and for two branches that are not independent.
    """
    body = transformed(body_of(circuit.body.block))
    open: list[_Branches] = []
    work: list[Node | _Branches] = [*reversed(body)]
    while work:
        node = work.pop()
        match node:
            case Leaf():
                step = step_at(node)
                if step is not None and open:
                    open[-1].add(step, node.place)
            case Par():
                open.append(_Branches(len(node.branches)))
                for branch in reversed(node.branches):
                    work += [open[-1], *reversed(branch)]
            case _Branches():
                node.next()
                if node.left == 0:
                    open.pop()
                    if open:
                        open[-1].take(node.before)
            case _:
                raise AssertionError("a prefix is left")
    return body


def class_uses(circuit: CircuitOp) -> tuple[list[int], list[int]]:
    """The classes that are read before they are written as a whole, and those that are written, in their order."""
    reads: set[int] = set()
    writes: set[int] = set()
    whole: set[int] = set()
    for leaf, _ in leaves(checked_tiles(circuit)):
        if (step := step_at(leaf)) is None:
            continue
        reads |= {tile.class_ for tile in step.ins} - whole
        writes |= {tile.class_ for tile in step.outs}
        whole |= {tile.class_ for tile in step.outs if tile.page is None}
    return sorted(reads), sorted(writes)


def step_at(leaf: Leaf) -> Step | None:
    """The step of an operation, whose place is an operation of the IR; None if it leaves tiles as they are."""
    try:
        return step_of(leaf)
    except NoTileReading as error:
        raise PassError(leaf.place, "sigil-no-tiles", str(error)) from None


@dataclass
class _Uses:
    """The first operation that touches, and the first that writes, each tile; by class."""

    touches: dict[int, dict[Tile, GeneratorOp]] = field(default_factory=dict[int, dict[Tile, GeneratorOp]])
    writes: dict[int, dict[Tile, GeneratorOp]] = field(default_factory=dict[int, dict[Tile, GeneratorOp]])

    def add(self, step: Step, op: GeneratorOp) -> None:
        for tile in step.touched:
            self.touches.setdefault(tile.class_, {}).setdefault(tile, op)
        for tile in step.outs:
            self.writes.setdefault(tile.class_, {}).setdefault(tile, op)

    def take(self, other: _Uses) -> None:
        for mine, theirs in ((self.touches, other.touches), (self.writes, other.writes)):
            for number, tiles in theirs.items():
                mine[number] = tiles | mine.get(number, {})


class _Branches:
    """The uses of tiles by the branches of a `par`, each compared with those before it."""

    def __init__(self, count: int):
        self.left = count
        """The number of branches that have not ended."""
        self.before = _Uses()
        self._now = _Uses()

    def next(self) -> None:
        """Ends a branch."""
        self.left -= 1
        self.before.take(self._now)
        self._now = _Uses()

    def add(self, step: Step, op: GeneratorOp) -> None:
        """Takes an operation of the branch."""
        for tile in step.touched:
            _compare(tile, op, self.before.writes)
        for tile in step.outs:
            _compare(tile, op, self.before.touches)
        self._now.add(step, op)

    def take(self, inner: _Uses) -> None:
        """Takes all that an inner `par` did."""
        for mine, theirs in ((self.before.writes, inner.touches), (self.before.touches, inner.writes)):
            for tiles in theirs.values():
                for tile, op in tiles.items():
                    _compare(tile, op, mine)
        self._now.take(inner)


def _compare(tile: Tile, op: GeneratorOp, others: dict[int, dict[Tile, GeneratorOp]]) -> None:
    for other, first in others.get(tile.class_, {}).items():
        if other.overlaps(tile):
            shared = other if tile.page is None else tile
            raise PassError(
                op, "sigil-conflict",
                f"'{first.text}' and '{op.text}' stand in two branches of one '||', both touch {shared}, and one of "
                "them writes it",
                hint="put one after the other with '.', or let them work on other classes or pages",
            )  # fmt: skip
