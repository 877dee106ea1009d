"""The differences between pipelines to devices. One row a device below; the stages that follow from it are made in
`hologram.lowering.pipelines.pipelines`, of plugins too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

from hologram.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from hologram.lowering.pipelines.pass_spec import PassCall


@dataclass(frozen=True)
class DeviceTarget:
    """A device as its pipeline sees it."""

    device: str
    """The kind of devices, as `device=` names it."""
    format: str
    """Of its code, as gpu-module-to-binary takes it."""
    schedule: str = "target=gpu"
    """The options of schedule-atlas."""
    forms: str = "gpu"
    """Whose operations generalize-atlas and decompose-atlas leave to schedule-atlas."""
    parallel: str = "convert-parallel-loops-to-gpu"
    """What makes launches of the loops that schedule-atlas leaves."""
    core: str = "convert-atlas-to-core"
    """The pass that makes arithmetic of scalar instructions."""
    math: str = "expand-math{vector-bytes=16},expand-narrow-floats,expand-wide-integers"
    """The passes that leave only the arithmetic that the device has."""
    lower: str = ""
    """The passes from the flat form to what the format reads; without any it reads the flat form."""
    legal: frozenset[str] = frozenset()
    """The dialects that these passes leave in a gpu.module."""
    target: str = ""
    """The architecture or version that code is made for."""
    features: tuple[str, ...] = ()
    """What the device has of what devices may lack."""
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """The options of the pipeline, and what they are unless they are given: `arch` or `features`."""

    def with_options(self, given: Mapping[str, str]) -> DeviceTarget:
        """The device with some of its options given; `<name>` in the passes stands for an option's value."""
        options = {**self.options, **given}
        passes = ("core", "lower", "math", "schedule", "forms", "parallel")
        filled = {name: _filled(getattr(self, name), options) for name in passes}
        features = tuple(filter(None, options.get("features", ",".join(self.features)).split(",")))
        return replace(self, target=options.get("arch", self.target), features=features, options=options, **filled)


def _filled(text: str, options: Mapping[str, str]) -> str:
    for name, value in options.items():
        text = text.replace(f"<{name}>", value)
    return text


LOOSE_MATH = "expand-math{fma=<fma> vector-bytes=16},stage-tables,expand-narrow-floats,expand-fma{fused=<fma>}"
"""Of devices that may or may not fuse what they are told to; the option `fma` says whether they do. On webgpu
`native-fma` says whether `fma` stays: it must where there are no floats of 64 bits to make it of."""
_WORDS = "expand-narrow-floats{f16=false}"
_TABLES = "vector-bytes=16 tables=<lookups>},<tables>"
_UNFUSED = f"expand-math{{fma=false vector-bytes=16}},stage-tables,{_WORDS}"
"""For devices that may round a product before it is added, and whose f16 may be missing."""
_LIMBS = "split-wide-integers{limb=<limb>},canonicalize,cse"
"""For devices whose integers have `limb` bits."""

_ORDER = "interleave-chains{length=<chains>}"
_FORMS = {"schedule": "gpu", "tables": "stage-tables", "lookups": "true", "chains": "0"}
"""How kernels are scheduled, what becomes of tables, whether functions that can do without have any, and the chains of
operations that are mixed: a processor's driver has `lanes`, `select-tables`, `false` and `24`."""

