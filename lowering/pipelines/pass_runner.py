"""Runs passes: in order, on the whole module or on the operations of an anchor, with verification, timing and hooks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, ShrinkException

from hologram.errors import HologramError, InputError, InternalError, UsageError, Where, where_of
from hologram.errors.limits import check_program
from hologram.errors.machine import machine_error
from hologram.lowering.pipelines.pass_spec import PassCall
from hologram.lowering.pipelines.stage import Stage, check_stage
from hologram.plugins.faults import blamed, described
from hologram.support.recursion import deep_recursion
from hologram.support.splicing import move
from hologram.support.walking import operations
from hologram.transforms.analysis.verifier import verify_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from xdsl.context import Context
    from xdsl.dialects.builtin import FunctionType
    from xdsl.passes import ModulePass


@dataclass(frozen=True)
class RunPass:
    """A pass to run, and the text that asked for it."""

    call: PassCall
    make: Callable[[], ModulePass]
    only_on: frozenset[str] = frozenset()
    """Operations, dialects and attributes; the pass does nothing to a module that has none of them. Empty: nobody says
    so."""

    def concerns(self, names: frozenset[str]) -> bool:
        """Return whether the pass, which is only for some modules, may change one that has these names."""
        return not self.only_on.isdisjoint(names)


def names_in(module: ModuleOp) -> frozenset[str]:
    """The names of a module's operations and of the attributes that these need not have, and their dialects; of a
    function, also those of the types that it takes and gives, or of their elements: it may have none of the operations
    left that work on them."""
    names: set[str] = set()
    for op in operations(module):
        names.add(op.name)
        names.update(op.attributes)
        if op.name == "func.func":
            types = cast("FunctionType", op.properties["function_type"])
            names.update(getattr(type, "element_type", type).name for type in (*types.inputs, *types.outputs))
    return frozenset(names | {name.partition(".")[0] for name in names})


@dataclass(frozen=True)
class RunNested:
    """Steps to run on each operation called `anchor` directly inside the enclosing one."""

    anchor: str
    body: tuple[Step, ...]


@dataclass(frozen=True)
class RunStage:
    """The steps of one stage of a named pipeline, and the check that follows."""

    pipeline: str
    stages: tuple[Stage, ...]
    number: int
    body: tuple[Step, ...]

    @property
    def stage(self) -> Stage:
        return self.stages[self.number]


Step = RunPass | RunNested | RunStage


class Hooks:
    """Hooks around passes and stages; the methods do nothing unless a subclass says otherwise."""

    def before_pass(self, call: PassCall, op: Operation) -> None:
        """`op` is the module, or the operation of the anchor."""

    def after_pass(self, call: PassCall, op: Operation, seconds: float) -> None:
        """Called once the pass ran; `op` is not verified yet."""

    def failed_pass(self, call: PassCall, op: Operation) -> None:
        """Called when the pass raised, or left invalid IR; the IR may be in any state."""

    def after_verify(self, seconds: float) -> None:
        """Called after each verification."""

    def after_stage(self, step: RunStage, module: ModuleOp) -> None:
        """Called once the stage passed its check."""


@dataclass
class PassRunner:
    """Runs steps on modules."""

    ctx: Context
    hooks: Hooks = field(default_factory=Hooks)
    verify_each: bool = True
    """Verifies after every pass; otherwise only after the stages of named pipelines."""
    verify_stages: bool = True
    """Verifies after every stage. It takes a third of a small kernel's time."""
    _named: tuple[ModuleOp, frozenset[str]] | None = None
    """A module and the names in it, until a pass has run."""

    def run(self, module: ModuleOp, steps: Sequence[Step]) -> None:
        """Runs all steps on `module`, in place."""
        self._named = None
        check_program(module, "as it was given")
        with deep_recursion():
            self._run(module, module, steps)

    def _run(self, module: ModuleOp, anchor: Operation, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case RunPass():
                    self._run_pass(module, anchor, step)
                case RunNested():
                    self._run_nested(module, step)
                case RunStage():
                    self._run_stage(module, anchor, step)

    def _run_stage(self, module: ModuleOp, anchor: Operation, step: RunStage) -> None:
        self._run(module, anchor, step.body)
        if not self.verify_each and self.verify_stages:
            self._verify(module, f"stage '{step.stage.name}'")
        check_program(module, f"after stage '{step.stage.name}'")
        check_stage(module, step.pipeline, step.stages, step.number)
        self.hooks.after_stage(step, module)

    def _run_pass(self, module: ModuleOp, anchor: Operation, step: RunPass) -> None:
        name = step.call.name
        self.hooks.before_pass(step.call, anchor)
        start = time.perf_counter()
        try:
            with _failures_explained(step.call, module):
                if not step.only_on or step.concerns(self._names_in(module)):
                    self._named = None
                    step.make().apply(self.ctx, module)
            self.hooks.after_pass(step.call, anchor, time.perf_counter() - start)
            if self.verify_each:
                self._verify(module, f"pass '{name}'")
        except HologramError:
            self.hooks.failed_pass(step.call, anchor)
            raise

    def _names_in(self, module: ModuleOp) -> frozenset[str]:
        """Many passes in a row may have nothing to do."""
        if self._named is None or self._named[0] is not module:
            self._named = (module, names_in(module))
        return self._named[1]

    def _verify(self, module: ModuleOp, after: str) -> None:
        start = time.perf_counter()
        try:
            verify_module(module)
            self.hooks.after_verify(time.perf_counter() - start)
        except HologramError as error:
            raise InternalError(
                "pass-broke-ir",
                f"{after} left IR that is not valid: {error.message}",
                hint=error.hint,
                where=error.where,
            ) from error

    def _run_nested(self, module: ModuleOp, step: RunNested) -> None:
        for op in [o for block in module.body.blocks for o in block.ops if step.anchor in (o.name, "any")]:
            if isinstance(op, ModuleOp):
                self._run(op, op, step.body)
            else:
                self._run_detached(module, op, step.body)
        self._named = None
        if self.verify_each:
            self._verify(module, f"the passes on '{step.anchor}'")

    def _run_detached(self, module: ModuleOp, op: Operation, body: Sequence[Step]) -> None:
        """Runs passes, which take modules, on one operation: in a module of its own, put back where it was."""
        block, following = op.parent, op.next_op
        assert block is not None
        op.detach()
        alone = ModuleOp([op], module.attributes.copy())
        alone.location = module.location
        runner = _Detached(self.ctx, self.hooks, self.verify_each, self.verify_stages)
        try:
            for step in body:
                if isinstance(step, RunNested):
                    runner.run_in(alone, op, step)
                else:
                    runner._run(alone, op, (step,))
        finally:
            move(alone.ops, block, following)


class _Detached(PassRunner):
    """Runs on a module that lacks what its operations refer to; it is verified when they are back in place."""

    def run_in(self, alone: ModuleOp, op: Operation, step: RunNested) -> None:
        """Runs a pipeline nested once more, on the children of `op`."""
        for child in [c for r in op.regions for b in r.blocks for c in b.ops if c.name == step.anchor]:
            self._run_detached(alone, child, step.body)

    def _verify(self, module: ModuleOp, after: str) -> None:
        pass


@contextmanager
def _failures_explained(call: PassCall, module: ModuleOp) -> Generator[None]:
    """Turns what a pass raises into one error that names the pass; options are blamed where they are given."""
    name = call.name
    try:
        yield
    except UsageError as error:
        error.where = error.where or call.blamed(error.message)
        raise
    except HologramError as error:
        error.where = error.where or where_of(module)
        raise
    except ShrinkException:
        raise
    except DiagnosticException as error:
        reason = " ".join(str(error).split())
        raise InputError("pass-failed", f"pass '{name}' can't go on: {reason}", where=_place(error, module)) from error
    except NotImplementedError as error:
        reason = " ".join(str(error).split()) or "something in this module is not implemented"
        raise InputError("pass-not-implemented", f"pass '{name}': {reason}", where=_place(error, module)) from error
    except Exception as error:
        if (lack := machine_error(error)) is not None:
            raise lack from error
        if (plugin := blamed(error)) is not None:
            raise InputError(
                "plugin-broke",
                f"the plug-in '{plugin[0]}' broke in pass '{name}': {described(error)}",
                hint=_worked_on(_place(error, module)),
                where=plugin[1],
            ) from error
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
        raise InternalError("pass-crashed", f"pass '{name}' broke: {reason}", where=_place(error, module)) from error


def _worked_on(where: Where | None) -> str:
    return "that is a fault of the plug-in" + (f", on the operation at {where.file}:{where.line}" if where else "")


def _place(error: Exception, module: ModuleOp) -> Where | None:
    """Return the place of the operation that was being worked on: what the innermost function that knows it calls
    `op`."""
    trace = error.__traceback__
    current: Operation = module
    while trace is not None:
        op = trace.tb_frame.f_locals.get("op")
        if isinstance(op, Operation) and op is not module:
            current = op
        trace = trace.tb_next
    return where_of(current)
