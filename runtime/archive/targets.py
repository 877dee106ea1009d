"""What programs are compiled for ahead of time, by name: no device need be there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hologram.errors import UsageError, did_you_mean
from hologram.lowering.device_targets import TARGETS
from hologram.lowering.emit.ptx import ARCHITECTURES, check_architecture

if TYPE_CHECKING:
    from hologram.lowering.pass_spec import PassCall
    from hologram.lowering.stage import Stage

HOST = "cpu"


@dataclass(frozen=True)
class Target:
    """A kind of devices, and what is said of those of the kind that code is for."""

    name: str
    """As it is written: `cpu`, `sm_90`, `webgpu{bindings=10}`. Equal targets have equal names."""
    device: str
    """The kind of devices: `cpu`, `cuda`, `webgpu`."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the pipeline that differ from what they are unless they are given."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that bring a program to it."""
        from hologram.lowering.pipelines import stages_for

        plugin = _plugin(self.device)
        if plugin is not None and plugin.stages is not None:
            return plugin.stages(dict(self.options))
        return stages_for(self.device, dict(self.options))


def read_targets(text: str, source: str = "--target") -> tuple[Target, ...]:
    """The targets of a list such as `cpu,sm_90,webgpu{bindings=10}`, each once; `source` is what errors call it."""
    from hologram.lowering.pass_spec import PassCall, parse_pipeline

    found: list[Target] = []
    for node in parse_pipeline(text, source, "target"):
        if not isinstance(node, PassCall):
            raise UsageError(
                "compile-target-form", f"'{node}' is no target", hint="write a name, or name{option=value}"
            )
        found.append(_target(node))
    if not found:
        raise UsageError("compile-target-none", f"{source} names no target", hint=f"there are {', '.join(_known())}")
    return tuple(dict.fromkeys(found))


def find_target(name: str) -> Target:
    """The target of a name."""
    from hologram.lowering.pass_spec import parse_call

    return _target(parse_call(name, "target"))


def _target(call: PassCall) -> Target:
    name = call.name
    device, given = ("cuda", {"arch": name}) if name in ARCHITECTURES else (name, dict[str, str]())
    given |= {key: ",".join(v.text for v in values) for key, values in call.options.items()}
    known = _options_of(device, call)
    for key in given:
        if known is not None and key not in known:
            raise UsageError(
                "compile-target-option",
                f"'{name}' has no option '{key}'",
                hint=did_you_mean(key, known) or f"its options are {', '.join(known) or 'none'}",
                where=call.where,
            )
    options = tuple(sorted((k, v) for k, v in given.items() if known is None or known[k] != v or k == "arch"))
    return _named(device, options, known or {})


def _named(device: str, options: tuple[tuple[str, str], ...], known: dict[str, str]) -> Target:
    """The target with the one name that it has: GPUs of NVIDIA are called by their architecture."""
    said = dict(options)
    name = device
    if device == "cuda":
        name = check_architecture(said.pop("arch", known["arch"]))
        options = tuple(sorted({**said, "arch": name}.items()))
    if said:
        name += "{" + " ".join(f"{key}={value}" for key, value in sorted(said.items())) + "}"
    return Target(name, device, options)


def _options_of(device: str, call: PassCall) -> dict[str, str] | None:
    """The options of a kind of devices and what they are unless given; None where a plugin knows them."""
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
        where=call.where,
    )


def _plugin(device: str):
    from hologram.runtime.devices import DEVICES, kinds

    if device in (HOST, "wasm") or device in TARGETS or device in DEVICES:
        return None
    found = kinds().get(device)
    return found if found is not None and found.stages is not None else None


def _known() -> Sequence[str]:
    return [HOST, "wasm", *TARGETS, *ARCHITECTURES]
