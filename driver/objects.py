"""Object files: made by LLVM of what a source is or became, and as shared objects that load without LLVM, linked here:
what an archive had best hold."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import PurePath

from hologram.driver import codegen
from hologram.driver.artifacts import ENTRIES, LOADABLE, OBJECT, Artifact, Artifacts, Inputs, Request
from hologram.driver.codegen import Job
from hologram.driver.targets import HOST, Target
from hologram.errors import InputError
from hologram.lowering.targets.objects.elf import Image, link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.runtime import cache
from hologram.runtime.devices.cpu import resources, shared
from hologram.runtime.native import HALF_FLOATS
from hologram.support.host_target import host_target


def object_code(inputs: Inputs, text: str = "") -> bytes:
    """The object file of LLVM IR text that the source became, or of a source that is code."""
    source, isolate = inputs.source, inputs.settings.isolate
    cache.STATS.compiled += source.kind != "o"
    if source.is_ir:
        return codegen.generate(Job("ll", None, inputs.opt_level), text.encode(), isolate=isolate == "all")
    job = Job(source.kind, source.name, inputs.opt_level, optimise=not source.name.endswith(".opt.ll"))
    return codegen.generate(job, source.data, isolate=isolate != "never")


def artifacts_of_code(inputs: Inputs, wanted: Sequence[Request]) -> Artifacts:
    """The artifacts of LLVM IR, assembly and object files, which are for this machine alone."""
    name, forms = inputs.source.name, {want.form for want in wanted}
    for want in wanted:
        is_here = want.target is not None and want.target.device == HOST
        if forms != {OBJECT} and (not is_here or want.form not in (OBJECT, ENTRIES, LOADABLE)):
            raise InputError(
                "compile-code-source",
                f"'{name}' holds code for one machine, which can only be linked for it",
                hint="compile its MLIR, or use --emit object or --emit shared",
            )
    image = object_code(inputs)
    for want in wanted:
        if want.form == ENTRIES:
            yield want, Artifact(shared.load(image, name).entries())
        else:
            yield want, Artifact(image) if want.form == OBJECT else loadable(image, name, want.target)


def loadable(image: bytes, name: str, target: Target | None) -> Artifact:
    """The code that the object file of a program is, in the form that loads fastest: a shared object, where its system
    has those. One for a device reaches the functions of its device by a table.
    """
    if not image.startswith(b"\x7fELF"):
        return Artifact(image, {"format": "object"})
    name = PurePath(name).stem
    images: list[Image] = [(name, image)]
    if target is not None and target.device != HOST:
        images.append(("its device's functions", _device_functions()))
    halves = ("the conversions of half floats", resources.object_of(HALF_FLOATS))
    return Artifact(link_shared(images, f"{name}.so", [halves]), {"format": "shared"})


@functools.cache
def _device_functions() -> bytes:
    return to_object(shared.device_functions_ir(), host_target(), 1)
