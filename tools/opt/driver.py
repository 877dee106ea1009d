"""Runs `hologram-opt` on one input: reads, verifies, runs the passes, writes; each part of a split input on its own."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hologram.dialects import make_context
from hologram.errors import HologramError, InputError, InternalError, UsageError, did_you_mean, register_source, render
from hologram.frontend import ASSEMBLY_FORMS, all_forms, find_frontend, is_binary
from hologram.lowering.pipelines.mlir import MlirTarget
from hologram.lowering.pipelines.pass_options import build
from hologram.lowering.pipelines.pass_runner import Hooks, PassRunner, RunStage, Step
from hologram.lowering.pipelines.pass_spec import Node, PassCall, format_nodes, parse_call, parse_option, parse_pipeline
from hologram.lowering.pipelines.pipelines import all_targets, check_anchors, is_pipeline, resolve
from hologram.plugins.tables import KINDS
from hologram.tools.cli import REPORT, read_bytes, read_text, report, unexpected, with_room_for, write_output
from hologram.tools.opt.expected import unmet
from hologram.tools.opt.hooks import DumpStages, HookList, PrintIr, Timing
from hologram.tools.opt.options import PASS_OPTION, Options
from hologram.tools.opt.reproducer import need_plugins, reproducer_text, write_reproducer
from hologram.transforms.analysis.verifier import collect_errors

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

ResultT = TypeVar("ResultT")

STDIN = "<stdin>"
DEFAULT_PIPELINE = "hologram-to-cpu"


@dataclass(frozen=True)
class Chunk:
    """A part of the input, with empty lines before it so that its line numbers are those of the whole."""

    name: str
    text: str
    data: bytes = b""
    """The whole of a binary input, which has no text."""


class OptDriver:
    """One run of the tool."""

    def __init__(self, options: Options):
        self.options = options
        self.timing = Timing()
        self.verify_each = options.verify_each
        self._reproducer_pipeline: tuple[Node, ...] = ()
        self._can_shrink = False
        self._passes_began = False
        self._printed: str | None = None
        """What was read, as MLIR text, where it was read from another form."""

    # The parts

    @property
    def form(self) -> str:
        """The input form."""
        return self.options.frontend or Path(self.options.input_file).suffix[1:] or "mlir"

    @property
    def target(self) -> str:
        """The output form, with options."""
        by_suffix = {suffix: form for form, suffix in ASSEMBLY_FORMS.items()} | {"circuit": "circuit"}
        suffix = Path(self.options.output_file).suffix[1:]
        return by_suffix.get(suffix, MlirTarget.name) if self.options.target is None else self.options.target

    @cached_property
    def pipeline(self) -> tuple[Node, ...]:
        """The passes that were asked for, as text says them."""
        options = self.options
        if options.passes and options.pass_pipeline is not None:
            raise UsageError(
                "pipeline-twice", "passes are given both by -p and by --pass-pipeline", hint="use one of them"
            )
        if options.pass_pipeline is not None:
            return parse_pipeline(options.pass_pipeline, "--pass-pipeline")
        nodes = tuple(node for text in options.passes for node in _passes(text))
        if not nodes and options.dump_stages_to is not None:
            return (PassCall(DEFAULT_PIPELINE),)
        return nodes

    @cached_property
    def dump(self) -> DumpStages | None:
        """The writer of stages, if they were asked for."""
        if self.options.dump_stages_to is None:
            return None
        return DumpStages(Path(self.options.dump_stages_to), not self._named, self.options.print_op_generic)

    @property
    def _named(self) -> str | None:
        """The named pipeline that is to run, if any."""
        return next((n.name for n in self.pipeline if isinstance(n, PassCall) and is_pipeline(n.name)), None)

    @cached_property
    def hooks(self) -> HookList:
        """The hooks around passes."""
        options = self.options
        hooks: list[Hooks] = [self.timing, *([self.dump] if self.dump else [])]
        if self._prints:
            everything = options.print_after_all or "all" in options.print_after
            printer = PrintIr(
                None if options.print_before_all or "all" in options.print_before else options.print_before,
                None if everything and not options.print_after_change else options.print_after,
                options.print_after_change,
                options.print_after_failure,
                options.print_op_generic,
                options.print_debuginfo,
            )
            hooks.append(printer)
        return HookList(hooks)

    @property
    def _prints(self) -> bool:
        o = self.options
        flags = (o.print_before_all, o.print_after_all, o.print_after_change, o.print_after_failure)
        return any(flags) or bool(o.print_before or o.print_after)

    # The run

    def run(self) -> int:
        """Does everything; gives the exit code."""
        options = self.options
        steps = resolve(self.pipeline)
        check_anchors(self.pipeline, make_context(allow_unregistered=options.allow_unregistered_dialect))
        self._check_pass_names()
        if options.dump_pass_pipeline:
            sys.stderr.write(f"builtin.module({format_nodes(self.pipeline)})\n")
        parse, emit = self._find_frontend(), self._find_target()
        outputs: list[bytes] = []
        code = 0
        for chunk in self._read():
            output, failed = with_room_for(chunk.text, lambda chunk=chunk: self._run_chunk(chunk, steps, parse, emit))
            code = max(code, failed)
            if output is not None:
                outputs.append(output)
        self._write(outputs, code)
        if options.timing is not None or options.time_passes:
            sys.stderr.write(self.timing.report(options.timing or "text"))
        return self._shrink_code(code) if options.shrink else code

    def _read(self) -> list[Chunk]:
        options = self.options
        name = STDIN if options.input_file == "-" else options.input_file
        if is_binary(self.form):
            return [Chunk(name, "", self._timed("(read)", lambda: read_bytes(options.input_file)))]
        text = self._timed("(read)", lambda: read_text(options.input_file))
        register_source(name, text)
        return self._chunks(text, name)

    def _shrink_code(self, code: int) -> int:
        """Exit as xdsl-opt for the reducer shrinkray: success only if a pass raised ShrinkException."""
        sys.stdout.write("Success, can shrink\n" if self._can_shrink else "Failure, can't shrink\n")
        return 0 if self._can_shrink else max(code, 1)

    def _write(self, outputs: list[bytes], code: int) -> None:
        if self.options.output_file != "-" and code:
            return  # A file is left as it was unless all went well.
        separator = b"// -----\n" if self.target.startswith(("mlir", "atlas-asm", "circuit")) else b""
        write_output(self.options.output_file, separator.join(outputs))

    def _chunks(self, text: str, name: str) -> list[Chunk]:
        marker = self.options.split_input_file
        if marker is None:
            return [Chunk(name, text)]
        chunks: list[Chunk] = []
        lines_before = 0
        for part in re.split(rf"^[ \t]*{re.escape(marker)}.*$", text, flags=re.MULTILINE):
            chunks.append(Chunk(name, "\n" * lines_before + part))
            lines_before += part.count("\n")
        return chunks

    def _run_chunk(self, chunk: Chunk, steps: tuple[Step, ...], parse: Any, emit: Any) -> tuple[bytes | None, int]:
        """The output of one chunk, or None, and the exit code."""
        errors: list[HologramError] = []
        output = None
        self._passes_began = False
        try:
            output = self._process(chunk, steps, parse, emit, errors)
        except HologramError as error:
            errors.append(error)
        except Exception as error:
            if self.options.shrink and type(error).__name__ == "ShrinkException":
                self._can_shrink = True
                return None, 0
            errors.append(unexpected(error))
        if chunk.text:
            register_source(chunk.name, chunk.text)
        for error in tuple(errors):
            try:
                self._keep_reproducer(chunk, error)
            except UsageError as unwritable:
                errors.append(unwritable)
        if self.options.verify_diagnostics is not None and not any(isinstance(e, InternalError) for e in errors):
            only = self.options.verify_diagnostics == "only-expected"
            errors = unmet(errors, chunk.text, chunk.name, only_expected=only)
        codes = [report(error) for error in errors]
        return output, max(codes, default=0)

    def _process(
        self, chunk: Chunk, steps: tuple[Step, ...], parse: Any, emit: Any, errors: list[HologramError]
    ) -> bytes | None:
        ctx = make_context(allow_unregistered=self.options.allow_unregistered_dialect)
        try:
            module = self._timed("(parse)", lambda: parse(chunk, ctx))
        except HologramError as error:
            if not self.options.parsing_diagnostics:
                raise
            return f"{render(error)}\n".encode()
        if not self.options.disable_verify:
            errors += self._timed("(verify)", lambda: collect_errors(module))
        if errors:
            return None
        if self.form != MlirTarget.name:
            self._printed = _emit_text(MlirTarget(), ctx, module).decode()
        if self.dump:
            self.dump.write_module("input", module, f"{chunk.name} as it was read")
        steps = resolve(self._reproducer_pipeline) if self._reproducer_pipeline else steps
        self._passes_began = True
        PassRunner(ctx, self.hooks, self.verify_each and not self.options.disable_verify).run(module, steps)
        if self.dump:
            self._dump_emitted(ctx, module, steps)
        return self._timed("(print)", lambda: emit(ctx, module))

    def _timed(self, name: str, work: Callable[[], ResultT]) -> ResultT:
        start = time.perf_counter()
        result = work()
        self.timing.add(name, time.perf_counter() - start)
        return result

    # Input and output forms

    def _find_frontend(self) -> Callable[[Chunk, Context], ModuleOp]:
        form = self.form
        read = find_frontend(form)
        if read is None:
            known = all_forms()
            hint = (
                "it is an archive: hologram-compile inspect lists what it holds, and hologram-run runs it"
                if form == "holo"
                else did_you_mean(form, known) or f"-f takes {', '.join(known)}"
            )
            raise UsageError("frontend-unknown", f"there is no input form '{form}'", hint=hint)

        def parse(chunk: Chunk, ctx: Context) -> ModuleOp:
            if form != "mlir":
                return read(chunk.data if is_binary(form) else chunk.text, chunk.name, ctx)
            from hologram.frontend.mlir import MlirParser

            if self.options.run_reproducer:
                need_plugins(chunk.text, chunk.name)
            parser = MlirParser(ctx, chunk.text, chunk.name)
            module = parser.parse(not self.options.no_implicit_module)
            self._take_reproducer(parser.reproducer, chunk)
            return module

        return parse

    def _find_target(self) -> Callable[[Context, ModuleOp], bytes]:
        call = parse_call(self.target, "-t")
        if call.name == MlirTarget.name:
            return lambda ctx, module: _emit_text(self._mlir_target(call), ctx, module)
        if call.name not in all_targets():
            KINDS["output form"].find(call.name)
        targets = all_targets()
        if call.name not in targets:
            raise UsageError(
                "target-unknown",
                f"there is no output form '{call.name}'",
                hint=did_you_mean(call.name, targets) or "hologram-opt --list-targets lists them",
                where=call.where,
            )
        target = build(targets[call.name](), call, "output form")
        return lambda ctx, module: _emit(target, ctx, module)

    def _mlir_target(self, call: PassCall) -> MlirTarget:
        options = self.options
        target = build(MlirTarget, call, "output form")
        return replace(
            target,
            print_generic_format=target.print_generic_format or options.print_op_generic,
            print_debuginfo=target.print_debuginfo or options.print_debuginfo,
            print_properties_as_attributes=target.print_properties_as_attributes or options.print_no_properties,
            syntax_highlight=target.syntax_highlight or options.syntax_highlight,
        )

    def _dump_emitted(self, ctx: Context, module: ModuleOp, steps: tuple[Step, ...]) -> None:
        """Writes what the emitting rows of the named pipeline make of the module, if it ran to its last stage."""
        dump, name = self.dump, self._named
        last = next((step for step in reversed(steps) if isinstance(step, RunStage)), None)
        if dump is None or name is None or last is None or last.number + 1 >= len(last.stages):
            return
        rows = last.stages[last.number + 1 :]
        if any(row.emits is None for row in rows):
            return
        for row in rows:
            assert row.emits is not None
            target = build(all_targets()[row.emits](), PassCall(row.emits), "output form")
            data = self._timed(f"(emit {row.emits})", lambda target=target: _emit(target, ctx, module))
            dump.write(row.name, row.suffix, data)

    # Reproducers

    def _take_reproducer(self, reproducer: dict[str, str | bool], chunk: Chunk) -> None:
        if not self.options.run_reproducer:
            return
        pipeline = reproducer.get("pipeline")
        if not isinstance(pipeline, str):
            raise InputError(
                "reproducer-missing",
                f"'{chunk.name}' holds no reproducer",
                hint="--run-reproducer takes a file that --mlir-pass-pipeline-crash-reproducer wrote",
            )
        self._reproducer_pipeline = parse_pipeline(pipeline, "reproducer")
        self.verify_each = bool(reproducer.get("verify_each", True))

    def _keep_reproducer(self, chunk: Chunk, error: HologramError) -> None:
        """Writes a reproducer, where one was asked for or the fault is ours, and says so in the error's hint."""
        wanted = self.options.crash_reproducer
        if not isinstance(error, InternalError) and (wanted is None or not self._passes_began):
            return
        pipeline = self._reproducer_pipeline or self.pipeline
        path = write_reproducer(reproducer_text(self._printed or chunk.text, pipeline, self.verify_each, error), wanted)
        note = f"wrote {path} to reproduce this"
        if isinstance(error, InternalError):
            note += f"; {REPORT}"
        error.hint = f"{error.hint}; {note}" if error.hint else note

    def _check_pass_names(self) -> None:
        """The names given to the printing options must be those of passes."""
        from hologram.lowering.pipelines.pipelines import all_passes

        for name in (*self.options.print_before, *self.options.print_after):
            if name != "all" and name not in all_passes():
                raise UsageError(
                    "print-ir-unknown-pass",
                    f"there is no pass '{name}' to print IR around",
                    hint=did_you_mean(name, all_passes()),
                )


def _passes(text: str) -> tuple[Node, ...]:
    """The passes of a value of `-p`."""
    return (parse_option(text[1:]),) if text.startswith(PASS_OPTION) else parse_pipeline(text, "-p")


def _emit_text(target: Any, ctx: Context, module: ModuleOp) -> bytes:
    stream = io.StringIO()
    target.emit(ctx, module, stream)
    return stream.getvalue().encode()


def _emit(target: Any, ctx: Context, module: ModuleOp) -> bytes:
    """Return what a target makes of the module; whatever goes wrong in one of xDSL's is an error that names it."""
    try:
        if hasattr(target, "emit_binary"):
            return target.emit_binary(ctx, module)
        return _emit_text(target, ctx, module)
    except HologramError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError("target-failed", f"output form '{target.name}' can't write this module: {reason}") from error
