"""`hologram-compile`: programs compiled ahead of time, into archives, libraries and what each target reads; and what is
in an archive, and whether it is in order."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from hologram.errors import UsageError, did_you_mean
from hologram.tools.cli import report, run_tool, takes, write_output
from hologram.tools.compile.options import Options

_EPILOG = "Also: hologram-compile inspect|disasm|verify FILE.holo; each has --help."


@click.command("hologram-compile", epilog=_EPILOG)
@takes(Options)
@click.option("--c-library", metavar="DIR", help="Write hologram.h, hologram_isa.h and libhologram.so there.")
def command(c_library: str | None, **given: Any) -> int:
    """Compile FILES and the programs in folders: Python, JSON, YAML and TOML kernels, .mlir at any stage, .atlas,
    .circuit; for this machine also .ll, .s and .o. '-' is standard input. What did not change is not compiled again.
    """
    if not given["files"] and c_library is None:
        raise UsageError("compile-nothing", "there is nothing to do", hint="name a FILE, or a folder with --c-library")
    code = 0
    if given["files"]:
        from hologram.tools.compile.driver import Driver

        code = Driver(Options(**given)).run()
    if c_library is not None:
        _write_library(Path(c_library))
    return code


def _write_library(folder: Path) -> None:
    from hologram.driver.c.library import header, library_shared

    if not folder.is_dir():
        raise UsageError("compile-folder", f"there is no folder '{folder}'", hint="make it first")
    for name in ("hologram.h", "hologram_isa.h"):
        write_output(str(folder / name), header(name).encode())
    write_output(str(folder / "libhologram.so"), library_shared(), mapped=True)


@click.command("hologram-compile inspect")
@click.argument("file", metavar="FILE.holo")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def inspect(file: str, as_json: bool) -> None:
    """Show the programs of an archive, their kernels and targets, its constants and extensions."""
    from hologram.runtime.archive.inspect import describe, show

    text = json.dumps(describe(file), indent=2) + "\n" if as_json else show(file)
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


@click.command("hologram-compile disasm")
@click.argument("file", metavar="FILE.holo")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--form", "forms", multiple=True, metavar="FORM", help="ir, isa, or a target; all if none is named.")
def disasm(file: str, names: Sequence[str], forms: Sequence[str]) -> None:
    """Show programs of an archive as text: IR, assembly of the ISA, code of each target. NAMEs are programs or kernels;
    without any all programs are shown.
    """
    from hologram.driver.archives.disasm import disassemble

    sys.stdout.write(disassemble(file, names, forms))


@click.command("hologram-compile verify")
@click.argument("file", metavar="FILE.holo")
@click.option("--rebuild", is_flag=True, help="Compile the IR again and compare the code; exits 3 if it can't tell.")
def verify(file: str, rebuild: bool) -> int:
    """Check an archive: digests, documents, IR and the entries of code. Nothing of it is run. Whether code does what
    the IR says is only checked with --rebuild, by the compiler that made the archive, on such a processor.
    """
    from hologram.driver.archives.rebuild import rebuild as compile_again
    from hologram.driver.archives.verify import verify

    sys.stdout.write(f"{file}: {verify(file)}\n")
    if not rebuild:
        return 0
    found = compile_again(file)
    sys.stdout.write(f"{file}: {found}\n")
    return EXIT_UNKNOWN if found.unknown else 0


EXIT_UNKNOWN = 3
"""Of `verify --rebuild` where it can't tell."""
ARCHIVES = {"inspect": inspect, "disasm": disasm, "verify": verify}
"""The commands for archives."""


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    given = list(sys.argv[1:] if args is None else args)
    if given and given[0] in ARCHIVES:
        return run_tool(ARCHIVES[given[0]], given[1:])
    if given and not os.path.exists(given[0]) and (near := did_you_mean(given[0], ARCHIVES)) is not None:
        return report(UsageError("compile-command", f"there is no command and no file '{given[0]}'", hint=near))
    return run_tool(command, given)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))
