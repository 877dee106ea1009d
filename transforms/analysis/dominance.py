"""Dominance of blocks, and the check that every value is defined before it is used and visible where it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from hologram.errors import HologramError, InternalError, VerifyError, where_of
from hologram.support.walking import operations

NodeT = TypeVar("NodeT")


class Dominators:
    """The dominator tree of one region (Cooper, Harvey, Kennedy). Unreachable blocks have no place in it."""

    def __init__(self, region: Region):
        self._rank: dict[Block, int] = {}
        """Postorder numbers of the reachable blocks: the entry has the greatest."""
        self._idom: dict[Block, Block] = {}
        self._spans: dict[Block, tuple[int, int]] = {}
        """Of each block in a walk of the tree: its number, and that of what follows all that it dominates."""
        entry = region.blocks.first
        if entry is None:
            return
        order = postorder(entry, _successors)
        self._rank = {block: i for i, block in enumerate(order)}
        self._solve(entry, order)

    def _solve(self, entry: Block, postorder: list[Block]) -> None:
        predecessors: dict[Block, list[Block]] = {block: [] for block in postorder}
        for block in postorder:
            for successor in _successors(block):
                predecessors[successor].append(block)
        self._idom[entry] = entry
        changed = True
        while changed:
            changed = False
            for block in reversed(postorder[:-1]):
                known = [p for p in predecessors[block] if p in self._idom]
                best = known[0]
                for other in known[1:]:
                    best = self._meet(best, other)
                if self._idom.get(block) is not best:
                    self._idom[block] = best
                    changed = True

    def _meet(self, a: Block, b: Block) -> Block:
        rank = self._rank
        while a is not b:
            while rank[a] < rank[b]:
                a = self._idom[a]
            while rank[b] < rank[a]:
                b = self._idom[b]
        return a

    def reachable(self, block: Block) -> bool:
        """Return whether control can get from the entry to `block`."""
        return block in self._rank

    def immediate(self, block: Block) -> Block | None:
        """The nearest other block through which every path to `block` leads; None for the entry."""
        dominator = self._idom.get(block)
        return None if dominator is block else dominator

    def dominates(self, a: Block, b: Block) -> bool:
        """Return whether every path from the entry to `b` leads through `a`. Nothing is demanded of unreachable
        code."""
        if b not in self._rank:
            return True
        if a not in self._rank:
            return False
        if not self._spans:
            self._number()
        start, end = self._spans[a]
        return start <= self._spans[b][0] < end

    def children(self) -> dict[Block, list[Block]]:
        """The dominator tree, by the blocks that have something below them."""
        children: dict[Block, list[Block]] = {}
        for block, parent in self._idom.items():
            if block is not parent:
                children.setdefault(parent, []).append(block)
        return children

    def _number(self) -> None:
        children = self.children()
        stack = [next(iter(self._idom))]
        begun: dict[Block, int] = {}
        while stack:
            block = stack[-1]
            if block in begun:
                stack.pop()
                self._spans[block] = begun[block], len(begun)
            else:
                begun[block] = len(begun)
                stack += children.get(block, ())


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    if last is None:
        return ()
    return tuple(s for s in last.successors if s.parent is block.parent)


def reverse_postorder(entry: Block) -> list[Block]:
    """The blocks that can be reached from `entry`, each before those that it leads to, but for ways back."""
    return postorder(entry, _successors)[::-1]


def postorder(entry: NodeT, successors: Callable[[NodeT], Iterable[NodeT]]) -> list[NodeT]:
    """The nodes of a graph that can be reached from `entry`, each behind those that it leads to, but for ways back."""
    order: list[NodeT] = []
    seen = {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        node, following = stack[-1]
        fresh = next((s for s in following if s not in seen), None)
        if fresh is None:
            order.append(node)
            stack.pop()
            continue
        seen.add(fresh)
        stack.append((fresh, iter(successors(fresh))))
    return order


class DominanceCheck:
    """Finds the uses in a tree of operations that their definitions do not dominate, in one walk."""

    def __init__(self, root: Operation):
        self._root = root
        self._number = {op: i for i, op in enumerate(operations(root))}
        self._dominators: dict[Region, Dominators] = {}

    def errors(self) -> Iterator[HologramError]:
        """One error for each wrong use."""
        for op, number in self._number.items():
            block = op.parent
            for value in op.operands:
                owner = value.owner
                if owner is block or (
                    isinstance(owner, Operation) and owner.parent is block and self._number.get(owner, number) < number
                ):
                    continue
                if (error := self._far_use(op, value)) is not None:
                    yield error

    def _far_use(self, op: Operation, value: SSAValue) -> HologramError | None:
        """Checks a use that is not simply below its definition in the same block."""
        owner = value.owner
        block = owner.parent if isinstance(owner, Operation) else owner
        region = None if block is None else block.parent
        if block is None or region is None or (isinstance(owner, Operation) and owner not in self._number):
            return InternalError(
                "dominance-detached", f"'{op.name}' uses {_name(value)}, which is not in the IR", where=where_of(op)
            )
        user, barrier = _around(op, region)
        if user is None or (user_block := user.parent) is None:
            return _placed(op, _invisible(op, value))
        if barrier is not None:
            return _placed(op, _isolated(op, barrier, value))
        if isinstance(region.parent, ModuleOp):
            return None  # A module's body is a graph: its order means nothing.
        if block is not user_block:
            return None if self._in(region).dominates(block, user_block) else _placed(op, _may_miss(op, value))
        if not isinstance(owner, Operation) or self._number[owner] < self._number[user]:
            return None
        return _placed(op, _too_early(op, value))

    def _in(self, region: Region) -> Dominators:
        if (dominators := self._dominators.get(region)) is None:
            dominators = self._dominators[region] = Dominators(region)
        return dominators


def _around(op: Operation, region: Region) -> tuple[Operation | None, Operation | None]:
    """What of a region holds an operation, and what between them sees nothing outside itself."""
    user: Operation | None = op
    barrier: Operation | None = None
    # Uses may be a thousand levels below what they use, so that this asks as little as it can.
    while user is not None and (around := user.parent and user.parent.parent) is not region:
        user = around and around.parent
        if user is not None and _is_isolated(type(user)):
            barrier = user
    return user, barrier


@lru_cache(1024)
def _is_isolated(kind: type[Operation]) -> bool:
    return kind.has_trait(IsolatedFromAbove, value_if_unregistered=False)


def _placed(op: Operation, error: VerifyError) -> VerifyError:
    error.where = where_of(op)
    return error


def _name(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else "a value"


def _defined_at(value: SSAValue) -> str | None:
    owner = value.owner
    where = where_of(owner) if isinstance(owner, Operation) else None
    return f"{_name(value)} is defined at line {where.line}" if where is not None and where.line else None


def _isolated(op: Operation, barrier: Operation, value: SSAValue) -> VerifyError:
    return VerifyError(
        "dominance-isolated",
        f"'{op.name}' uses {_name(value)} from outside of '{barrier.name}', which sees nothing outside itself",
        hint="pass the value in as an argument",
    )


def _invisible(op: Operation, value: SSAValue) -> VerifyError:
    return VerifyError(
        "dominance-scope",
        f"'{op.name}' uses {_name(value)}, which is defined in a region that does not enclose it",
        hint=_defined_at(value),
    )


def _may_miss(op: Operation, value: SSAValue) -> VerifyError:
    return VerifyError(
        "dominance-path",
        f"'{op.name}' uses {_name(value)}, which is not defined on every path to here",
        hint=_defined_at(value),
    )


def _too_early(op: Operation, value: SSAValue) -> VerifyError:
    return VerifyError(
        "dominance-order", f"'{op.name}' uses {_name(value)} before it is defined", hint=_defined_at(value)
    )
