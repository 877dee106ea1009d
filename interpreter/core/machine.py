"""Executes host code: functions, structured control flow, and whatever its table of handlers has a row for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias, cast

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.dialects.atlas.arrays.general import YieldOp
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import PtrType
from hologram.dialects.atlas.lanes.branches import CALL_STACK
from hologram.dialects.atlas.lanes.class_memory import BoundMapOp
from hologram.dialects.atlas.lanes.programs import MemfenceOp
from hologram.errors import InputError, LaunchError, where_of
from hologram.interpreter.core import traps
from hologram.interpreter.core.scalars import SCALARS, unsupported
from hologram.interpreter.core.state import AtlasState
from hologram.interpreter.core.values import Array, Value
from hologram.support import deadlines
from hologram.support.registry import Registry

Handler: TypeAlias = Callable[[Any, Any, list[Any]], Sequence[Value]]
"""Executes one operation: the machine, the operation and its operands' values to its results' values."""

_TERMINATORS = frozenset(
    op.name for op in (func.ReturnOp, scf.YieldOp, scf.ConditionOp, scf.ReduceOp, scf.ReduceReturnOp, YieldOp)
)


STEPS_BETWEEN_LOOKS = 256
"""Operations after which the interpreter looks whether its time is over."""


class Machine:
    """The state of one run: the values of the function being executed, and the steps so far."""

    def __init__(self, module: ModuleOp, handlers: Registry[Handler], step_limit: int, state: AtlasState):
        self.state = state
        self.module = module
        self.step_limit = step_limit
        self.steps = 0
        self.environment: dict[SSAValue, Value] = {}
        self._handlers = handlers
        self._symbols: dict[str, Operation] | None = None
        self._depth = 0

    @cached_property
    def by_byte(self) -> bool:
        """Return whether lanes may access parts of elements, so that races are to be found on bytes."""
        return any(isinstance(r.type, PtrType) for op in self.module.walk() for r in op.results)

    @cached_property
    def fenced(self) -> bool:
        """Return whether fences may order the accesses of lanes."""
        return any(isinstance(op, MemfenceOp) for op in self.module.walk())

    @cached_property
    def uses_classes(self) -> bool:
        """Return whether anything makes pointers into class memory."""
        return any(isinstance(op, BoundMapOp) for op in self.module.walk())

    def symbol(self, name: str) -> Operation | None:
        """The operation of the module with a symbol's name, in the module or in one nested in it."""
        if self._symbols is None:
            self._symbols = {}
            for op in self.module.walk():
                sym_name = op.properties.get("sym_name") or op.attributes.get("sym_name")
                self._symbols.setdefault(sym_name.data if isinstance(sym_name, StringAttr) else "", op)
        return self._symbols.get(name)

    def step(self, op: Operation) -> None:
        """Counts an operation."""
        self.steps += 1
        if self.steps > self.step_limit:
            raise traps.step_limit(op, self.step_limit)
        if not self.steps % STEPS_BETWEEN_LOOKS and deadlines.is_over():
            message = "the interpreter was stopped: its time was over"
            hint = "the arrays that the program writes may be written in part; give it more time"
            raise LaunchError("interpreter-timeout", message, hint=hint, where=where_of(op))

    def call(self, function: func.FuncOp, args: Sequence[Value]) -> list[Value]:
        """Executes a function in an environment of its own."""
        if not function.body.blocks:
            raise InputError(
                "interpreter-declaration",
                f"@{function.sym_name.data} is declared but has no body",
                where=where_of(function),
            )
        if self._depth > CALL_STACK:
            raise traps.call_overflow(function, CALL_STACK)
        outer, self.environment = self.environment, {}
        self._depth += 1
        try:
            return self._run_blocks(function.body.blocks[0], args)
        finally:
            self._depth -= 1
            self.environment = outer

    def _run_blocks(self, block: Block, args: Sequence[Value]) -> list[Value]:
        """Follows branches from block to block until one returns."""
        while True:
            self._run_operations(block, args)
            last = block.last_op
            match last:
                case cf.BranchOp():
                    block, args = last.successor, self.values(last.arguments)
                case cf.ConditionalBranchOp():
                    taken = bool(self.environment[last.cond])
                    block = last.then_block if taken else last.else_block
                    args = self.values(last.then_arguments if taken else last.else_arguments)
                case _:
                    return self._terminate(last)

    def run_block(self, block: Block, args: Sequence[Value]) -> list[Value]:
        """Executes a region's block: the values that its terminator gives."""
        self._run_operations(block, args)
        return self._terminate(block.last_op)

    def _run_operations(self, block: Block, args: Sequence[Value]) -> None:
        self.environment.update(zip(block.args, args, strict=True))
        for op in block.ops:
            if op is not block.last_op or self._handlers.find(type(op)) is not None:
                self.run(op)

    def _terminate(self, op: Operation | None) -> list[Value]:
        if op is None or self._handlers.find(type(op)) is not None:
            return []
        if op.name not in _TERMINATORS:
            raise unsupported(op)
        return self.values(op.operands)

    def values(self, operands: Sequence[SSAValue]) -> list[Value]:
        """The values of operands."""
        return [self.environment[v] for v in operands]

    def run(self, op: Operation) -> None:
        """Executes one operation and binds its results."""
        self.step(op)
        results = self._handlers.of(op)(self, op, self.values(op.operands))
        self.environment.update(zip(op.results, results, strict=True))


def run_scalar(machine: Machine, op: Operation, args: list[Any]) -> Sequence[Value]:
    """A scalar operation, over one lane or, in the region of an array-level operation, over many."""
    try:
        return (SCALARS.of(op)(op, args),)
    except Trap as trap:
        raise division_trap(op, trap, args) from None


def division_trap(op: Operation, trap: Trap, args: Sequence[Array]) -> Exception:
    """The error for a reference function's trap at host and array level."""
    import numpy as np

    shape = np.broadcast_shapes(*(a.shape for a in args))
    at = traps.first(trap.lanes, shape)
    place = f" at {traps.show_index(at)}" if shape else ""
    return traps.instruction(op, trap.reason, place, [traps.pick(a, at, shape) for a in args])


def attribute_values(attr: Attribute) -> list[int]:
    """The integers of a dense array attribute."""
    return [int(v) for v in cast(Any, attr).get_values()]
