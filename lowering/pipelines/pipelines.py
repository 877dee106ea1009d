"""The named pipelines, as ordered tables of stages, and how their text becomes passes that run.

Every target is such a table. Dumping, resuming, timing and caching follow from it; the runtime runs the same rows that
a user can type with `hologram-opt -p`.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface, SymbolTable

from hologram.errors import InternalError, UsageError, did_you_mean
from hologram.lowering.pipelines.device_targets import TARGETS, DeviceTarget, check_values
from hologram.lowering.pipelines.pass_options import build
from hologram.lowering.pipelines.pass_runner import Hooks, PassRunner, RunNested, RunPass, RunStage, Step
from hologram.lowering.pipelines.pass_spec import Nest, Node, PassCall, Raw, parse_pipeline
from hologram.lowering.pipelines.stage import ANY, Stage, check_stage
from hologram.plugins import fingerprint
from hologram.plugins.tables import KINDS, Row

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.passes import ModulePass
    from xdsl.utils.target import Target

__all__ = ["PIPELINES", "Hooks", "Stage", "check_stage", "find_pass", "resolve", "run_pipeline", "stages_for"]

_LLVM = frozenset({"llvm", "builtin"})
_CONTROL = _LLVM | {"func", "cf"}
_SCALAR = _CONTROL | {"arith", "memref", "vector", "index", "ub", "math"}
_BY_ADDRESS = frozenset(
    f"llvm.{name}" for name in ("inttoptr", "load", "store", "atomicrmw", "cmpxchg", "extractvalue", "fence")
)
"""What accesses through pointers become whose object is not known, and fences."""
_CORE = _SCALAR | {"scf"} | _BY_ADDRESS
_KERNEL = _CORE | {"gpu"}
_ARRAYS = _KERNEL | {"atlas", "class.arena", "class.tile"}
_TENSOR = _ARRAYS | {"tensor", "bufferization"}
_ATLAS_VALUES = _TENSOR | {"hologram.reshape", "hologram.constant"}
_EXPANDED_MATH = frozenset(
    f"math.{name}"
    for name in (
        "absf absi ceil copysign ctlz ctpop cttz floor fma isfinite isinf isnan isnormal round roundeven sqrt trunc"
    ).split()
) | {"llvm.bitcast", "llvm.call_intrinsic"}
_PLAIN = (_CORE - {"math"}) | _EXPANDED_MATH


def _scheduled(schedule: str, forms: str = "", legal: frozenset[str] = frozenset()) -> Stage:
    """The stage that makes loops of array-level operations, but those of `forms`; `schedule` are the options."""
    raised = f"structure-control-flow,raise-loops,raise-accesses,decompose-atlas{forms}"
    return Stage("scheduled", f"{raised},schedule-atlas{{{schedule}}},fuse-parallel-loops", _ARRAYS | legal)


_LLVM_MODULE = frozenset({"llvm", "builtin.module"})

_TO_CPU = (
    Stage(
        "shapes",
        "guard-memory,convert-hologram-kernels-to-atlas,canonicalize-sigil-tiles,convert-sigil-to-atlas,lift-machine,"
        "add-launch-functions,inline-tensor-functions,infer-shapes,canonicalize,cse",
        _TENSOR | {"hologram", "algebra", "class", "monster", "torus"},
    ),
    Stage(
        "atlas",
        "convert-monster-to-algebra,convert-algebra-to-torus,convert-torus-to-atlas,convert-hologram-to-atlas,convert-class-to-atlas",
        _ATLAS_VALUES,
    ),
    Stage("fused", "generalize-atlas,loop-invariant-code-motion{tensors},fuse-atlas,canonicalize,cse", _ATLAS_VALUES),
    Stage("buffers", "bufferize", _ARRAYS),
    _scheduled("target=cpu"),
    Stage("core", "convert-class-tiles,convert-atlas-to-core", _KERNEL),
    Stage("loops", "convert-gpu-to-scf,check-allocations", _CORE),
    Stage("vectors", "vectorize-lanes,vectorize-loops", _CORE),
    Stage("math", "expand-math,permute-tables,expand-narrow-floats,expand-wide-integers", _PLAIN),
    Stage("threads", "insert-stop-checks,outline-parallel-loops,release-on-trap", _PLAIN),
    Stage("clean", "canonicalize,cse", _PLAIN),
    Stage("branches", "convert-scf-to-cf", _PLAIN - {"scf"}),
    Stage("llvm", "convert-to-llvm", _LLVM_MODULE),
    Stage("llvm-ir", emits="llvm-ir", suffix=".ll"),
    Stage("llvm-opt", emits="llvm-opt", suffix=".opt.ll"),
    Stage("asm", emits="asm", suffix=".s"),
    Stage("obj", emits="obj", suffix=".o"),
)

_KERNELS_AND_HOST = _PLAIN | {"gpu"}
_CODE = tuple(s for s in _TO_CPU if s.emits is not None)


def _to_flat(target: DeviceTarget) -> tuple[Stage, ...]:
    """Return the stages that targets with blocks of threads share: from a program to kernels in the flat form."""
    own, forms = target.legal, f"{{target={target.forms}}}"
    return (
        *_TO_CPU[:2],
        replace(_TO_CPU[2], passes=_TO_CPU[2].passes.replace("generalize-atlas", f"generalize-atlas{forms}")),
        _TO_CPU[3],
        _scheduled(target.schedule, forms, own),
        Stage("core", f"convert-class-tiles,{target.core}", _KERNEL | own),
        Stage("kernels", f"{target.parallel},outline-gpu-kernels", _KERNEL | own),
        Stage("math", target.math, _KERNELS_AND_HOST | own),
        Stage("flat", "flatten-kernels,canonicalize,cse", _KERNELS_AND_HOST | own),
    )


_TO_CPU_SIMT = (
    *_to_flat(DeviceTarget("cpu", "", math="expand-math,stage-tables,expand-narrow-floats,expand-wide-integers")),
    Stage("loops", "convert-gpu-to-scf,check-allocations", _PLAIN),
    *(s for s in _TO_CPU if s.name in ("threads", "clean", "branches", "llvm")),
    *_CODE,
)
"""The kernels of other devices as loops of a CPU, to try them without the device."""

_TO_WASM = (
    *_TO_CPU[:4],
    _scheduled("target=wasm"),
    Stage("core", "convert-class-tiles,convert-atlas-to-core{contract=false fma=false}", _KERNEL),
    *(s for s in _TO_CPU if s.name == "loops"),
    Stage("vectors", "vectorize-loops{vector-bytes=16}", _CORE),
    Stage(
        "math",
        "expand-math{fma=false vector-bytes=16},expand-narrow-floats{f16=false},"
        "expand-wide-integers{vector-bytes=16},expand-fma",
        _PLAIN,
    ),
    Stage("sequential", "release-on-trap", _PLAIN),
    *(s for s in _TO_CPU if s.name in ("clean", "branches")),
    Stage("llvm", "convert-to-llvm,convert-narrow-floats-to-i16", _LLVM_MODULE),
    Stage("host", "embed-wasm", _LLVM_MODULE),
    *_CODE,
)
"""The CPU's code without threads, for WebAssembly; `-t wasm` writes what stage `llvm` leaves."""


