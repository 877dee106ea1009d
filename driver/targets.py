"""The targets of programs, by name: this machine, devices that are open, and devices that need not be there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hologram.errors import UsageError, Where, did_you_mean
from hologram.support.record import Record

if TYPE_CHECKING:
    from hologram.lowering.pipelines.pass_spec import PassCall
    from hologram.lowering.pipelines.stage import Stage
    from hologram.runtime.devices import Kind

HOST = "cpu"
STRIDED = "strided"
"""The layout of arrays of any strides."""
_LAID_OUT = ("bufferize", "insert-coherence-checks")
"""The passes that give tensors a layout."""


class Target(Record):
    """A kind of devices, and what is said of those of the kind that code is for."""

    name: str
    """As it is written: `cpu`, `sm_90`, `webgpu{bindings=10}`. Equal targets have equal names."""
    device: str
    """The kind of devices: `cpu`, `cuda`, `webgpu`."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the pipeline that differ from what they are unless they are given."""
    pipeline: str = ""
    """The named pipeline to take in the place of the device's own."""
    layout: str = ""
    """How the arrays of tensors lie: each after the other, or `STRIDED`."""
    unsafe_memory: bool = False
    """Whether programs at the kernel level are trusted, and have no guards."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that bring a program to code for it."""
        from dataclasses import replace

        from hologram.lowering.pipelines.pipelines import unguarded

        stages = unguarded(self._table()) if self.unsafe_memory else self._table()
        if not self.layout:
            return stages
        layout = f"{{layout={self.layout}}}"
        return tuple(replace(s, passes=f"{s.passes}{layout}") if s.passes in _LAID_OUT else s for s in stages)

    def _table(self) -> tuple[Stage, ...]:
        from hologram.lowering.pipelines.pipelines import PIPELINES, is_pipeline, stages_for

        if self.pipeline and is_pipeline(self.pipeline):
            return PIPELINES[self.pipeline]
        if self.pipeline:
            hint = did_you_mean(self.pipeline, PIPELINES) or f"there are {', '.join(PIPELINES)}"
            raise UsageError("compile-pipeline", f"there is no pipeline '{self.pipeline}'", hint=hint)
        plugin = _plugin(self.device)
        if plugin is not None and plugin.stages is not None:
            return plugin.stages(dict(self.options))
        return stages_for(self.device, dict(self.options))


CPU = Target(HOST, HOST)


def target_of(device: str, pipeline: str | None = None) -> Target:
    """The target that a device of this machine is, by the name that `find_device` gave."""
    if device == HOST:
        return CPU if pipeline is None else CPU.changed(pipeline=pipeline)
    from hologram.lowering.pipelines.device_targets import TARGETS
    from hologram.runtime.devices import open_device

    kind = device.partition(":")[0]
    known = dict(TARGETS[kind].options) if kind in TARGETS else {}
    return _named(kind, dict(open_device(device).options), known).changed(pipeline=pipeline or "")


def read_targets(text: str, source: str = "--target") -> tuple[Target, ...]:
    """The targets of a list such as `cpu,sm_90,webgpu{bindings=10}`, each once; `source` is what errors call it."""
    from hologram.lowering.pipelines.pass_spec import PassCall, parse_pipeline

    targets: list[Target] = []
    for node in parse_pipeline(text, source, "target"):
        if not isinstance(node, PassCall):
            raise UsageError(
                "compile-target-form", f"'{node}' is no target", hint="write a name, or name{option=value}"
            )
        targets.append(_target(node))
    if not targets:
        raise UsageError("compile-target-none", f"{source} names no target", hint=f"there are {', '.join(_known())}")
    return tuple(dict.fromkeys(targets))


def find_target(name: str) -> Target:
    """The target of a name."""
    from hologram.lowering.pipelines.pass_spec import parse_call

    return _target(parse_call(name, "target"))


def _target(call: PassCall) -> Target:
    options = {key: ",".join(v.text for v in values) for key, values in call.options.items()}
    return target_with(call.name, options, call)


def target_with(name: str, options: Mapping[str, str], call: PassCall | None = None) -> Target:
    """The target of a name without options, with these."""
    from hologram.lowering.pipelines.device_targets import check_values
    from hologram.lowering.pipelines.pass_spec import PassCall, Raw
    from hologram.lowering.targets.ptx.ptx import ARCHITECTURES

    if call is None:
        call = PassCall(
            name, {key: tuple(Raw(v, False) for v in text.split(",") if v) for key, text in options.items()}
        )
    device, given = ("cuda", {"arch": name}) if name in ARCHITECTURES else (name, dict[str, str]())
    given |= options
    known = _options_of(device, call.where)
    for key in given:
        if known is not None and key not in known:
            raise UsageError(
                "compile-target-option",
                f"'{name}' has no option '{key}'",
                hint=did_you_mean(key, known) or f"its options are {', '.join(known) or 'none'}",
                where=call.places.get(key, call.where),
            )
    check_values(call)
    return _named(device, given, known or {})


def _named(device: str, given: dict[str, str], known: dict[str, str]) -> Target:
    """The target with the one name that it has: GPUs of NVIDIA are called by their architecture."""
    settings = {key: value for key, value in sorted(given.items()) if known.get(key) != value}
    options, name = settings, device
    if device == "cuda":
        name = given.get("arch", known["arch"])
        settings = {key: value for key, value in settings.items() if key != "arch"}
        options = {**settings, "arch": name}
    if settings:
        name += "{" + " ".join(f"{key}={value}" for key, value in settings.items()) + "}"
    return Target(name, device, tuple(sorted(options.items())))


def _options_of(device: str, where: Where | None) -> dict[str, str] | None:
    """The options of a kind of devices and what they are unless given; None where a plugin knows them."""
    from hologram.lowering.pipelines.device_targets import TARGETS

    if device in (HOST, "wasm"):
        return {}
    if device in TARGETS:
        return dict(TARGETS[device].options)
    if _plugin(device) is not None:
        return None
    raise UsageError(
        "compile-target",
        f"there is no target '{device}'",
        hint=did_you_mean(device, _known()) or f"there are {', '.join(_known())}",
        where=where,
    )


def _plugin(device: str) -> Kind | None:
    from hologram.runtime.devices import DEVICES, kinds

    if device in DEVICES:
        return None
    from hologram.lowering.pipelines.device_targets import TARGETS

    if device in TARGETS:
        return None
    kind = kinds().get(device)
    return kind if kind is not None and kind.stages is not None else None


def _known() -> Sequence[str]:
    from hologram.lowering.pipelines.device_targets import TARGETS
    from hologram.lowering.targets.ptx.ptx import ARCHITECTURES

    return [HOST, "wasm", *TARGETS, *ARCHITECTURES]
