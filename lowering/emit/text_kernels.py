"""The output forms of kernels as text: `opencl-c`, `wgsl` and `msl`.

They print the gpu.modules of a module at the stage `flat`, and are what `gpu-module-to-binary` puts into a binary.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects import gpu
    from hologram.lowering.emit.kernels.language import Language

FEATURES = frozenset("f16 bf16 f64 i8 i16 i64 atomics64 subgroups fma fences".split())
"""What devices may have or not, as `Limits.features` names it. Each language uses of it what it has words for."""


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
        if feature not in FEATURES:
            raise UsageError(
                "kernel-text-feature",
                f"there is no feature '{feature}' of devices",
                hint=did_you_mean(feature, FEATURES) or f"there are: {', '.join(sorted(FEATURES))}",
            )
    return LANGUAGES[name](frozenset(features))


@dataclass(frozen=True)
class OpenCLTarget(Target):
    """Prints kernels as OpenCL C 1.2. `features` are what the device has of f16, f64, atomics64 and, of 2.0, fences."""

    name = "opencl-c"

    features: tuple[str, ...] = ("f64", "atomics64")

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _emit(self, module, output)


@dataclass(frozen=True)
class WgslTarget(Target):
    """Prints kernels as WGSL. `features` are what the device has of f16, f64 and i64."""

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


def opencl_code(module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """A gpu.module in flat form as OpenCL C."""
    return _code("opencl-c", module, features)


def wgsl_code(module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """A gpu.module in flat form as WGSL."""
    return _code("wgsl", module, features)


def msl_code(module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """A gpu.module in flat form as Metal."""
    return _code("msl", module, features)


def _code(name: str, module: gpu.ModuleOp, features: Sequence[str]) -> bytes:
    from hologram.lowering.emit.kernels import print_kernels

    return print_kernels(module, language(name, features)).encode()