def device_stages(target: DeviceTarget) -> tuple[Stage, ...]:
    """The stages to a device: to kernels in the flat form, to its code, and the host's part to this machine's."""
    inside = _KERNELS_AND_HOST | target.legal
    features = f" features={','.join(target.features)}" if target.features else ""
    arch = f" target={target.target}" if target.target else ""
    return (
        *_to_flat(target),
        *([Stage("device", target.lower, inside)] if target.lower else []),
        Stage(
            "binary",
            f"gpu-module-to-binary{{format={target.format} device={target.device}{arch}{features}}}",
            inside,
        ),
        Stage("host", "release-on-trap,convert-gpu-launch-to-llvm,canonicalize,cse", _PLAIN | {"llvm"}),
        *(s for s in _TO_CPU if s.name in ("branches", "llvm")),
        *_CODE,
    )


_COHERENCE = Stage("coherence", "insert-coherence-checks", _TENSOR | {"hologram"})
"""Behind `shapes`: programs over memory are as their author wrote them."""

_OURS: dict[str, tuple[Stage, ...]] = {
    "hologram-to-cpu": _TO_CPU,
    "hologram-to-cpu-coherent": (_TO_CPU[0], _COHERENCE, *_TO_CPU[1:]),
    "hologram-to-cpu-simt": _TO_CPU_SIMT,
    "hologram-to-wasm": _TO_WASM,
    **{f"hologram-to-{name}": device_stages(target.with_options({})) for name, target in TARGETS.items()},
}


