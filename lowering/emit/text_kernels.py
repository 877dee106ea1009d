"""The output forms of kernels as text: `opencl-c`, `wgsl` and `msl`.

They print the gpu.modules of a module at the stage `flat`, and are what `gpu-module-to-binary` puts into a binary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.lowering.emit.kernels.language import Language

FEATURES = {
    "opencl-c": frozenset({"f16", "f64", "i64-atomics"}),
    "wgsl": frozenset({"f16", "f64", "i64"}),
    "msl": frozenset[str](),
}
"""By language, what a device may have or not (isa.md section 7)."""


def _opencl(features: frozenset[str]) -> Language:
    from hologram.lowering.emit.kernels.opencl import OpenCL

    return OpenCL(features=features)


def _wgsl(features: frozenset[str]) -> Language:
    from hologram.lowering.emit.kernels.wgsl import Wgsl

    return Wgsl(features=features)


def _msl(features: frozenset[str]) -> Language:
    from hologram.lowering.emit.kernels.msl import Msl

    return Msl(features=features)


LANGUAGES: dict[str, Callable[[frozenset[str]], Language]] = {"opencl-c": _opencl, "wgsl": _wgsl, "msl": _msl}
"""The languages by name."""


def language(name: str, features: Collection[str]) -> Language:
    """The table of a language for a device with some features."""
    for feature in features:
        if feature not in FEATURES[name]:
            raise UsageError(
                "kernel-text-feature",
                f"there is no feature '{feature}' of {name}",
                hint=did_you_mean(feature, FEATURES[name]) or f"there are: {', '.join(sorted(FEATURES[name]))}",
            )
    return LANGUAGES[name](frozenset(features))


@dataclass(frozen=True)
class OpenCLTarget(Target):
    """Prints kernels as OpenCL C 1.2. `features` are what the device has: f16, f64, i64-atomics."""

    name = "opencl-c"

    features: tuple[str, ...] = ("f64", "i64-atomics")

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _emit(self, module, output)


@dataclass(frozen=True)
class WgslTarget(Target):
    """Prints kernels as WGSL. `features` are what the device has: f16, f64, i64."""

    name = "wgsl"

    features: tuple[str, ...] = ()

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _emit(self, module, output)


@dataclass(frozen=True)
class MslTarget(Target):
    """Prints kernels as Metal 3.2."""

    name = "msl"

    features: tuple[str, ...] = ()

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _emit(self, module, output)


def _emit(target: OpenCLTarget | WgslTarget | MslTarget, module: ModuleOp, output: IO[str]) -> None:
    from hologram.lowering.emit.kernels import emit

    output.write(emit(module, language(target.name, target.features)))
