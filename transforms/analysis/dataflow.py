"""The base of analyses of values: transfer functions by operation, and facts that are computed when asked for.

A fact says what is known of an SSA value. It follows from the facts of the operands of the operation that gives the
value, by the operation's transfer function; of a value without one the analysis knows what it starts from. So it does
of arguments of blocks, also of those that loops carry. A transfer function is called for each result that is asked for,
and is given that result: `result.index` is its number. Facts are remembered, each is computed once, and chains may be
as long as they like.

Two analyses go another way, as facts about values depend on facts about control in them: `sccp` follows only the paths
that can be taken, and `uniformity` revises which operations all lanes share.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from xdsl.ir import Operation, SSAValue

from hologram.support.registry import Registry

Fact = TypeVar("Fact")
Transfer = Callable[[Any, Any, Any], Any]
"""From the analysis, an operation and one of its results to the fact of that result."""


class Analysis(ABC, Generic[Fact]):
    """Facts about values, computed backwards from those that are asked for; `known` has those that are told or found.

    Cycles through operands, which only unreachable code and graph regions have, end at what their values start from.
    """

    transfers: ClassVar[Registry[Transfer]]

    def __init__(self) -> None:
        self.known: dict[SSAValue, Fact] = {}

    @abstractmethod
    def start(self, value: SSAValue) -> Fact:
        """Return what is known of a value without its operands."""

    def follows(self, value: SSAValue) -> Transfer | None:
        """The transfer function that computes a value's fact; None where it is what it starts from."""
        owner = value.owner
        return self.transfers.find(type(owner)) if isinstance(owner, Operation) else None

    def of(self, value: SSAValue) -> Fact:
        """Return the fact of a value."""
        known = self.known
        if value in known:
            return known[value]
        # One operand at a time, so that what is open is one path, and the operands' facts are there when used.
        path: list[tuple[Operation, SSAValue, Transfer]] = []
        opened: SSAValue | None = value
        while True:
            if opened is not None:
                known[opened] = self.start(opened)
                if (transfer := self.follows(opened)) is not None:
                    assert isinstance(opened.owner, Operation)
                    path.append((opened.owner, opened, transfer))
            if not path:
                return known[value]
            op, target, transfer = path[-1]
            opened = next((v for v in op.operands if v not in known), None)
            if opened is None:
                known[target] = transfer(self, op, target)
                path.pop()