class _Pipelines(UserDict[str, tuple[Stage, ...]]):
    """Our pipelines, and those of the plug-ins that are loaded."""

    def __missing__(self, name: str) -> tuple[Stage, ...]:
        return _stages_of(KINDS["pipeline"].rows[name].thing)

    def __contains__(self, name: object) -> bool:
        return name in self.data or name in KINDS["pipeline"].rows

    def __iter__(self) -> Iterator[str]:
        return iter((*self.data, *KINDS["pipeline"].rows))

    def __len__(self) -> int:
        return len(self.data) + len(KINDS["pipeline"].rows)


def _stages_of(given: Any) -> tuple[Stage, ...]:
    stages: Any = given() if callable(given) else given
    return tuple(stages)


PIPELINES = _Pipelines(_OURS)
"""The stages of each named pipeline, in order. `-p` takes the names, alone or among passes."""


def with_stage(pipeline: str, stage: Stage, *, before: str) -> tuple[Stage, ...]:
    """The stages of a named pipeline with one more before another: a pipeline of a plug-in, most often. What is legal
    after it is what is before, unless it says that itself."""
    stages = PIPELINES[pipeline]
    names = [s.name for s in stages]
    if before not in names:
        raise UsageError(
            "pipeline-stage",
            f"'{pipeline}' has no stage '{before}' to put '{stage.name}' before",
            hint=did_you_mean(before, names) or f"its stages are {', '.join(names)}",
        )
    at = names.index(before)
    legal = stage.legal or (stages[at - 1].legal if at else frozenset({ANY}))
    return (*stages[:at], replace(stage, legal=legal), *stages[at:])


def is_pipeline(name: str) -> bool:
    """Return whether a name is that of a pipeline, of one of an installed plug-in too where it is that of no pass."""
    return name in PIPELINES or (name not in all_passes() and KINDS["pipeline"].find(name) is not None)


_DEVICES = {"cpu": "hologram-to-cpu", "wasm": "hologram-to-wasm"}
COHERENT = {"cpu": "hologram-to-cpu-coherent"}
"""By device, the pipelines of programs that check their integers themselves."""


def stages_for(device: str, options: Mapping[str, str] | None = None) -> tuple[Stage, ...]:
    """The stages that bring a module to `device`, with options of its pipeline."""
    if device in TARGETS:
        return _variant(f"hologram-to-{device}", tuple(sorted((options or {}).items())))
    if device not in _DEVICES:
        raise UsageError(
            "device-without-pipeline",
            f"there is no pipeline to device '{device}'",
            hint=did_you_mean(device, [*_DEVICES, *TARGETS]) or f"there is one to {', '.join([*_DEVICES, *TARGETS])}",
        )
    return PIPELINES[_DEVICES[device]]


@cache
def _passes_of_ours() -> dict[str, Callable[[], type[ModulePass]]]:
    """xDSL's passes and ours, which stand where both have the name."""
    from xdsl.transforms import get_all_passes as stock_passes

    from hologram.lowering import get_all_passes as lowering_passes
    from hologram.transforms import get_all_passes as transform_passes

    return stock_passes() | transform_passes() | lowering_passes()


def all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Every pass by name: xDSL's, ours, and those of the plug-ins that are loaded."""
    return _passes_of_ours() | _outside("pass")


def _outside(kind: str) -> dict[str, Callable[[], Any]]:
    def factory(row: Row) -> Callable[[], Any]:
        return lambda: row.thing

    return {name: factory(row) for name, row in KINDS[kind].rows.items()}


