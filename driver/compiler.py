"""`hologram.compile`: from a program in any form to a kernel, by way of the build graph and its caches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hologram.driver.graph import Build
from hologram.driver.source import Source, read_source
from hologram.driver.targets import HOST, target_of
from hologram.errors import InputError, UsageError
from hologram.errors.arguments import checked
from hologram.lowering.targets.objects.native import load_ahead
from hologram.runtime.devices import find_device
from hologram.runtime.entry import choose_entry
from hologram.runtime.launch.kernel import Kernel
from hologram.runtime.settings import current

if TYPE_CHECKING:
    from hologram.runtime.memory.class_memory import ClassMemory

load_ahead()


@checked
def compile(
    source: Any,
    *,
    device: str = "cpu",
    entry: str | None = None,
    opt_level: int = 3,
    cache: bool = True,
    pipeline: str | None = None,
    classes: ClassMemory | None = None,
    coherence: bool = False,
    unsafe_memory: bool = False,
) -> Kernel:
    """Compiles a program into a callable on numpy arrays, or on arrays of a device.

    `source` is a path (`.mlir` at any stage, `.atlas`, `.atlasb`, `.ll`, `.s`, `.o`), IR text, or an xDSL module, which
    stays as it is.
    `device` names where it runs (`cpu`, `cuda`, `opencl:1`); `auto` takes the first GPU that is there, else the
    processor, and the kernel's `device` says which. `entry`
    chooses among several public functions. `opt_level` (0 to 3) is LLVM's. `cache=False` neither reads nor writes the
    caches. `pipeline` names another table of stages than the device's own. `classes` is the class memory that the
    program reaches: that of the device's default executor, unless an `Executor` compiles it. With `coherence` the
    program checks its integer sums and products by residues, and traps on a mismatch (pass `insert-coherence-checks`).
    A program at the kernel level has its accesses proven, guarded or refused (pass `guard-memory`), unless
    `unsafe_memory=True` says that you trust it. `.ll`, `.s` and `.o` are trusted as they are.
    """
    program, resolved = read_source(source), find_device(device)
    if coherence:
        pipeline = _coherent(program, resolved, pipeline)
    build = Build(program, current(), opt_level, cache)
    try:
        return _kernel(build, resolved, device, entry, pipeline, classes, unsafe_memory)
    except InputError as error:
        # Only IR leaves `auto` a choice: code is for one device, which it names once it is read.
        if device != "auto" or resolved == HOST or error.code != "object-device":
            raise
        return _kernel(build, HOST, device, entry, pipeline, classes, unsafe_memory)


def _kernel(
    build: Build,
    device: str,
    requested: str,
    entry: str | None,
    pipeline: str | None,
    classes: ClassMemory | None,
    unsafe_memory: bool,
) -> Kernel:
    """The kernel on a device, which the caller called `requested`."""
    target = target_of(device, pipeline).changed(unsafe_memory=unsafe_memory)
    loaded = build.load(target, device)
    chosen = choose_entry(loaded.entries, entry, build.source.name)
    if requested == "auto":
        build.say(1, f"device '{device}' is used")
    if build.source.kind != "atlasb":
        chosen = chosen.of(build.source.name, build.source.data)
    return loaded.kernel(chosen, classes, lambda argument: build.load_strided(target, chosen, argument))


def _coherent(source: Source, device: str, pipeline: str | None) -> str:
    """The pipeline with checks, unless another one is asked for."""
    from hologram.lowering.pipelines.pipelines import COHERENT

    if not source.is_ir:
        raise UsageError(
            "compile-coherence-source",
            f"'{source.name}' holds code, in which sums and products can't be checked any more",
            hint="compile its MLIR with coherence=True",
        )
    if device not in COHERENT:
        raise UsageError(
            "compile-coherence-device",
            f"there is no pipeline with coherence checks to device '{device}'",
            hint="compile it for device 'cpu'",
        )
    if pipeline not in (None, COHERENT[device]):
        raise UsageError(
            "compile-coherence",
            f"coherence=True asks for the pipeline '{COHERENT[device]}', pipeline= for '{pipeline}'",
            hint="give one of them; insert-coherence-checks may stand before any pipeline in hologram-opt",
        )
    return COHERENT[device]
