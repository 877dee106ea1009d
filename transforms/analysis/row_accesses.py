"""The memory that the iterations of a parallel loop touch, and the part of it that is an iteration's own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func, memref, scf
from xdsl.dialects.vector import StoreOp as VectorStoreOp
from xdsl.ir import Block, Operation, SSAValue

from hologram.dialects.memref import PrefetchOp
from hologram.dialects.vector import LoadOp as VectorLoadOp
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import touches_no_memory

_VIEWS = (memref.CollapseShapeOp, memref.ExpandShapeOp, memref.CastOp, memref.SubviewOp, memref.ReinterpretCastOp)
_CONTROL = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.ReduceOp, memref.AllocaOp, PrefetchOp)


@dataclass(frozen=True)
class Access:
    """One load or store: its operation, and its place."""

    op: Operation
    memref: SSAValue
    indices: Sequence[SSAValue]
    place: Hashable
    """The view of the memory, and the axes along which the loop's indices index it; None where one does not."""


@dataclass
class Accesses:
    """The loads and stores of a loop's body by the memory they touch, what the body allocates left out."""

    touched: dict[SSAValue, list[Access]] = field(default_factory=dict[SSAValue, list[Access]])
    written: dict[SSAValue, list[Access]] = field(default_factory=dict[SSAValue, list[Access]])

    @staticmethod
    def of(loop: scf.ParallelOp) -> Accesses | None:
        """The accesses, or None if the body has other effects."""
        accesses = Accesses()
        for op in operations(loop.body):
            match op:
                case memref.LoadOp(memref=source, indices=indices) | VectorLoadOp(base=source, indices=indices):
                    known = accesses._add(loop, op, source, indices, writes=False)
                case memref.StoreOp(memref=target, indices=indices) | VectorStoreOp(base=target, indices=indices):
                    known = accesses._add(loop, op, target, indices, writes=True)
                case _:
                    known = isinstance(op, _CONTROL) or touches_no_memory(op)
            if not known:
                return None
        return accesses

    def joined(self, other: Accesses) -> Accesses:
        """Takes in those of a loop that is joined to this one."""
        for mine, others in ((self.touched, other.touched), (self.written, other.written)):
            for root, accesses in others.items():
                mine.setdefault(root, []).extend(accesses)
        return self

    def _add(
        self, loop: scf.ParallelOp, op: Operation, value: SSAValue, indices: Sequence[SSAValue], *, writes: bool
    ) -> bool:
        """Adds an access; false if it may be to any memory."""
        root = root_of(value)
        if root is None:
            return False
        if isinstance(root.owner, Operation) and loop.is_ancestor(root.owner):
            return True
        access = Access(op, value, indices, _place(loop, value, indices))
        self.touched.setdefault(root, []).append(access)
        if writes:
            self.written.setdefault(root, []).append(access)
        return True


def root_of(value: SSAValue) -> SSAValue | None:
    """The memory that a view is of: an allocation or an argument of a public function, each of which is memory of its
    own (docs/launch-abi.mdx); None of what may be any memory."""
    while isinstance(value.owner, _VIEWS):
        value = value.owner.operands[0]
    if isinstance(value.owner, memref.AllocOp | memref.AllocaOp):
        return value
    function = value.owner.parent_op() if isinstance(value.owner, Block) else None
    if isinstance(function, func.FuncOp) and value.owner is function.body.first_block:
        private = function.sym_visibility is not None and function.sym_visibility.data != "public"
        return None if private else value
    return None


def _place(loop: scf.ParallelOp, value: SSAValue, indices: Sequence[SSAValue]) -> Hashable:
    axes: list[int] = []
    given = list(indices)
    for index in loop.body.block.args:
        if index not in given:
            return None
        axes.append(given.index(index))
    return (view_of(value), tuple(axes))


def view_of(value: SSAValue) -> Hashable:
    """Equal for views of the same elements in the same shape."""
    owner = value.owner
    if not isinstance(owner, _VIEWS):
        return value
    source, *operands = owner.operands
    return (owner.name, view_of(source), value.type, *operands, *sorted(owner.properties.items()))