def names_of_ours() -> set[str]:
    """The names of passes and pipelines that are no plug-in's; they share one text."""
    return {*_passes_of_ours(), *PIPELINES.data}


@cache
def _targets_of_ours() -> dict[str, Callable[[], type[Target]]]:
    """xDSL's output forms and ours, which stand where both have the name."""
    from xdsl.targets import get_all_targets as stock_targets

    from hologram.lowering.pipelines.mlir import MlirTarget
    from hologram.lowering.pipelines.output_forms import get_all_targets as our_targets

    return stock_targets() | our_targets() | {MlirTarget.name: lambda: MlirTarget}


def all_targets() -> dict[str, Callable[[], type[Target]]]:
    """Every output form by name: xDSL's, ours, and those of the plug-ins that are loaded."""
    return _targets_of_ours() | _outside("output form")


def targets_of_ours() -> set[str]:
    """The names of output forms that are no plug-in's."""
    return {*_targets_of_ours()}


def find_pass(call: PassCall) -> type[ModulePass]:
    """The class of the pass that `call` names."""
    if call.name not in all_passes():
        KINDS["pass"].find(call.name)
    passes = all_passes()
    if call.name not in passes:
        raise UsageError(
            "pass-unknown",
            f"there is no pass or pipeline '{call.name}'",
            hint=f"passes that run on this operation stand in parentheses: {call.name}(canonicalize)"
            if call.name in ANCHORS
            else did_you_mean(call.name, [*passes, *PIPELINES]) or "hologram-opt --list-passes lists them",
            where=call.where,
        )
    try:
        return passes[call.name]()
    except ImportError as error:
        raise InternalError("pass-missing", f"pass '{call.name}' can't be loaded: {error}", where=call.where) from error


@cache
def _only_on() -> dict[str, frozenset[str]]:
    from hologram.lowering import ONLY_ON as LOWERING
    from hologram.transforms import ONLY_ON as TRANSFORMS

    return {name: frozenset(of.split()) for name, of in (LOWERING | TRANSFORMS).items()}


def only_on() -> dict[str, frozenset[str]]:
    """Return, by pass, the names without which it does nothing."""
    rows = KINDS["pass"].rows.items()
    return _only_on() | {name: frozenset(of.split()) for name, row in rows if (of := row.more.get("only_on"))}


def resolve(nodes: Sequence[Node], *, late: bool = False, anchor: str = "builtin.module") -> tuple[Step, ...]:
    """The steps that the nodes of a pipeline's text stand for, inside of an `anchor`.

    With `late`, passes that only some modules need are looked up and run for those alone.
    """
    steps: list[Step] = []
    for node in nodes:
        if isinstance(node, Nest):
            steps.append(RunNested(node.anchor, resolve(node.body, late=late, anchor=node.anchor)))
        elif is_pipeline(node.name):
            stages = _stages(node)
            _check_follows(node, stages, anchor, next((s for s in reversed(steps) if isinstance(s, RunStage)), None))
            steps += stages
        else:
            steps.append(_run_pass(node, late))
    return tuple(steps)


def check_anchors(nodes: Sequence[Node], context: Context, outer: type[Operation] = ModuleOp) -> None:
    """Refuses anchors that passes can't run on: no operations of the context, or none that stand in the outer one."""
    for node in nodes:
        if not isinstance(node, Nest):
            continue
        name = node.anchor
        op = context.get_optional_op(name) or Operation
        if op is Operation and name != "any":
            raise UsageError(
                "anchor-unknown",
                f"there is no operation '{name}' to run passes on",
                hint=_anchor_hint(name),
                where=node.where,
            )
        known = op is not Operation and not issubclass(op, UnregisteredOp)
        if known and not op.has_trait(IsolatedFromAbove):
            raise UsageError(
                "anchor-open",
                f"passes can't run on '{name}' alone: it holds no operations, or uses values from around it",
                hint="run them on the function that it is in: func.func(...)",
                where=node.where,
            )
        in_table = known and (op.has_trait(SymbolTable) or op.has_trait(SymbolOpInterface))
        if in_table and outer is not Operation and not outer.has_trait(SymbolTable, value_if_unregistered=True):
            raise UsageError(
                "anchor-order",
                f"no '{name}' stands inside of '{outer.name}'",
                hint="the outer operation comes first: builtin.module(func.func(...))",
                where=node.where,
            )
        check_anchors(node.body, context, op)


