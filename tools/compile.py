"""`hologram-compile`: programs compiled ahead of time, as shared objects and headers for C."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from hologram.errors import UsageError
from hologram.tools.cli import run_tool, write_output


@dataclass(frozen=True)
class Options:
    """The command line."""

    file: str | None
    output: str | None
    header: str | None
    c_library: str | None
    opt_level: int


@click.command("hologram-compile")
@click.argument("file", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where it goes: .so (default: FILE's name with .so) or .o.")
@click.option("--header", metavar="FILE.h", help="Write the prototypes of the entries there.")
@click.option("--c-library", metavar="DIR", help="Write hologram.h, hologram_isa.h and libhologram.so there.")
@click.option("--opt-level", type=click.IntRange(0, 3), default=3, help="LLVM's optimisation level (default 3).")
def command(**given: Any) -> int:
    """Compile FILE (.mlir at any stage, .ll, .s or .o; '-' is standard input) for this machine, to be called from C."""
    options = Options(**given)
    if options.file is None and options.c_library is None:
        raise UsageError("compile-nothing", "there is nothing to do", hint="name a FILE, or a folder with --c-library")
    if options.file is not None:
        _compile(options, options.file)
    if options.c_library is not None:
        _write_library(Path(options.c_library))
    return 0


def _compile(options: Options, file: str) -> None:
    output = options.output or ("a.so" if file == "-" else Path(file).with_suffix(".so").name)
    suffix = Path(output).suffix
    if suffix not in (".so", ".o"):
        hint = "it ends in .so for a shared object, in .o for an object file"
        raise UsageError("compile-suffix", f"'{output}' does not say what it is", hint=hint)
    from hologram.runtime.c.library import program_shared
    from hologram.runtime.c.prototypes import program_header
    from hologram.runtime.compiler import Build
    from hologram.runtime.settings import current
    from hologram.runtime.source import read_source, text_source

    source = text_source(sys.stdin.buffer.read(), "<stdin>") if file == "-" else read_source(file)
    image, entries = Build(source, current(), "cpu", options.opt_level, False, None).image()
    name = Path(output).name
    header = program_header(entries, name).encode()
    write_output(output, image if suffix == ".o" else program_shared(image, entries, source.name, name))
    if options.header is not None:
        write_output(options.header, header)


def _write_library(folder: Path) -> None:
    from hologram.runtime.c.library import header, library_shared

    if not folder.is_dir():
        raise UsageError("compile-folder", f"there is no folder '{folder}'", hint="make it first")
    for name in ("hologram.h", "hologram_isa.h"):
        write_output(str(folder / name), header(name).encode())
    write_output(str(folder / "libhologram.so"), library_shared())


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    return run_tool(command, args)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))


if __name__ == "__main__":
    main()
