"""Structured control as a tree over variables: what a graph of blocks becomes before it is SSA form again.

A variable is an SSA value of the old form, or a flag. A tree may assign a variable in several places; the value that it
holds at a place is found when the tree is written as operations (`control_emission`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue


@dataclass(eq=False)
class Flag:
    """A variable that structuring adds."""

    type: Attribute


Variable: TypeAlias = SSAValue | Flag
Source: TypeAlias = Variable | int
"""A variable, or a constant of the assigned variable's type."""


@dataclass
class Code:
    """Operations without terminators."""

    ops: Sequence[Operation]


@dataclass
class Assign:
    """Assigns variables, all at once."""

    pairs: Sequence[tuple[Variable, Source]]


@dataclass
class Test:
    """Whether a flag has a value."""

    flag: Flag
    value: int


@dataclass
class If:
    """Goes one of two ways."""

    condition: SSAValue | Test
    then: list[Tree] = field(default_factory=list["Tree"])
    otherwise: list[Tree] = field(default_factory=list["Tree"])
    source: Operation | None = None
    live: tuple[Live, list[list[Live]]] | None = None
    """What was live behind it when it was looked at last, and then within its ways. A loop around it that looks again
    finds the same behind it, most often."""

    @property
    def ways(self) -> tuple[list[Tree], list[Tree]]:
        """The trees of both ways."""
        return self.then, self.otherwise

    def live_within(self, after: Live) -> list[list[Live]]:
        """What `live_before` says of the ways, which is asked once for the trees around it and once for its own."""
        if self.live is None or self.live[0].keys() != after.keys():
            self.live = after, [live_before(way, after) for way in self.ways]
        return self.live[1]


@dataclass
class Repeat:
    """Runs its body, then again as long as the flag holds."""

    body: list[Tree]
    again: Flag
    carries: dict[Variable, None]
    """What one iteration may read of what came before it; all else it assigns itself."""
    source: Operation | None = None
    head: Live = field(default_factory=dict["Variable", None])
    """What is known to be live where the body begins. Behind the loop more becomes live while loops around it are
    looked at, never less, so that each look goes on where the last one ended."""

    live: tuple[Live, list[Live]] | None = None
    """What was live behind it when it was looked at last, and then within its body."""

    @cached_property
    def changes(self) -> Live:
        """The variables that the body may assign."""
        return assigned(self.body)

    @cached_property
    def made(self) -> set[Variable]:
        """Those that it assigns before it reads them: many more than are live."""
        return {v for v in self.changes if v not in self.carries}

    def live_within(self, after: Live) -> list[Live]:
        """What `live_before` says of the body. `head` is then what is live where it begins."""
        while self.live is None or self.live[0].keys() != after.keys():
            within = live_before(self.body, union(after, self.head, {self.again: None}))
            live = {v: None for v in within[0] if v not in self.made}
            if live.keys() <= self.head.keys():
                self.live = after, within
            else:
                self.head = union(self.head, live)
        return self.live[1]


@dataclass
class Leave:
    """The lane ends here, or (in an endless loop) never comes here."""


Tree: TypeAlias = Code | Assign | If | Repeat | Leave
Live: TypeAlias = dict[Variable, None]
"""A set of variables in the order in which they were found, so that the same text comes out every time."""


def union(*sets: Live) -> Live:
    """All variables of some sets."""
    variables: Live = {}
    for each in sets:
        variables |= each
    return variables


def live_before(trees: Sequence[Tree], after: Live) -> list[Live]:
    """Return the variables that are read later: before each tree of a sequence, and after the last."""
    live = [after]
    for tree in reversed(trees):
        live.append(_before(tree, live[-1]))
    return live[::-1]


def _before(tree: Tree, after: Live) -> Live:
    match tree:
        case Code():
            live = dict(after)
            for op in reversed(tree.ops):
                for result in op.results:
                    live.pop(result, None)
                live |= reads(op)
            return live
        case Assign():
            # What nobody reads is not assigned.
            live = without(after, (target for target, _ in tree.pairs))
            return live | {s: None for t, s in tree.pairs if t in after and not isinstance(s, int)}
        case If():
            tested = tree.condition.flag if isinstance(tree.condition, Test) else tree.condition
            return union({tested: None}, *(live[0] for live in tree.live_within(after)))
        case Repeat():
            tree.live_within(after)
            return tree.head
        case Leave():
            return {}


def without(live: Live, gone: Iterable[Variable]) -> Live:
    """The others of some variables. A copy finds no variable anew, which takes most of the time."""
    others = dict(live)
    for variable in gone:
        others.pop(variable, None)
    return others


def reads(op: Operation) -> Live:
    """The values that an operation and those in its regions take from outside."""
    values: Live = dict.fromkeys(op.operands)
    if op.regions:
        inside = {r for o in op.walk() if o is not op for r in o.results}
        inside |= {a for o in op.walk() for region in o.regions for block in region.blocks for a in block.args}
        values |= {v: None for o in op.walk() for v in o.operands if v not in inside}
    return values


def assigned(trees: Sequence[Tree]) -> Live:
    """Return the variables that some trees may assign."""
    variables: Live = {}
    for tree in trees:
        match tree:
            case Code():
                variables |= {r: None for op in tree.ops for r in op.results}
            case Assign():
                variables |= {t: None for t, _ in tree.pairs}
            case If():
                variables |= union(assigned(tree.then), assigned(tree.otherwise))
            case Repeat():
                variables |= tree.changes
            case Leave():
                pass
    return variables
