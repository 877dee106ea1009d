"""`canonicalize-sigil-tiles`: circuits that move less, and leave every tile as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.dialects.sigil.build import circuits_of, replace_body
from hologram.dialects.sigil.circuit_tiles import checked_tiles, step_at
from hologram.dialects.sigil.syntax import Sigil, Target, single
from hologram.dialects.sigil.tiles import MOVES, Step, Tile
from hologram.dialects.sigil.tree import Body, Leaf, Par, leaves, rebuilt
from hologram.support.collector import without_collection

Slot: TypeAlias = tuple[int, int]
"""A class, and a page of it that some operation names, or REST: all other pages."""
REST = -1


@dataclass(frozen=True)
class CanonicalizeSigilTilesPass(ModulePass):
    """Drops copies of what is there already, copies that are overwritten unread, and swaps that are undone; reads the
    tile that was copied rather than its copy. Prefixes are resolved. Every tile ends with the values it had, but the
    words and bytes of the circuit change.

    Before::

        sigil.circuit @main {
          sigil.copy "c00->c01"
          sigil.merge "c01[c02,c03]"
          sigil.copy "c04->c01"
        }

    After::

        sigil.circuit @main {
          sigil.merge "c00[c02,c03]"
          sigil.copy "c04->c01"
        }
    """

    name = "canonicalize-sigil-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for circuit in circuits_of(op):
            with without_collection():
                body = checked_tiles(circuit)
                while (better := _Rewriting(body).run()) is not None:
                    body = better
                replace_body(circuit, body)


@dataclass(eq=False)
class _Touch:
    """An operation that touched slots, and what had touched them before."""

    leaf: Leaf
    step: Step
    before: dict[Slot, _Touch | None]


class _Rewriting:
    """One go over a circuit: forward for what is known of values, then backward for what is needed."""

    def __init__(self, body: Body):
        self.body = body
        self.leaves = [leaf for leaf, _ in leaves(body)]
        self.steps = {leaf: step for leaf in self.leaves if (step := step_at(leaf)) is not None}
        pages = {tile.page for step in self.steps.values() for tile in step.touched} - {None}
        self.pages = [*sorted(p for p in pages if p is not None), REST]
        self._known: dict[Tile, list[Slot]] = {}
        self.dropped: set[Leaf] = set()
        self.value: dict[Slot, object] = {}
        """What is in a slot, if not what was there at first, which the slot itself stands for."""
        self.home: dict[object, Slot] = {}
        """Where a value that was computed was first."""
        self.touched: dict[Slot, _Touch | None] = {}
        self.changed = False

    def run(self) -> Body | None:
        """The better circuit, or None if it is as good as it was."""
        shared = self._written_in_branches()
        for leaf in self.leaves:
            if leaf in self.steps:
                self._forward(leaf, shared.get(leaf, frozenset()))
        self._drop_dead()
        if not self.changed and not self.dropped:
            return None
        body = rebuilt(self.body, lambda leaf, _: [] if leaf in self.dropped else [leaf], _without_empty)
        return body or [Leaf("mark", single(0), place=self.leaves[0].place)]

    def _slots(self, tile: Tile) -> list[Slot]:
        if (known := self._known.get(tile)) is None:
            pages = self.pages if tile.page is None else (tile.page,)
            known = self._known[tile] = [(tile.class_, page) for page in pages]
        return known

    def _written_in_branches(self) -> dict[Leaf, frozenset[int]]:
        """Return, for each operation in a branch, the classes that the outermost branches around it write."""
        classes: dict[Leaf, frozenset[int]] = {}
        for node in self.body:
            if isinstance(node, Par):
                inside = [leaf for leaf, _ in leaves([node])]
                written = frozenset(t.class_ for leaf in inside if leaf in self.steps for t in self.steps[leaf].outs)
                classes |= dict.fromkeys(inside, written)
        return classes

    # Forward

    def _values(self, tile: Tile) -> list[object]:
        return [self.value.get(slot, slot) for slot in self._slots(tile)]

    def _forward(self, leaf: Leaf, shared: frozenset[int]) -> None:
        step = self.steps[leaf]
        if step.instruction in MOVES:
            first, second = step.touched[:2]
            if self._values(first) == self._values(second):
                self.dropped.add(leaf)
                return
        if step.instruction == "swap":
            if not self._undo(leaf, step):
                self._touch(leaf, step)
            return
        step = self._read_originals(leaf, step, shared)
        self._touch(leaf, step)
        (out,) = step.outs
        if step.instruction == "copy":
            self.value |= zip(self._slots(out), self._values(step.ins[0]), strict=True)
            return
        for slot in self._slots(out):
            self.value[slot] = value = object()
            self.home[value] = slot

    def _exchange(self, step: Step) -> None:
        values = [self._values(tile) for tile in step.ins]
        for tile, given in zip(step.outs, values, strict=True):
            self.value |= zip(self._slots(tile), given, strict=True)

    def _undo(self, leaf: Leaf, step: Step) -> bool:
        """Drops a swap with the one before it, if nothing touched their tiles between."""
        slots = [slot for tile in step.ins for slot in self._slots(tile)]
        last = {self.touched.get(slot) for slot in slots}
        self._exchange(step)
        (other,) = last if len(last) == 1 else (None,)
        if other is None or other.step.instruction != "swap" or {*other.step.ins} != {*step.ins}:
            return False
        self.dropped |= {leaf, other.leaf}
        self.touched |= other.before
        return True

    def _touch(self, leaf: Leaf, step: Step) -> None:
        slots = [slot for tile in step.touched for slot in self._slots(tile)]
        touch = _Touch(leaf, step, {slot: self.touched.get(slot) for slot in slots})
        self.touched |= dict.fromkeys(slots, touch)

    def _read_originals(self, leaf: Leaf, step: Step, shared: frozenset[int]) -> Step:
        """The step with tiles that were copied in place of their copies; none that branches beside it may write."""
        ins = tuple(self._original(tile, shared) for tile in step.ins)
        if ins == step.ins:
            return step
        self.changed = True
        leaf.target = _with_sources(leaf.target, ins)
        self.steps[leaf] = replace(step, ins=ins)
        return self.steps[leaf]

    def _original(self, tile: Tile, shared: frozenset[int]) -> Tile:
        homes = [self.home.get(value, value) for value in self._values(tile)]
        number, page = cast("Slot", homes[0])
        original = Tile(number, None if tile.page is None else page)
        copied = homes == self._slots(original) and self._values(original) == self._values(tile)
        return original if copied and number not in shared else tile

    # Backward

    def _drop_dead(self) -> None:
        """Drops moves into tiles that are overwritten before they are read; at the end all are seen."""
        unread: set[Slot] = set()
        for leaf in reversed(self.leaves):
            step = self.steps.get(leaf)
            if step is None or leaf in self.dropped:
                continue
            outs = {slot for tile in step.outs for slot in self._slots(tile)}
            if step.instruction in MOVES and outs <= unread:
                self.dropped.add(leaf)
                continue
            unread |= outs
            unread -= {slot for tile in step.ins for slot in self._slots(tile)}


def _with_sources(target: Target, ins: Sequence[Tile]) -> Target:
    """The target with other tiles that are read; the last sigil is what is written."""
    kept = target.sigils[len(ins) :]
    page = next((s.page for s in target.sigils if s.page is not None), None)
    kept = tuple(s._replace(page=page if s.page is None else s.page) for s in kept)
    return Target(target.form, (*(Sigil(t.class_, page=t.page) for t in ins), *kept))


def _without_empty(body: Body) -> Body:
    """A sequence without branches of which nothing is left."""
    nodes: Body = []
    for node in body:
        if isinstance(node, Par):
            node.branches = [branch for branch in node.branches if branch]
            if len(node.branches) < 2:
                nodes += [inner for branch in node.branches for inner in branch]
                continue
        nodes.append(node)
    return nodes
