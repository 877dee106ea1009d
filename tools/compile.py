"""`hologram-compile`: programs compiled ahead of time, into archives, libraries and what each target reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from hologram.errors import UsageError, did_you_mean
from hologram.tools.cli import report, run_tool, write_output

FORMS = "archive shared object ir atlas atlas-asm atlas-binary json llvm llvm-opt asm ptx spirv wgsl opencl metal wasm"
ARCHIVES = ("inspect", "disasm", "verify")
"""The commands for archives."""
_EPILOG = "Also: hologram-compile inspect|disasm|verify FILE.holo; each has --help."


@click.command("hologram-compile", epilog=_EPILOG)
@click.argument("files", nargs=-1)
@click.option("-o", "--output", metavar="FILE", help="Where it goes; .holo, .so, .o, .ptx, ... say what. Or a folder.")
@click.option(
    "--target", metavar="LIST", help="What it is for: cpu (default), sm_90, vulkan, webgpu, opencl, wasm, ..."
)
@click.option("--emit", metavar="LIST", help=f"What is written: {', '.join(FORMS.split())}.")
@click.option("--types", metavar="LIST", help="An entry for each of these types that a kernel's elements may be.")
@click.option("--constants", metavar="FILE", help="Put the tensors of a .safetensors file into the archive.")
@click.option("--check", is_flag=True, help="Write nothing; say what is wrong.")
@click.option("-O", "--opt-level", type=click.IntRange(0, 3), default=3, help="LLVM's optimisation level (default 3).")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes at work (default: the processors).")
@click.option("--watch", is_flag=True, help="Compile again when a file changes, until Ctrl-C.")
@click.option("--stats", is_flag=True, help="Say where time and bytes went.")
@click.option("--header", metavar="FILE.h", help="Write the prototypes of the entries there.")
@click.option("--c-library", metavar="DIR", help="Write hologram.h, hologram_isa.h and libhologram.so there.")
def command(c_library: str | None, **given: Any) -> int:
    """Compile FILES and the programs in folders: Python, JSON, YAML and TOML kernels, .mlir at any stage, .atlas,
    .circuit; for this machine also .ll, .s and .o. '-' is standard input. What did not change is not compiled again.
    """
    if not given["files"] and c_library is None:
        raise UsageError("compile-nothing", "there is nothing to do", hint="name a FILE, or a folder with --c-library")
    code = 0
    if given["files"]:
        from hologram.tools.compile_driver import Driver, Options

        code = Driver(Options(**given)).run()
    if c_library is not None:
        _write_library(Path(c_library))
    return code


def _write_library(folder: Path) -> None:
    from hologram.runtime.c.library import header, library_shared

    if not folder.is_dir():
        raise UsageError("compile-folder", f"there is no folder '{folder}'", hint="make it first")
    for name in ("hologram.h", "hologram_isa.h"):
        write_output(str(folder / name), header(name).encode())
    write_output(str(folder / "libhologram.so"), library_shared(), mapped=True)


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    given = list(sys.argv[1:] if args is None else args)
    if given and given[0] in ARCHIVES:
        from hologram.tools import compile_archives

        return compile_archives.run(given[0], given[1:])
    if given and not os.path.exists(given[0]) and (near := did_you_mean(given[0], ARCHIVES)) is not None:
        return report(UsageError("compile-command", f"there is no command and no file '{given[0]}'", hint=near))
    return run_tool(command, given)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))


if __name__ == "__main__":
    main()
