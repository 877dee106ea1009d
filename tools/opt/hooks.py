"""The work of `hologram-opt` around passes: printing IR, measuring time, writing the stages to a folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hologram.dialects.mlir_printer import print_operation
from hologram.lowering.pipelines.pass_runner import Hooks, RunStage
from hologram.lowering.pipelines.pipelines import all_passes
from hologram.tools.cli import make_folder, write_file

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from hologram.lowering.pipelines.pass_spec import PassCall


class HookList(Hooks):
    """Several hooks as one."""

    def __init__(self, hooks: Sequence[Hooks]):
        for name in ("before_pass", "after_pass", "failed_pass", "after_verify", "after_stage"):
            setattr(self, name, _one_after_another([getattr(hook, name) for hook in hooks]))


def _one_after_another(functions: Sequence[Callable[..., None]]) -> Callable[..., None]:
    def call_all(*args: Any) -> None:
        for function in functions:
            function(*args)

    return call_all


@dataclass
class PrintIr(Hooks):
    """Prints IR to standard error before and after passes, under the headings that mlir-opt prints."""

    before: Collection[str] | None = ()
    """The passes before which IR is printed; None for all."""
    after: Collection[str] | None = ()
    after_change: bool = False
    """Prints after passes only where they changed something."""
    after_failure: bool = False
    generic: bool = False
    debuginfo: bool = False
    _texts: dict[Operation, str] = field(default_factory=dict["Operation", str])

    def _text(self, op: Operation) -> str:
        return print_operation(op, generic=self.generic, debuginfo=self.debuginfo)

    def _show(self, when: str, call: PassCall, text: str) -> None:
        kind = all_passes()[call.name]().__name__
        sys.stderr.write(f"// -----// IR Dump {when.format(kind)} ({call.name}) //----- //\n{text}\n\n")

    def before_pass(self, call: PassCall, op: Operation) -> None:
        if self.before is None or call.name in self.before:
            self._show("Before {}", call, self._text(op))
        if self.after_change:
            self._texts[op] = self._text(op)

    def after_pass(self, call: PassCall, op: Operation, seconds: float) -> None:
        if self.after is not None and call.name not in self.after and not self.after_change:
            return
        text = self._text(op)
        if not self.after_change or self._texts.pop(op, None) != text:
            self._show("After {}", call, text)

    def failed_pass(self, call: PassCall, op: Operation) -> None:
        if self.after_failure or self.after is None:
            self._show("After {} Failed", call, self._text_or_generic(op))

    def _text_or_generic(self, op: Operation) -> str:
        """Half-rewritten IR may not print in its own syntax, or not at all."""
        for generic in (self.generic, True):
            try:
                return print_operation(op, generic=generic, debuginfo=self.debuginfo)
            except Exception:
                continue
        return "// the IR is in a state that can't be printed"


@dataclass
class Timing(Hooks):
    """Adds up the time of each pass and of the steps around them."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    runs: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, name: str, seconds: float) -> None:
        """Adds one run of a pass or step."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.runs[name] = self.runs.get(name, 0) + 1

    def after_pass(self, call: PassCall, op: Operation, seconds: float) -> None:
        self.add(call.name, seconds)

    def after_verify(self, seconds: float) -> None:
        self.add("(verify)", seconds)

    def report(self, form: str) -> str:
        """A table for people, or JSON for programs."""
        total = sum(self.seconds.values())
        if form == "json":
            rows = [{"name": n, "seconds": s, "runs": self.runs[n]} for n, s in self.seconds.items()]
            return json.dumps({"total": total, "rows": rows}) + "\n"
        lines = [f"{'seconds':>9}  {'share':>6}  {'runs':>5}  name"]
        for name, seconds in self.seconds.items():
            share = seconds / total if total else 0.0
            lines.append(f"{seconds:9.4f}  {share:6.1%}  {self.runs[name]:5d}  {name}")
        return "\n".join([*lines, f"{total:9.4f}  {1:6.1%}  {'':5}  total"]) + "\n"


@dataclass
class DumpStages(Hooks):
    """Writes the module after each stage of a named pipeline, or else after each pass, to numbered files."""

    folder: Path
    by_pass: bool
    """Whether each pass makes a file: where no named pipeline says what the stages are."""
    generic: bool = False
    _count: int = 0

    def __post_init__(self) -> None:
        make_folder(self.folder)

    def write(self, name: str, suffix: str, data: bytes) -> None:
        """Writes the next file."""
        path = self.folder / f"{self._count:02d}-{name}{suffix}"
        self._count += 1
        write_file(str(path), data)

    def write_module(self, name: str, op: Operation, comment: str) -> None:
        """Writes IR, with a comment on what it is."""
        text = print_operation(op, generic=self.generic)
        self.write(name, ".mlir", f"// {comment}\n{text}\n".encode())

    def after_pass(self, call: PassCall, op: Operation, seconds: float) -> None:
        if self.by_pass:
            self.write_module(call.name, op, f"after pass {call}")

    def after_stage(self, step: RunStage, module: ModuleOp) -> None:
        stage = step.stage
        place = f"stage {step.number + 1} of {step.pipeline}"
        self.write_module(stage.name, module, f"after {place}: {stage.name} ({stage.passes})")
