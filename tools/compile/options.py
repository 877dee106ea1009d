"""The command line of `hologram-compile`, whose options the command reads and the driver follows."""

from __future__ import annotations

from dataclasses import dataclass

import click

from hologram.tools.cli import argument, flag, option

FORMS = "archive shared object ir atlas atlas-asm atlas-binary json llvm llvm-opt asm ptx spirv wgsl opencl metal wasm"


@dataclass(frozen=True)
class Options:
    """The options of `hologram-compile`."""

    files: tuple[str, ...] = argument(nargs=-1)
    output: str | None = option(
        "Where it goes; .holo, .so, .o, .ptx, ... say what. Or a folder.", "FILE", "-o", "--output"
    )
    target: str | None = option("What it is for: cpu (default), sm_90, vulkan, webgpu, opencl, wasm, ...", "LIST")
    emit: str | None = option(f"What is written: {', '.join(FORMS.split())}.", "LIST")
    types: str | None = option("An entry for each of these types that a kernel's elements may be.", "LIST")
    constants: str | None = option("Put the tensors of a .safetensors file into the archive.", "FILE")
    check: bool = flag("Write nothing; say what is wrong.")
    opt_level: int = option(
        "LLVM's optimisation level (default 3).", None, "-O", "--opt-level", type=click.IntRange(0, 3), default=3
    )
    unsafe_memory: bool = flag("Trust programs at the kernel level: no guards, raw pointers and foreign calls.")
    jobs: int | None = option(
        "Processes at work (default: the processors).", "N", "-j", "--jobs", type=click.IntRange(1)
    )
    watch: bool = flag("Compile again when a file changes, until Ctrl-C.")
    stats: bool = flag("Say where time and bytes went.")
    header: str | None = option("Write the prototypes of the entries there.", "FILE.h")
