"""The command line of `hologram-opt`, whose options the command reads and the driver follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hologram.errors import UsageError
from hologram.tools.cli import argument, flag, option

if TYPE_CHECKING:
    import click


def _names(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",")) if value else ()


def _timing(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value not in (None, "text", "json", "display"):
        raise UsageError("timing-form", f"--timing takes text or json, not '{value}'")
    return "text" if value == "display" else value


PASS_OPTION = "\0"
"""Stands before a value of `-p` that was an option of its own: no argument of a command can have it."""


@dataclass(frozen=True)
class Options:
    """The options of `hologram-opt`; without an output form (`target`) the output file's extension says it."""

    input_file: str = argument(default="-", metavar="[FILE]")
    output_file: str = option("Where to write ('-': stdout).", "FILE", "-o", "--output-file", "--output", default="-")
    passes: tuple[str, ...] = option(
        "Passes to run: a,b{x=1 flag}. Pipelines too.", "PASSES", "-p", "--passes", multiple=True
    )
    pass_pipeline: str | None = option("Passes, nested: 'builtin.module(func.func(a,b{x=1}))'.", "TEXT")
    target: str | None = option("Output form, with options: name{x=1}; else mlir, or by -o.", "FORM", "-t", "--target")
    frontend: str | None = option("Input form; by default the file's extension says it.", "FORM", "-f", "--frontend")
    split_input_file: str | None = option("Take the parts between lines '// -----' one by one.", "[MARK]")
    allow_unregistered_dialect: bool = flag("Read unknown operations in generic form.")
    no_implicit_module: bool = flag("Take nothing but one builtin.module.")
    verify_diagnostics: str | None = option("Check '// expected-error {{...}}'.", "[all|only-expected]")
    parsing_diagnostics: bool = flag("As xdsl-opt: print errors to stdout, and exit with 0.")
    verify_each: bool = option("Verify after each pass (default).", "[BOOL]", type=bool, default=True)
    disable_verify: bool = flag("Verify nothing.")
    shrink: bool = flag("As xdsl-opt: succeed if a pass raised ShrinkException.")
    print_op_generic: bool = flag("Print the generic form.", "--print-op-generic", "--mlir-print-op-generic")
    print_debuginfo: bool = flag("Print locations.", "--print-debuginfo", "--mlir-print-debuginfo")
    print_no_properties: bool = flag("Print properties as attributes.")
    syntax_highlight: bool = flag("Colour the output.")
    print_before: tuple[str, ...] = option("Show IR before.", "[PASSES]", "--mlir-print-ir-before", callback=_names)
    print_after: tuple[str, ...] = option("Show IR after.", "[PASSES]", "--mlir-print-ir-after", callback=_names)
    print_before_all: bool = flag("Show IR before every pass.", "--mlir-print-ir-before-all")
    print_after_all: bool = flag("Show IR after every pass.", "--mlir-print-ir-after-all", "--print-between-passes")
    print_after_change: bool = flag("... that changed it.", "--mlir-print-ir-after-change")
    print_after_failure: bool = flag("... that failed.", "--mlir-print-ir-after-failure")
    dump_stages_to: str | None = option("Write every stage to a numbered file, down to .o.", "FOLDER")
    timing: str | None = option("Show where time goes.", "[text|json]", "--timing", "--mlir-timing", callback=_timing)
    time_passes: bool = flag("The same as --timing.")
    dump_pass_pipeline: bool = flag("Show the passes that run, as --pass-pipeline takes them.")
    crash_reproducer: str | None = option(
        "Write the input and the passes to FILE if one fails.", "FILE", "--mlir-pass-pipeline-crash-reproducer"
    )
    run_reproducer: bool = flag("Run the passes that a reproducer names.")
