"""`hologram-opt`: reads IR, runs passes on it, prints it. The command line of mlir-opt and of xdsl-opt, and more."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from hologram.plugins import discover
from hologram.tools.cli import run_tool, takes
from hologram.tools.opt.options import PASS_OPTION, Options

BARE_VALUES = {
    "--split-input-file": "// -----",
    "--verify-diagnostics": "all",
    "--verify-each": "true",
    "--timing": "text",
    "--mlir-timing": "text",
    "--mlir-print-ir-before": "all",
    "--mlir-print-ir-after": "all",
}
"""What an option of which the value may be left out then stands for."""


@click.command(name="hologram-opt", context_settings={"help_option_names": ["-h", "--help"]})
@takes(Options)
@click.option("--list-passes", is_flag=True, help="List the passes.")
@click.option("--list-pipelines", is_flag=True, help="List the named pipelines.")
@click.option("--list-dialects", "--show-dialects", is_flag=True, help="List the dialects.")
@click.option("--list-targets", is_flag=True, help="List the output forms.")
@click.option("--help-pass", "--show-pass", metavar="NAME", help="Describe a pass and its options.")
@click.option("--show-pipeline", metavar="NAME", help="Show the stages of a named pipeline.")
@click.option("--json", "as_json", is_flag=True, help="Give lists and descriptions as JSON.")
def command(**values: Any) -> int:
    """Read IR from FILE (or standard input), run passes on it, and print it.

    A pass can also be an option of its own, as in mlir-opt: --canonicalize, --cse. Options of several letters can be
    written with one dash. The exit code is 0, 1 if the input is wrong, 2 if the command line is, 70 if we are.
    """
    listings = {name: values.pop(name) for name in ("list_passes", "list_pipelines", "list_dialects", "list_targets")}
    listings |= {name: values.pop(name) for name in ("help_pass", "show_pipeline")}
    as_json = values.pop("as_json")
    if any(listings.values()):
        sys.stdout.write(_tell(listings, as_json))
        return 0
    from hologram.tools.opt.driver import OptDriver

    return OptDriver(Options(**values)).run()


def _tell(listings: dict[str, Any], as_json: bool) -> str:
    from hologram.tools.opt import lists as opt_lists

    discover()
    text = ""
    for name, value in listings.items():
        if value:
            tell = getattr(opt_lists, name)
            text += tell(as_json) if value is True else tell(value, as_json)
    return text


def normalized(args: Sequence[str]) -> list[str]:
    """The arguments as click takes them: values filled in, one dash made two, passes given as options put into `-p`."""
    takes_value = {o: not getattr(p, "is_flag", False) for p in command.params for o in p.opts if o.startswith("-")}
    rest = list(args)
    result: list[str] = []
    while rest:
        arg = rest.pop(0)
        if arg == "--":
            return [*result, arg, *rest]
        option, equals, value = arg.partition("=")
        if option.startswith("-") and f"-{option}" in takes_value and option not in takes_value:
            option = f"-{option}"
        if option in BARE_VALUES:
            result.append(f"{option}={value if equals else BARE_VALUES[option]}")
        elif option in takes_value:
            result += [option, value] if equals and len(option) == 2 else [option + equals + value]
            if takes_value[option] and not equals and rest:
                result.append(rest.pop(0))
        elif _is_pass(option):
            result += ["-p", f"{PASS_OPTION}--{option.lstrip('-')}{equals}{value}"]
        else:
            result.append(arg)
    return result


def _is_pass(option: str) -> bool:
    """Return whether `--cse` is the name of a pass, or of a pipeline."""
    name = option.lstrip("-")
    if not option.startswith("-") or len(name) < 3:
        return False
    from hologram.lowering.pipelines.pipelines import all_passes, is_pipeline
    from hologram.plugins.tables import KINDS

    return is_pipeline(name) or name in all_passes() or KINDS["pass"].find(name) is not None


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    return run_tool(command, args, normalized, _pass_options)


def _pass_options() -> list[str]:
    """The passes and pipelines as options."""
    from hologram.lowering.pipelines.pipelines import PIPELINES, all_passes

    return [f"--{name}" for name in (*all_passes(), *PIPELINES)]


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))