def _anchor_hint(name: str) -> str:
    if name == "mlir-opt":
        return "the passes of the real mlir-opt stand in brackets: mlir-opt[canonicalize]"
    if name in all_passes() or is_pipeline(name):
        return f"this is a pass: its options stand in braces, {name}{{...}}, and a comma between it and the next"
    return did_you_mean(name, ANCHORS) or f"such are {', '.join(ANCHORS)}"


ANCHORS = ("builtin.module", "func.func", "gpu.module", "gpu.func", "llvm.func", "any")
"""Operations that passes run on, of those that hints name."""


def _check_follows(call: PassCall, stages: Sequence[Step], anchor: str, last: RunStage | None) -> None:
    """Refuses a named pipeline that can't begin where it stands: on a part of a module, or behind its own stages."""
    if anchor not in ("builtin.module", "any"):
        raise UsageError(
            "pipeline-nested",
            f"'{call.name}' runs on a whole module, not on '{anchor}'",
            hint=f"write it outside of '{anchor}(...)'",
            where=call.where,
        )
    first = next((step for step in stages if isinstance(step, RunStage)), None)
    if last is None or first is None:
        return
    names = [stage.name for stage in first.stages]
    done = last.stage.name
    if done in names and names.index(done) < first.number:
        return
    raise UsageError(
        "pipeline-again",
        f"'{call.name}' begins with stage '{first.stage.name}', but '{last.pipeline}' before it has gone to '{done}'",
        hint=f"run one of them, or each a part: {last.pipeline}{{to=core}},{call.name}{{from=loops}}"
        if "loops" in names
        else "run one of them",
        where=call.where,
    )


def _run_pass(node: PassCall, late: bool) -> RunPass:
    only = only_on().get(node.name, frozenset[str]()) if late else frozenset[str]()
    make = cache(lambda: build(find_pass(node), node))
    if not only:
        make()
    return RunPass(node, make, only)


UNSAFE = "unsafe-memory"
"""The option of pipelines that leaves out the guards of programs at the kernel level."""


def options_of(pipeline: str) -> Mapping[str, str]:
    """The options that a named pipeline has beside `from` and `to`, and what they are unless they are given."""
    target = TARGETS.get(pipeline.removeprefix("hologram-to-"))
    return {UNSAFE: "false", **({} if target is None else target.options)}


