"""The rules of convert-atlas-to-core share the walk's state, and a decorator for rules of scalar instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, MemRefType, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.atlas.lanes.programs import FuncOp, ProgramOp
from hologram.lowering.arithmetic.expansions.tables import Use
from hologram.lowering.rewriting.conversion import Rewriter, Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.kernel_builder import LINEAR
from hologram.lowering.rewriting.traps import Sites, trap_if

Held = dict[Operation, frozenset[type[Operation]]]


class AtlasRewriter(Rewriter):
    """The walk of convert-atlas-to-core."""

    def __init__(self, rules: Rules, sites: Sites, guard: bool, kernel_module: str):
        super().__init__(rules)
        self.sites = sites
        self.guard = guard
        self.kernel_module = kernel_module
        """The name of the gpu.module that programs go to."""
        self.kernels: list[Operation] = []
        """The kernels made so far."""
        self.block_sizes: dict[str, tuple[int, int, int] | None] = {}
        """The lanes of a block of each program that says them."""
        self.grids: dict[str, tuple[int | None, ...]] = {}
        """The blocks along each axis of each program that is launched, where all its launches say the same number."""
        self.open_programs: set[str] = set()
        """The programs with a shared array that the launch sizes."""
        self.fused = True
        """Whether activations may use fused multiply-adds."""
        self.looks_up = True
        """Whether activations take tables where there is a form without."""
        self.contract = True
        """Whether a `mad` that may round once does."""
        self.doubles = True
        """Whether there are floats of 64 bits."""
        self.tables: list[Use] = []
        """What wants a table of coefficients."""
        self.state: dict[MemRefType[Attribute], SSAValue] = {}
        """What a lane keeps of its state, inside a lane program: the memory by its type."""
        self.functions: set[str] = set()
        """The names of the module's functions outside of kernels."""
        self.leaving: set[str] = set()
        """The functions from which a lane may not come back."""
        self.held: Held = {}
        """The kinds of operations that one with regions is and holds."""
        self.votes: dict[Operation, SSAValue] = {}
        """The shared memory of loops with a barrier that lanes exit in."""
        self.function_state: dict[str, tuple[MemRefType[Attribute], ...]] = {}
        """What each function needs of the state of the lane that calls it."""
        self.linear_lane: Callable[[], SSAValue] | None = None
        """Emits the linear number of the lane, inside a lane program."""

    def trap_if(
        self,
        op: Operation,
        bad: SSAValue,
        text: str,
        values: Callable[[], Sequence[SSAValue]],
        *,
        lane: SSAValue | None = None,
        signed: bool = True,
    ) -> None:
        """Traps where `bad` holds, naming the lane that `op` runs in unless one is given, and what `values` emits."""
        where = (lambda: self.lane(op)) if lane is None else (lambda: Core(self).index_cast(lane, i64))
        trap_if(self, self.sites, op, bad, text, values, where, signed=signed)

    def trap_outside(
        self,
        op: Operation,
        text: str,
        checks: Sequence[tuple[SSAValue, SSAValue]],
        outside: Sequence[SSAValue],
        *,
        signed: bool = True,
    ) -> None:
        """Trap where one of some values is out of its range, naming the first such value and the end of its range.

        `checks` has the values and the ends, `outside` whether each value is out of its range.
        """
        core = Core(self)

        def culprit() -> list[SSAValue]:
            value, end = checks[-1]
            for (other, limit), condition in reversed(list(zip(checks, outside, strict=True))[:-1]):
                value, end = core.select(condition, other, value), core.select(condition, limit, end)
            return [value, end]

        self.trap_if(op, reduce(core.either, outside), text, culprit, signed=signed)

    def lane(self, op: Operation) -> SSAValue:
        """The lane that `op` runs in, or the linear number of the element it computes; 0 if neither is known."""
        core = Core(self)
        parent = op.parent_op()
        while parent is not None and not isinstance(parent, ProgramOp | FuncOp):
            if isinstance(parent, scf.ForOp) and LINEAR in parent.attributes:
                index = self.value(parent.body.block.args[0])
                return core.index_cast(index, i64) if isinstance(index.type, IndexType) else index
            parent = parent.parent_op()
        if parent is not None and self.linear_lane is not None:
            return self.linear_lane()
        return core.constant(0, i64)


Emit = Callable[[AtlasRewriter, Core, Any, DType, list[SSAValue]], SSAValue]
"""A rule's code: the walk, the emitter, the instruction, its type, its converted operands."""


EMITTED: dict[type[Any], Emit] = {}
"""The rules of scalar instructions, by their operations."""


def scalar_rule(rules: Rules, *op_types: type[Any]) -> Callable[[Emit], Emit]:
    """Registers the decorated function for scalar instructions; it gives what replaces the result."""

    def register(emit: Emit) -> Emit:
        def rule(rw: AtlasRewriter, op: Any) -> None:
            rw.define(op.result, emit(rw, Core(rw), op, op.dtype, [rw.value(v) for v in op.operands]))

        rules.on(*op_types)(rule)
        EMITTED.update(dict.fromkeys(op_types, emit))
        return emit

    return register


def constant_integer(value: SSAValue) -> int | None:
    """The number an integer operand is known to be."""
    owner = value.owner if not isinstance(value, BlockArgument) else None
    if not isinstance(owner, Operation):
        return None
    attribute = owner.value if isinstance(owner, MovImmOp) else owner.properties.get("value")
    data = getattr(getattr(attribute, "value", None), "data", None)
    return data if isinstance(data, int) else None
