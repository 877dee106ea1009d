"""The pass `cse`: an operation that was computed before, on every path that leads here, is not computed again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import Commutative, IsolatedFromAbove, IsTerminator, MemoryEffectKind, Pure

from hologram.transforms.analysis.dominance import Dominators
from hologram.transforms.analysis.effects import Effects, is_trivially_dead

READ = frozenset((MemoryEffectKind.READ,))


@dataclass(frozen=True)
class CsePass(ModulePass):
    """Removes operations that repeat one which dominates them, and what is not used.

    Operations without effects count wherever they stand: in the same block, in one that dominates it, or around it. A
    load counts within its block, up to the next operation that may write. Operands of commutative operations may be
    exchanged.

    Before::

        %a = arith.addi %x, %y : i32
        cf.cond_br %p, ^then, ^else
      ^then:
        %b = arith.addi %y, %x : i32
        func.return %b : i32

    After::

        %a = arith.addi %x, %y : i32
        cf.cond_br %p, ^then, ^else
      ^then:
        func.return %a : i32
    """

    name = "cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        eliminate(op)


def eliminate(root: Operation) -> None:
    """Removes what repeats in the regions of an operation."""
    for region in root.regions:
        _Scopes().region(region)


@dataclass
class _Kind:
    """The traits that all operations of a class share."""

    terminates: bool
    isolated: bool
    commutes: bool
    pure: bool


@lru_cache(1024)
def _kind(kind: type[Operation]) -> _Kind:
    traits = (IsTerminator, IsolatedFromAbove, Commutative, Pure)
    return _Kind(*(kind.has_trait(trait, value_if_unregistered=True) for trait in traits))


@dataclass
class _Scopes:
    """The operations known where the walk is. Leaving a block forgets those that were found in it."""

    known: dict[Hashable, list[Operation]] = field(default_factory=dict[Hashable, "list[Operation]"])
    effects: Effects = field(default_factory=Effects)
    writes: int = 0
    """How many operations that may write were met; loads are known under that number."""

    def region(self, region: Region) -> None:
        first = region.first_block
        if first is None:
            return
        if first is region.last_block:
            self._forget(self._block(first))
            return
        # Leaving a subtree of the dominator tree comes as a list of what to forget.
        tree = Dominators(region).children()
        stack: list[Block | list[Hashable]] = [first]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                self._forget(item)
            else:
                stack.append(self._block(item))
                stack.extend(tree.get(item, ()))

    def _forget(self, keys: list[Hashable]) -> None:
        for key in reversed(keys):
            self.known[key].pop()

    def _block(self, block: Block) -> list[Hashable]:
        """Simplifies a block; returns the keys under which operations became known."""
        added: list[Hashable] = []
        self.writes += 1
        for op in list(block.ops):
            if op.regions:
                inner = _Scopes() if _kind(type(op)).isolated else self
                for region in op.regions:
                    inner.region(region)
            key = self._visit(op)
            if key is not None:
                self.known.setdefault(key, []).append(op)
                added.append(key)
        return added

    def _visit(self, op: Operation) -> Hashable | None:
        """Removes an operation that repeats or is not used; returns the key of a new one."""
        kind = _kind(type(op))
        if kind.terminates:
            return None
        if is_trivially_dead(op, self.effects):
            Rewriter.erase_op(op)
            return None
        reads = False
        if not kind.pure or op.regions:
            effects = self.effects.of(op)
            kinds = None if effects is None else {e.kind for e in effects}
            if kinds is None or not kinds <= READ:
                self.writes += 1
                return None
            reads = bool(kinds)
        if any(region.first_block is not region.last_block for region in op.regions):
            return None
        key = (*_key(op, kind.commutes), (op.parent, self.writes) if reads else None)
        for other in self.known.get(key, ()):
            if all(x.is_structurally_equivalent(y) for x, y in zip(other.regions, op.regions, strict=True)):
                for old, new in zip(op.results, other.results, strict=True):
                    old.replace_all_uses_with(new)
                Rewriter.erase_op(op)
                return None
        return key


def _key(op: Operation, commutes: bool) -> tuple[Hashable, ...]:
    operands = [id(value) for value in op.operands]
    if commutes:
        operands.sort()
    named = (frozenset(op.properties.items()), frozenset(op.attributes.items()))
    # An unregistered operation's name is one of its attributes.
    return (type(op), *operands, *named, *(result.type for result in op.results), len(op.regions))
