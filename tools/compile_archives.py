"""`hologram-compile inspect|disasm|verify FILE.holo`: what is in an archive, and whether it is in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from hologram.tools.cli import run_tool


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
    from hologram.runtime.archive.disasm import disassemble

    sys.stdout.write(disassemble(file, names, forms))


@click.command("hologram-compile verify")
@click.argument("file", metavar="FILE.holo")
def verify(file: str) -> None:
    """Check everything in an archive: digests, documents, IR and the entries of code. Nothing of it is run."""
    from hologram.runtime.archive.verify import verify

    sys.stdout.write(f"{file}: {verify(file)}\n")


COMMANDS = {"inspect": inspect, "disasm": disasm, "verify": verify}


def run(name: str, args: Sequence[str]) -> int:
    """Runs one of the commands and gives its exit code."""
    return run_tool(COMMANDS[name], args)