def unguarded(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The stages of a pipeline for programs that are trusted with memory."""
    return tuple(replace(s, passes=s.passes.replace("guard-memory,", "")) for s in stages)


def _variant(pipeline: str, options: tuple[tuple[str, str], ...]) -> tuple[Stage, ...]:
    """The stages of a named pipeline with options."""
    known = options_of(pipeline)
    given = {name: value for name, value in options if name in known}
    trusted = given.pop(UNSAFE, "false")
    if trusted not in ("true", "false"):
        raise UsageError("pipeline-unsafe", f"option '{UNSAFE}' of '{pipeline}' is true or false, not '{trusted}'")
    device = pipeline.removeprefix("hologram-to-")
    stages = _device_variant(device, tuple(given.items())) if given else PIPELINES[pipeline]
    return unguarded(stages) if trusted == "true" else stages


@cache
def _device_variant(device: str, options: tuple[tuple[str, str], ...]) -> tuple[Stage, ...]:
    return device_stages(TARGETS[device].with_options(dict(options)))


def _stages(call: PassCall) -> list[Step]:
    """The stages of a named pipeline with its options, or with `from` and `to` those from one to another."""
    known = options_of(call.name)
    given = {key: ",".join(v.text for v in values) for key, values in call.options.items() if key in known}
    if call.name.removeprefix("hologram-to-") in TARGETS:
        check_values(call)
    stages = _variant(call.name, tuple(sorted(given.items())))
    names = [stage.name for stage in stages]
    bounds = {"from": 0, "to": len(stages) - 1}
    for key, values in call.options.items():
        if key not in known:
            bounds[key] = _bound(call, key, values, names)
    if bounds["from"] > bounds["to"]:
        first, last = names[bounds["from"]], names[bounds["to"]]
        raise UsageError(
            "stage-order",
            f"'{call.name}' can't go from stage '{first}' to '{last}', which is before it",
            hint=f"its stages are {', '.join(names)}",
            where=call.places.get("from", call.where),
        )
    return [step for n in range(bounds["from"], bounds["to"] + 1) for step in stage_steps(call.name, stages, n)]


def _bound(call: PassCall, key: str, values: Sequence[Raw], names: Sequence[str]) -> int:
    """The number of the stage that `from` or `to` names."""
    where = call.places.get(key, call.where)
    if key not in ("from", "to"):
        known = options_of(call.name)
        also = "".join(f", {name}={value or '...'}" for name, value in known.items())
        raise UsageError(
            "pipeline-option",
            f"'{call.name}' has the options from=STAGE and to=STAGE{also}, not '{key}'",
            hint=did_you_mean(key, ["from", "to", *known]),
            where=where,
        )
    if len(values) != 1:
        message = f"'{key}' of '{call.name}' takes one stage, not {len(values)}"
        raise UsageError("stage-count", message, hint=f"its stages are {', '.join(names)}", where=where)
    if values[0].text not in names:
        raise UsageError(
            "stage-unknown",
            f"'{call.name}' has no stage '{values[0].text}'",
            hint=did_you_mean(values[0].text, names) or f"its stages are {', '.join(names)}",
            where=where,
        )
    return names.index(values[0].text)


def stage_steps(pipeline: str, stages: tuple[Stage, ...], number: int) -> tuple[RunStage, ...]:
    """The step of one stage, or nothing if it emits; its passes are looked up and built once."""
    return _stage_steps(pipeline, stages, number, fingerprint())


@cache
def _stage_steps(
    pipeline: str, stages: tuple[Stage, ...], number: int, plugins: tuple[str, ...]
) -> tuple[RunStage, ...]:
    stage = stages[number]
    if stage.emits is not None:
        return ()
    try:
        body = resolve(parse_pipeline(stage.passes, f"stage {stage.name}"), late=True)
    except UsageError as error:
        if (row := KINDS["pipeline"].rows.get(pipeline)) is not None:
            error.message = f"stage '{stage.name}' of '{pipeline}', of the plug-in '{row.plugin}': {error.message}"
            error.where = row.where
        raise
    if number == 0:
        body = (*_into_ours(), *body)
    return (RunStage(pipeline, stages, number, body),)


def _into_ours() -> tuple[Step, ...]:
    """What pipelines begin with: the passes by which dialects of plug-ins become ours, each for its dialect."""
    rows = KINDS["dialect"].rows.items()
    calls = [(name, by) for name, row in rows if (by := row.more.get("lowered_by"))]
    return tuple(replace(_run_pass(PassCall(by), True), only_on=frozenset({name})) for name, by in calls)


def run_pipeline(
    module: ModuleOp,
    ctx: Context,
    stages: Sequence[Stage],
    *,
    hooks: Hooks | None = None,
    verify_each: bool = False,
    verify_stages: bool = True,
) -> None:
    """Runs the passes of `stages` on `module`, in place, with verification and a legality check after each stage.

    `verify_stages=False` leaves out the verification: LLVM verifies what becomes of a module in the end. Rows that
    emit are left to `hologram.lowering.emit`.
    """
    name, table = _table_of(tuple(stages))
    steps = [step for stage in stages for step in stage_steps(name, table, table.index(stage))]
    PassRunner(ctx, hooks or Hooks(), verify_each, verify_stages).run(module, steps)


def _table_of(stages: tuple[Stage, ...]) -> tuple[str, tuple[Stage, ...]]:
    """The named pipeline that `stages` are of, or changed rows of; errors call them by its name."""
    for name, table in PIPELINES.items():
        if set(stages) <= set(table):
            return name, table
    wanted = {stage.name for stage in stages}
    return next((n for n, table in PIPELINES.items() if wanted <= {s.name for s in table}), "the pipeline"), stages
