"""Makes artifacts of a source: one reading, a tree of stages whose branches are targets, and their code."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn, cast

from xdsl.dialects.builtin import BytesAttr, StringAttr
from xdsl.dialects.func import FuncOp

from hologram.dialects import make_context
from hologram.driver import artifacts, objects
from hologram.driver.artifacts import Artifact, Artifacts, FindEqual, Inputs, Request
from hologram.driver.canonical import module_digest
from hologram.driver.source import printed
from hologram.driver.targets import CPU, HOST, Target
from hologram.errors import InputError, PassError, where_of
from hologram.lowering.pipelines.pass_runner import Hooks, RunStage
from hologram.lowering.pipelines.pipelines import run_pipeline, unguarded
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.native import optimise, to_assembly
from hologram.runtime.devices.protocol import CODE as DEVICE_CODE
from hologram.runtime.entry import SYMBOL, choose_entry
from hologram.support.host_target import host_target

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from hologram.lowering.pipelines.stage import Stage

Branch = tuple[Target | None, tuple["Stage", ...]]
"""A target and the stages that are left on the way to it; None for forms that no target decides."""
SHAPES, ATLAS = CPU.stages[:2]
_RECORDS = re.compile(rf'^@{SYMBOL} = constant \[\d+ x i8\] c"(.*)\\00"$', re.MULTILINE)
_VALUES = re.compile(r'^define (?!void |internal |private ).*? @"?([\w.$-]+)"?\(', re.MULTILINE)
"""Functions of LLVM IR that give values, by name."""
_ESCAPED = re.compile(r"\\([0-9A-F]{2})")


def llvm_ir(inputs: Inputs, target: Target = CPU) -> str:
    """LLVM IR text with the entry records, made now."""
    want = Request(artifacts.LLVM, target)
    return dict(Compilation(inputs, [want], None).artifacts())[want].data.decode()


class Compilation:
    """One source on its way to all that is wanted of it."""

    def __init__(self, inputs: Inputs, wanted: Sequence[Request], equal: FindEqual | None):
        self.inputs = inputs
        self.name = inputs.source.name
        self.ctx = make_context()
        self.equal = equal
        self.forms = {want.form: want for want in wanted if want.target is None}
        self.targets: dict[Target, list[str]] = {}
        """The forms that are wanted of each target."""
        self.equal_keys: dict[Target, tuple[str, str]] = {}
        """Of object code for a target: the keys of equal programs, without and with their places."""
        for want in wanted:
            if want.target is not None:
                self.targets.setdefault(want.target, []).append(want.form)

    def artifacts(self) -> Artifacts:
        left: list[Branch] = [(t, tuple(s for s in t.stages if s.emits is None)) for t in self.targets]
        start = perf_counter()
        module = self.inputs.source.read(self.ctx)
        self.inputs.check_unchanged()
        self.inputs.tell("read", "read", perf_counter() - start)
        for form in (artifacts.PLAIN, artifacts.LOCATED):
            if form in self.forms:
                yield self.forms[form], Artifact(printed(module, located=form == artifacts.LOCATED).encode())
        if artifacts.DOCUMENT in self.forms:
            yield self.forms[artifacts.DOCUMENT], Artifact(_documents_text(self.inputs).encode())
        guarded = [self.forms[form] for form in artifacts.GUARDED if form in self.forms]
        if guarded:
            left.append((None, unguarded((SHAPES, ATLAS)) if guarded[0].unsafe_memory else (SHAPES, ATLAS)))
        if left:
            yield from self._grow(module, left, is_first=True)

    def _grow(self, module: ModuleOp, left: Sequence[Branch], is_first: bool = False) -> Artifacts:
        """Runs the stages of all targets on a module, which is used up; those that begin alike go together."""
        groups: dict[Stage | None, list[Branch]] = {}
        for target, stages in left:
            groups.setdefault(stages[0] if stages else None, []).append((target, stages[1:]))
        last = list(groups)[-1]
        for stage, branches in groups.items():
            mine = module if stage is last else module.clone()
            targets = [target for target, _ in branches if target is not None]
            if stage is None:
                for target in targets:
                    yield from self._finish(mine, target)
                continue
            ahead = (stage,)
            if len(branches) == 1 and targets and not is_first:
                # Alone from here on.
                ahead, branches = (stage, *branches[0][1]), [(targets[0], ())]
            run_pipeline(mine, self.ctx, ahead, hooks=_NoteStages(self.inputs, targets), verify_stages=False)
            if len(branches) > len(targets):
                yield from self._between(stage, mine)
            if is_first:
                known = dict(self._known(mine, targets))
                yield from known.items()
                branches = [(t, stages) for t, stages in branches if Request(artifacts.OBJECT, t) not in known]
            if branches:
                yield from self._grow(mine, branches)

    def _known(self, module: ModuleOp, targets: Sequence[Target]) -> Artifacts:
        """The object code of equal programs, for targets of which nothing else is wanted."""
        targets = [target for target in targets if self.targets[target] == [artifacts.OBJECT]]
        if self.equal is None or not targets:
            return
        # Code that can trap tells the places of its own source, so it is kept under a key that knows them.
        anywhere, here = (module_digest(module, places=places) for places in (False, True))
        for target in targets:
            want = Request(artifacts.OBJECT, target)
            keys = self.inputs.equal_key(want, anywhere), self.inputs.equal_key(want, here)
            self.equal_keys[target] = keys
            for key in keys:
                if (artifact := self.equal(key)) is not None:
                    yield want, artifact.changed(equal=key, is_known=True)
                    break

    def _between(self, stage: Stage, module: ModuleOp) -> Artifacts:
        """Make what is made of the module behind a stage that all targets have."""
        if stage.name == SHAPES.name and self.forms.keys() & {*artifacts.MACHINE_FORMS}:
            yield from self._machine_forms(module)
        if stage == ATLAS and artifacts.ATLAS in self.forms:
            yield self.forms[artifacts.ATLAS], Artifact(printed(module, located=False).encode())

    def _machine_forms(self, shaped: ModuleOp) -> Artifacts:
        """The machine form of lane programs; where there is none, the artifacts say why."""
        from hologram.lowering.machine.assembly import AtlasAsmTarget
        from hologram.lowering.machine.binary import AtlasBinaryTarget
        from hologram.lowering.machine.machine_form import machine_form

        try:
            module = machine_form(shaped, self.ctx)
            text = StringIO()
            AtlasAsmTarget().emit(self.ctx, module, text)
            forms = {
                artifacts.ISA: Artifact(AtlasBinaryTarget().emit_binary(self.ctx, module)),
                artifacts.ASSEMBLY: Artifact(text.getvalue().encode()),
            }
            if not module.body.block.ops.first:
                forms = dict.fromkeys(artifacts.MACHINE_FORMS, Artifact(b"", {"missing": "it has no lane programs"}))
        except (PassError, InputError) as error:
            forms = dict.fromkeys(artifacts.MACHINE_FORMS, Artifact(b"", {"missing": error.message}))
        yield from ((self.forms[form], artifact) for form, artifact in forms.items() if form in self.forms)

    def _finish(self, module: ModuleOp, target: Target) -> Artifacts:
        """The artifacts of a target, of a module of the llvm dialect."""
        start = perf_counter()
        forms = self.targets[target]
        text = emit_llvm_ir(module)
        if forms == [artifacts.OBJECT]:
            yield Request(artifacts.OBJECT, target), self._object(text, target)
            return
        records = _records(text, self.inputs)
        if target.device != HOST and any("device" not in record for record in records):
            self._refuse(target)
        image = objects.object_code(self.inputs, text) if {artifacts.OBJECT, artifacts.LOADABLE} & {*forms} else b""
        for form in forms:
            match form:
                case artifacts.DEVICE:
                    artifact = _device_code(module, records[0])
                case artifacts.OBJECT:
                    artifact = Artifact(image)
                case artifacts.ENTRIES:
                    artifact = Artifact(json.dumps(records).encode())
                case artifacts.LOADABLE:
                    artifact = objects.loadable(image, self.name, target)
                case artifacts.CHECKED:
                    artifact = Artifact(b"")
                case _:
                    artifact = Artifact(self._text(form, text).encode())
            yield Request(form, target), artifact
        self.inputs.tell(target.name, "code", perf_counter() - start)

    def _object(self, text: str, target: Target) -> Artifact:
        """Object code alone, under the key of equal programs."""
        if f"@{SYMBOL}" not in text:
            _check_arrays(text, self.inputs)
            choose_entry((), None, self.name)
        image = objects.object_code(self.inputs, text)
        if target not in self.equal_keys:
            return Artifact(image)
        has_places = any(record.get("sites") for record in _records(text, self.inputs))
        return Artifact(image, equal=self.equal_keys[target][has_places])

    def _refuse(self, target: Target) -> NoReturn:
        raise InputError(
            "compile-no-kernel",
            f"'{self.name}' has nothing that a device runs, so there is no code for '{target.name}'",
            hint="compile it for cpu",
        )

    def _text(self, form: str, text: str) -> str:
        if form == artifacts.LLVM:
            return text
        level = self.inputs.opt_level
        optimised = optimise(text, host_target(), level)
        return optimised if form == artifacts.OPTIMISED else to_assembly(optimised, host_target(), level)


class _NoteStages(Hooks):
    """Tells the time of each stage, and for which targets it ran."""

    def __init__(self, inputs: Inputs, targets: Sequence[Target]):
        self._inputs = inputs
        self._whose = "+".join(target.name for target in targets) or "forms"
        self._start = perf_counter()

    def after_stage(self, step: RunStage, module: ModuleOp) -> None:
        now = perf_counter()
        self._inputs.tell(self._whose, f"stage {step.stage.name}", now - self._start)
        self._start = now


# Parts


def _documents_text(inputs: Inputs) -> str:
    """The kernel documents of a source as JSON: the one there is, or a list."""
    from hologram.driver.portable import PortableSource
    from hologram.frontend.kernels.document import write

    source = inputs.source
    documents = (source if isinstance(source, PortableSource) else PortableSource.of(source)).documents()
    return write(documents[0] if len(documents) == 1 else documents)


def _records(text: str, inputs: Inputs) -> list[dict[str, Any]]:
    """The entry records in LLVM IR that was written here."""
    match = _RECORDS.search(text)
    if match is None:
        _check_arrays(text, inputs)
        raise InputError(
            "compile-no-entry",
            f"'{inputs.source.name}' has no entry: no public function that can be launched",
            hint="a function that is public and returns nothing, or tensors, can be launched: func.func @main(...)",
        )
    return json.loads(_ESCAPED.sub(lambda m: chr(int(m[1], 16)), match[1]))


def _check_arrays(text: str, inputs: Inputs) -> None:
    """Refuses a program without an entry for its public functions that give numbers, if it has such."""
    name = inputs.source.name
    names = {found[1] for found in _VALUES.finditer(text)}
    functions = inputs.source.read(make_context()).ops if names else ()
    plain = next((op for op in functions if isinstance(op, FuncOp) and op.sym_name.data in names), None)
    if plain is not None:
        types = ", ".join(map(str, plain.function_type.outputs.data))
        raise InputError(
            "compile-no-array",
            f"'{name}' has no entry: @{plain.sym_name.data} gives {types}, and what a launch gives is in arrays",
            hint="give tensors, or store to an argument such as %out: memref<1xf32>",
            where=where_of(plain),
        )


def _device_code(module: ModuleOp, record: Mapping[str, Any]) -> Artifact:
    """The code for a device in what is left for this machine; of WebAssembly the module, which engines load."""
    about = {key: record["device"][key] for key in ("format", "target", "kernels")}
    data = _global(module, DEVICE_CODE)[: record["device"]["bytes"]]
    if about["format"] == "wasm-object":
        from hologram.lowering.targets.objects.wasm_link import link

        data = link(data)
    return Artifact(data, about)


def _global(module: ModuleOp, name: str) -> bytes:
    """The bytes of a constant."""
    named = {op.properties["sym_name"]: op for op in module.body.block.ops if "sym_name" in op.properties}
    value = named[StringAttr(name)].properties["value"]
    return value.data if isinstance(value, BytesAttr) else cast("StringAttr", value).data.encode()