_DEVICES = (
    DeviceTarget(
        "cuda",
        "ptx",
        schedule="target=cuda arch=<arch>",
        math="expand-math{vector-bytes=16},stage-tables,expand-narrow-floats,expand-wide-integers",
        lower="convert-gpu-to-nvvm,hint-loads",
        legal=frozenset({"llvm", "nvvm"}),
        options={"arch": "sm_90"},
    ),
    DeviceTarget(
        "vulkan",
        "spirv",
        schedule="target=<schedule> fma=<fma>",
        core="convert-atlas-to-core{fma=<fma> tables=<lookups> contract=<fma> f64=false}",
        math=LOOSE_MATH.replace("vector-bytes=16},stage-tables", _TABLES),
        lower=f"vectors-to-words{{limb=<limb> texels=<texels>}},{_LIMBS},{_ORDER},"
        "convert-gpu-to-spirv{float-controls=<float-controls> shared-bytes=<shared> rough-roots=<fma>}",
        legal=frozenset({"spirv"}),
        options={
            "fma": "false",
            "float-controls": "none",
            "limb": "64",
            "shared": "16384",
            "texels": "false",
            **_FORMS,
        },
    ),
    DeviceTarget(
        "opencl",
        "opencl-c",
        schedule="target=<schedule>",
        forms="<schedule>",
        parallel="convert-parallel-loops-to-gpu{block-size=<block>}",
        math="expand-math{vector-bytes=16},<tables>,expand-narrow-floats{f16=false}",
        lower=_LIMBS,
        options={
            "features": "f64,atomics64",
            "limb": "64",
            "schedule": "gpu",
            "tables": "stage-tables",
            "block": "128",
        },
    ),
    DeviceTarget(
        "webgpu",
        "wgsl",
        schedule="target=<schedule> fma=<fma>",
        core="convert-atlas-to-core{fma=<fma> tables=<lookups> contract=<fma> f64=false}",
        math=f"expand-math{{fma=<fma> {_TABLES},{_WORDS},expand-fma{{fused=<native-fma>}}",
        lower=f"addresses-to-bytes,vectors-to-words{{most=<bindings> limb=<limb>}},{_LIMBS},"
        f"join-buffers{{most=<bindings>}},{_ORDER}",
        options={"features": "", "limb": "32", "bindings": "8", "fma": "false", "native-fma": "true", **_FORMS},
    ),
    DeviceTarget(
        "metal",
        "msl",
        core="convert-atlas-to-core{fma=false contract=false f64=false}",
        math=_UNFUSED,
        lower=f"addresses-to-bytes,{_LIMBS}",
        options={"limb": "64"},
    ),
)

TARGETS = {target.device: target for target in _DEVICES}
"""The devices by name."""

_TRUTH = ("true", "false")
_VALUES: Mapping[str, tuple[str, ...] | int] = {
    "fma": _TRUTH, "native-fma": _TRUTH, "texels": _TRUTH, "lookups": _TRUTH, "limb": ("32", "64"),
    "schedule": ("gpu", "lanes", "processor"), "tables": ("stage-tables", "select-tables", "vectorize-lookups"),
    "shared": 0, "chains": 0, "block": 1, "bindings": 4,
}  # fmt: skip
"""What options take: one of several words, or a whole number from one on."""


def check_values(call: PassCall) -> None:
    """Refuses values that no option of a device takes, at the place where users gave them."""
    for option, values in call.options.items():
        allowed = _words(option) if option in ("arch", "features") else _VALUES.get(option)
        texts = [value.text for value in values]
        if len(texts) > 1 and allowed is not None and option != "features":
            texts = [",".join(texts)]
        for text in texts:
            if isinstance(allowed, int):
                if not (text.isascii() and text.isdecimal() and int(text[:9]) >= allowed):
                    _refuse(call, option, text, f"it is a whole number from {allowed} on, such as {max(allowed, 8)}")
            elif allowed is not None and text not in allowed:
                _refuse(call, option, text, did_you_mean(text, allowed) or f"it takes {', '.join(allowed)}")


def _words(option: str) -> tuple[str, ...]:
    if option == "arch":
        from hologram.lowering.targets.ptx.ptx import ARCHITECTURES

        return tuple(ARCHITECTURES)
    from hologram.lowering.targets.text.kernels import FEATURES

    return tuple(sorted(FEATURES))


def _refuse(call: PassCall, option: str, text: str, hint: str) -> NoReturn:
    message = f"option '{option}' of '{call.name}' can't be '{text}'"
    raise UsageError("device-option-value", message, hint=hint, where=call.places.get(option, call.where))
