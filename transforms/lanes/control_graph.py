"""Turns any graph of blocks into a tree of structured control.

First every cycle becomes one node. A cycle that is entered in several places (irreducible control) gets one entry: a
node that all those ways lead to, and that sends each on by a number it brought. Of a cycle with one entry, ways back to
the entry and ways out lead to the end of the body, with a flag that says whether the loop goes on and a number that
says where to when it ends. What is left has no cycles: a node is followed by the nodes that it dominates. Those that
only one way leads to stand in the arms of its branch; those that several lead to come after, in their order, under a
test of a number where it is not sure that control gets there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from hologram.dialects.atlas.lanes.programs import BarSyncOp, BraOp, ExitOp, RetOp
from hologram.support.walking import operations
from hologram.transforms.analysis.dominance import postorder, reverse_postorder
from hologram.transforms.lanes.control_tree import (
    Assign,
    Code,
    Flag,
    If,
    Leave,
    Live,
    Repeat,
    Source,
    Test,
    Tree,
    Variable,
    reads,
    union,
    without,
)


@dataclass(eq=False)
class Edge:
    """A way from one node to another, and what it assigns."""

    target: Node
    pairs: list[tuple[Variable, Source]] = field(default_factory=list[tuple[Variable, Source]])


@dataclass(eq=False)
class Node:
    """Code, then one of its edges: the only one; by the condition the first of two; or by the number of the edge.

    Without edges the lane ends.
    """

    code: list[Tree] = field(default_factory=list[Tree])
    edges: list[Edge] = field(default_factory=list[Edge])
    chooser: SSAValue | Flag | None = None
    source: Operation | None = None
    live: dict[Variable, None] = field(default_factory=dict["Variable", None])
    """What is read from here on, for the first node of a cycle."""

    @cached_property
    def has_barrier(self) -> bool:
        """Whether its own code waits, which each of the loops around it asks."""
        codes = (tree for tree in self.code if isinstance(tree, Code))
        return any(isinstance(o, BarSyncOp) for code in codes for op in code.ops for o in operations(op))


def region_tree(region: Region, returned: Sequence[Flag], *, exits_leave: bool) -> list[Tree]:
    """The tree of a program's or function's body. What a function returns is assigned to `returned`. With `exits_leave`
    an exit stays where it is; else it is a way to the end.
    """
    end = Node()
    blocks = reverse_postorder(region.blocks[0])
    nodes = {block: Node() for block in blocks}
    _find_live(blocks, nodes)
    for block, node in nodes.items():
        _fill(block, node, nodes, end, returned, exits_leave)
    return _Structure().tree(nodes[blocks[0]], end)


def _find_live(blocks: Sequence[Block], nodes: dict[Block, Node]) -> None:
    """Finds what is live where each block begins; its arguments count."""
    used: dict[Block, Live] = {}
    defined: dict[Block, list[SSAValue]] = {}
    before: dict[Block, list[Block]] = {block: [] for block in blocks}
    for block in blocks:
        for target in () if block.last_op is None else block.last_op.successors:
            before[target].append(block)
        defined[block] = [r for op in block.ops for r in op.results]
        own: Live = {}
        for op in reversed(list(block.ops)):
            for result in op.results:
                own.pop(result, None)
            own |= reads(op)
        used[block] = own | dict.fromkeys(block.args)
    stale = set(blocks)
    while stale:
        for block in reversed(blocks):
            if block not in stale:
                continue
            stale.discard(block)
            last = block.last_op
            targets = () if last is None else last.successors
            # One way out may give a value anew that is still read on another.
            onward = union(*(without(nodes[b].live, b.args) for b in targets))
            live_in = used[block] | without(onward, defined[block])
            if len(live_in) != len(nodes[block].live):  # It only grows.
                stale.update(before[block])
            nodes[block].live = live_in


def _fill(
    block: Block, node: Node, nodes: dict[Block, Node], end: Node, returned: Sequence[Flag], exits_leave: bool
) -> None:
    *ops, last = block.ops
    node.code = [Code(ops)] if ops else []
    node.source = last
    match last:
        case BraOp():
            node.chooser = last.condition
            node.edges = [Edge(nodes[b], list(zip(b.args, given, strict=True))) for b, given in last.ways]
        case RetOp():
            node.edges = [Edge(end, list(zip(returned, last.values, strict=True)))]
        case ExitOp() if not exits_leave:
            node.edges = [Edge(end)]
        case _:
            pass


def _reverse_postorder(entry: Node) -> list[Node]:
    return postorder(entry, lambda node: [edge.target for edge in node.edges])[::-1]


def _cycles(nodes: Sequence[Node]) -> list[list[Node]]:
    """The strongly connected parts with a cycle, each in the order of `nodes` (Kosaraju over reverse postorder)."""
    known = set(nodes)
    before: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for edge in node.edges:
            if edge.target in known:
                before[edge.target].append(node)
    part: dict[Node, int] = {}
    for number, root in enumerate(nodes):
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in part:
                part[node] = number
                stack += before[node]
    components: dict[int, list[Node]] = {}
    for node in nodes:
        components.setdefault(part[node], []).append(node)
    return [c for c in components.values() if len(c) > 1 or any(e.target is c[0] for e in c[0].edges)]


class _Structure:
    """Structures one body. Numbers of targets are of this body alone."""

    def __init__(self) -> None:
        self.goal = Flag(i32)
        """Where control goes next, where several nodes are possible."""
        self.numbers: dict[Node, int] = {}

    def tree(self, entry: Node, end: Node) -> list[Tree]:
        """The tree of everything from the entry to the end."""
        outside = Node(edges=[Edge(entry)])
        for cycle in _cycles([n for n in _reverse_postorder(entry) if n is not end]):
            self._loop(cycle, outside, end)
        entry = outside.edges[0].target
        out: list[Tree] = list(Assign([pair]) for pair in outside.edges[0].pairs)
        _Acyclic(self, entry, end).emit(entry, out)
        return out

    def number(self, node: Node) -> int:
        """The number that stands for a node in `goal`."""
        return self.numbers.setdefault(node, len(self.numbers))

    # Cycles

    def _loop(self, cycle: list[Node], outside: Node, end: Node) -> None:
        """Makes one node of a cycle."""
        everywhere = _reverse_postorder(outside)
        self._absorb_exits(cycle, everywhere)
        inside = set(cycle)
        into = [e for n in everywhere if n not in inside for e in n.edges if e.target in inside]
        entries = list(dict.fromkeys(e.target for e in into))
        head = entries[0] if len(entries) == 1 else self._one_entry(entries, cycle, into)
        inside.add(head)
        latch, again = Node(), Flag(i1)
        back = [e for n in inside for e in n.edges if e.target is head]
        out = [e for n in cycle for e in n.edges if e.target not in inside]
        targets = list(dict.fromkeys(e.target for e in out))
        for edge in back:
            edge.target = latch
            edge.pairs.append((again, 1))
        goal = Flag(i32)
        for edge in out:
            edge.pairs.append((again, 0))
            if len(targets) > 1:
                edge.pairs.append((goal, targets.index(edge.target)))
            edge.target = latch
        body = self.tree(head, latch)
        loop = Node(
            [Repeat(body, again, head.live, head.source)],
            [Edge(t) for t in targets],
            goal if len(targets) > 1 else None,
            head.source,
            head.live,
        )
        for edge in into:
            edge.target = loop

    def _absorb_exits(self, cycle: list[Node], everywhere: Sequence[Node]) -> None:
        """A loop with barriers keeps exits inside, where they count as arrived at the barriers."""
        if not any(node.has_barrier for node in cycle):
            return
        inside = set(cycle)
        sources: dict[Node, list[Node]] = {}
        for node in everywhere:
            for edge in node.edges:
                sources.setdefault(edge.target, []).append(node)
        ends = [n for n in everywhere if not n.edges and n in sources and inside.issuperset(sources[n])]
        ways_out = {e.target for n in cycle for e in n.edges} - inside
        if ways_out - set(ends):
            cycle += ends

    def _one_entry(self, entries: Sequence[Node], cycle: Sequence[Node], into: Sequence[Edge]) -> Node:
        """A node in front of several entries, to which all ways to any of them lead."""
        which = Flag(i32)
        live = union({which: None}, *(e.live for e in entries))
        front = Node([], [Edge(e) for e in entries], which, entries[0].source, live)
        for edge in (*into, *(e for n in cycle for e in n.edges)):
            if edge.target in entries:
                edge.pairs.append((which, entries.index(edge.target)))
                edge.target = front
        return front


class _Acyclic:
    """A graph without cycles, by its dominator tree."""

    def __init__(self, structure: _Structure, entry: Node, end: Node):
        self.structure = structure
        order = [n for n in _reverse_postorder(entry) if n is not end]
        self.ways_in: dict[Node, int] = dict.fromkeys(order, 0)
        before: dict[Node, list[Node]] = {n: [] for n in order}
        for node in order:
            for edge in node.edges:
                if edge.target is not end:
                    self.ways_in[edge.target] += 1
                    before[edge.target].append(node)
        rank = {node: i for i, node in enumerate(order)}
        above: dict[Node, Node] = {entry: entry}
        for node in order[1:]:
            above[node] = _meet(before[node], above, rank)
        self.joins: dict[Node, list[Node]] = {n: [] for n in order}
        """The nodes that come after a branch: those it dominates to which several ways lead."""
        for node in order[1:]:
            if self.ways_in[node] > 1:
                self.joins[above[node]].append(node)

    def emit(self, node: Node, out: list[Tree]) -> dict[Node, None]:
        """Appends a node and all it dominates. Gives the nodes that control may go to from there."""
        out += node.code
        if not node.edges:
            out.append(Leave())
        goals = self._branch(node, out)
        for join in self.joins[node]:
            if join not in goals:
                continue
            del goals[join]
            if not goals:
                goals = self.emit(join, out)
                continue
            guarded = If(Test(self.structure.goal, self.structure.number(join)), source=join.source)
            out.append(guarded)
            goals |= self.emit(join, guarded.then)
        return goals

    def _branch(self, node: Node, out: list[Tree]) -> dict[Node, None]:
        """Appends the ways out of a node: a chain of tests where there are several."""
        goals: dict[Node, None] = {}
        here = out
        for number, edge in enumerate(node.edges[:-1]):
            assert node.chooser is not None
            by_number = isinstance(node.chooser, Flag)
            choice = If(Test(node.chooser, number) if by_number else node.chooser, source=node.source)  # pyright: ignore[reportArgumentType]
            here.append(choice)
            targets = self._follow(edge, choice.then)
            # What follows an arm that no lane comes out of need not stand in the other arm.
            here = choice.otherwise if targets else here
            goals |= targets
        if node.edges:
            last: list[Tree] = []
            targets = self._follow(node.edges[-1], last)
            if here is not out and not targets and len(node.edges) == 2:
                choice = out[-1]
                assert isinstance(choice, If)
                choice.then, choice.otherwise, last = [], last, choice.then
                here = out
            here += last
            goals |= targets
        return goals

    def _follow(self, edge: Edge, out: list[Tree]) -> dict[Node, None]:
        if edge.pairs:
            out.append(Assign(edge.pairs))
        if self.ways_in.get(edge.target) == 1:
            return self.emit(edge.target, out)
        out.append(Assign([(self.structure.goal, self.structure.number(edge.target))]))
        return {edge.target: None}


def _meet(nodes: Sequence[Node], above: dict[Node, Node], rank: dict[Node, int]) -> Node:
    """The last node that all ways to some nodes lead through."""
    ancestor = nodes[0]
    for other in nodes[1:]:
        while ancestor is not other:
            if rank[ancestor] < rank[other]:
                other = above[other]
            else:
                ancestor = above[ancestor]
    return ancestor
