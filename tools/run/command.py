"""`hologram-run`: runs a program of any stage on arrays from the command line or from files."""

from __future__ import annotations

import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hologram.errors import EXIT_INPUT, HologramError, UsageError, did_you_mean
from hologram.tools.cli import argument, flag, option, read_bytes, run_tool, takes, warn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hologram.driver.source import Source
    from hologram.runtime.launch.kernel import Kernel
    from hologram.tools.run.values import Result

    Array = NDArray[Any]

INTERPRETER = "interpreter"
GRACE = 1.0
"""Seconds that a launch has to stop where its time is over, before the process ends."""
TIMING_SECONDS = 0.5
TIMING_LAUNCHES = 1000


@dataclass(frozen=True)
class Options:
    """The command line."""

    file: str = argument()
    entry: str | None = option("Which public function to run; needed if there are several.", "NAME")
    device: str = option("cpu (default), auto, cuda:1, ..., or interpreter: the reference.", "NAME", default="cpu")
    values: tuple[str, ...] = option(
        "The next argument: a value or a file.", "VALUE|FILE.npy", "--arg", "--input", multiple=True
    )
    outputs: tuple[str, ...] = option("Save the next result there.", "FILE.npy", "--output", multiple=True)
    opt_level: int = option("LLVM's optimisation level (default 3).", None, type=click.IntRange(0, 3), default=3)
    no_cache: bool = flag("Compile even if the object is in the cache.")
    unsafe_memory: bool = flag("Trust a program at the kernel level: no guards, raw pointers and foreign calls.")
    timeout: float | None = option("The most seconds that the launch may take.", "SECONDS", type=float)
    time: bool = flag("Launch it several times and tell the median.")
    sweep: str | None = option("Tell the median for each size N: --arg f32[N]=ones.", "N=1000,1000000")
    as_json: bool = flag("Write JSON.", "--json")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run: named arrays, and the call again on copies of the arguments, to be timed."""

    entry: str
    device: str
    arrays: list[Result]
    again: Callable[[], Any]
    bytes: int = 0
    """Of the arrays that it was given and gave, each counted once."""


@click.command(
    "hologram-run", epilog="A VALUE is 3, 2.5, true, [1,2,3]:f32, f32[4x8]=iota|zeros|ones|random(7)|full(2)."
)
@takes(Options)
def command(**given: Any) -> int:
    """Run FILE: an archive (.holo), Python, JSON, YAML or TOML kernels, .mlir at any stage, .circuit, .atlas, .atlasb,
    .ll, .s or .o, or what a plugin reads; '-' reads text from standard input. Archives, .ll, .s
    and .o are programs that may do anything: run only those that you trust.

    Results, or the arrays that were written in place, are printed, or saved with --output. A circuit's arguments
    are the classes that it reads before it writes them, in their order, and its results those that it writes.
    """
    options = Options(**given)
    _check_outputs(options)
    if options.sweep is not None:
        return _sweep(options, options.sweep)
    outcome = _run(options)
    seconds = _median(outcome.again) if options.time else None
    _finish(options, outcome, seconds)
    return 0


def _check_outputs(options: Options) -> None:
    """Refuses to save results over the program or over each other."""
    taken = {os.path.realpath(options.file): "would be written over the program"}
    for name in options.outputs:
        if (why := taken.get(real := os.path.realpath(name))) is not None:
            raise UsageError("run-output-over", f"'{name}' {why}", hint="name another file")
        taken[real] = "would be written twice"


def _run(options: Options) -> Outcome:
    if options.file.endswith(".circuit"):
        return _circuit(options)
    return _interpret(options) if options.device == INTERPRETER else _launch(options)


def _sweep(options: Options, text: str) -> int:
    """Prints a table of times."""
    from hologram.tools.run.sweep import Sweep, measure, table

    sweep = Sweep.read(text)
    sweep.check(options.values)
    if options.outputs or options.file == "-" or options.file.endswith(".circuit"):
        hint = "leave --output out, and give a file of kernels or IR"
        raise UsageError("run-sweep-alone", "--sweep runs a file many times and keeps no results", hint=hint)
    outcome: Outcome | None = None

    def launch(values: tuple[str, ...]) -> tuple[float, int, int]:
        nonlocal outcome
        try:
            outcome = _run(replace(options, values=values))
        except UsageError as error:
            error.where = None  # The text that was given is another one.
            raise
        return *_median(outcome.again), outcome.bytes

    rows = measure(sweep, options.values, launch)
    assert outcome is not None
    if options.as_json:
        data = {"file": options.file, "entry": outcome.entry, "device": outcome.device}
        sys.stdout.write(json.dumps(data | {"times": [row.json() for row in rows]}) + "\n")
    else:
        sys.stdout.write(f"{outcome.entry} on {outcome.device}\n{table(sweep.name, rows)}")
    return 0


def _source(options: Options) -> Source:
    from hologram.driver.source import read_source, text_source

    return text_source(read_bytes("-"), "<stdin>") if options.file == "-" else read_source(options.file)


def _launch(options: Options) -> Outcome:
    """Compiles and runs."""
    from hologram.tools.run.values import parse_value

    kernel = _archived(options) if options.file.endswith(".holo") else _compile(options)
    wanted = [a for a in kernel.arguments if a.result is None]
    padded = [*wanted, *[None] * (len(options.values) - len(wanted))]
    args = [parse_value(text, a) for text, a in zip(options.values, padded, strict=False)]
    copies = [_copy(value) for value in args]
    with bounded(options.timeout):
        returned = kernel(*args)
    outputs = _outputs(kernel, args, returned)
    return Outcome(kernel.name, kernel.device, outputs, lambda: kernel(*copies), _bytes(args, outputs))


def _bytes(args: Sequence[Any], results: Sequence[Result]) -> int:
    # What was written in place is both an argument and a result.
    arrays = {id(value): value.nbytes for value in (*args, *(r.value for r in results)) if hasattr(value, "nbytes")}
    return sum(arrays.values())


def _compile(options: Options) -> Kernel:
    from hologram.driver.compiler import compile

    source, cache = _source(options), not options.no_cache
    try:
        return compile(
            source,
            device=options.device,
            entry=options.entry,
            opt_level=options.opt_level,
            cache=cache,
            unsafe_memory=options.unsafe_memory,
        )
    except HologramError as error:
        # The hints of these are for callers from Python.
        if error.code == "entry-ambiguous":
            error.hint = "choose one with --entry"
        if error.code == "device-unknown":
            error.hint = did_you_mean(options.device, [INTERPRETER]) or error.hint
        raise


def _archived(options: Options) -> Kernel:
    """A kernel of an archive."""
    from hologram.driver.archives.load import load

    if options.no_cache or options.opt_level != 3:
        hint = "leave --no-cache and --opt-level out, or run what the archive was made from"
        raise UsageError("run-archive-option", f"the code of '{options.file}' was compiled before", hint=hint)
    kernels = load(options.file, device=options.device)
    if options.entry is None and len(kernels) != 1:
        names = [*kernels][:8]
        hint = f"choose one with --entry: {', '.join(names)}{', ...' if len(kernels) > len(names) else ''}"
        raise UsageError("run-archive-entry", f"'{options.file}' has {len(kernels)} kernels", hint=hint)
    name = options.entry or next(iter(kernels))
    if why := kernels.why_compiled(name):
        warn(f"{why}; it is compiled from its IR")
    return kernels[name]


def _outputs(kernel: Kernel, args: Sequence[Any], returned: Any) -> list[Result]:
    """The results by name; without any, the arrays that were written in place."""
    from hologram.tools.run.values import Result

    if returned is None:
        return [Result(a.name, v, a.dtype) for a, v in zip(kernel.arguments, args, strict=True) if a.written]
    described = [a for a in kernel.arguments if a.result is not None]
    results: tuple[Array, ...] = returned if len(described) > 1 else (returned,)
    return [Result(a.name, v, a.dtype) for a, v in zip(described, results, strict=True)]


def _interpret(options: Options) -> Outcome:
    """Runs by the reference interpreter."""
    from hologram.driver.interpreted import interpreted_module
    from hologram.tools.run.interpreter import run_module
    from hologram.tools.run.values import parse_value

    source = _source(options)
    if not source.is_ir:
        message = f"the interpreter takes MLIR and Atlas code, and '{source.name}' is of the form '.{source.kind}'"
        raise UsageError("run-interpreter-form", message, hint="run it with --device cpu")
    module = interpreted_module(source)
    args = [parse_value(text, None) for text in options.values]
    copies = [_copy(value) for value in args]
    with bounded(options.timeout):
        arrays = run_module(module, options.entry, args)
    entry = options.entry or "main"
    used = _bytes(args, arrays)
    return Outcome(entry, "interpreter", arrays, lambda: run_module(module, options.entry, copies), used)


def _circuit(options: Options) -> Outcome:
    """Runs a circuit on class memory."""
    from hologram.tools.run.circuit import run_circuit

    if options.entry not in (None, "main"):
        raise UsageError("run-circuit-entry", f"a circuit has one entry, 'main', and not '{options.entry}'")
    source, cache = _source(options), not options.no_cache
    with bounded(options.timeout):
        arrays, device, again = run_circuit(source, options.values, options.device, options.opt_level, cache)
    return Outcome("main", device, arrays, again)


@contextmanager
def bounded(seconds: float | None) -> Generator[None]:
    """Ends what runs in the block after so many seconds: the launch if it can be stopped, else the process."""
    if seconds is None:
        yield
        return
    from hologram.runtime.launch.watch import timeout

    ended = threading.Event()
    limit = timeout(seconds)

    def give_up() -> None:
        if not ended.wait(seconds + GRACE):
            sys.stderr.write(f"error: the launch took longer than {seconds:g} seconds, and could not be stopped\n")
            sys.stderr.flush()
            os._exit(EXIT_INPUT)

    threading.Thread(target=give_up, daemon=True).start()
    try:
        with limit:
            yield
    finally:
        ended.set()


def _copy(value: Any) -> Any:
    return value.copy() if hasattr(value, "copy") else value


def _median(launch: Callable[[], Any]) -> tuple[float, int]:
    """The median time of a launch in seconds, and of how many."""
    times: list[float] = []
    end = time.perf_counter() + TIMING_SECONDS
    while len(times) < 3 or (len(times) < TIMING_LAUNCHES and time.perf_counter() < end):
        start = time.perf_counter()
        launch()
        times.append(time.perf_counter() - start)
    return statistics.median(times), len(times)


def _finish(options: Options, outcome: Outcome, seconds: tuple[float, int] | None) -> None:
    """Saves and prints."""
    from hologram.tools.run import values as run_values

    if len(options.outputs) > len(outcome.arrays):
        names = ", ".join(result.name for result in outcome.arrays)
        message = f"--output is given {len(options.outputs)} times, and '{outcome.entry}' has fewer results"
        raise UsageError("run-output-count", message, hint=f"its results are {names}" if names else "it has none")
    for file, result in zip(options.outputs, outcome.arrays, strict=False):
        run_values.save(file, result.value)
    if options.as_json:
        data: dict[str, Any] = {"file": options.file, "entry": outcome.entry, "device": outcome.device}
        data["results"] = [result.json() for result in outcome.arrays]
        data["time"] = {"median_seconds": seconds[0], "launches": seconds[1]} if seconds else None
        sys.stdout.write(json.dumps(data) + "\n")
        return
    for i, result in enumerate(outcome.arrays):
        saved = f"{result.name}: {result.type} in {options.outputs[i]}\n" if i < len(options.outputs) else None
        sys.stdout.write(saved or result.text())
    if options.device == "auto":
        sys.stdout.write(f"device: {outcome.device}\n")
    if seconds:
        sys.stdout.write(f"time: {seconds[0] * 1e6:.2f} us a launch (median of {seconds[1]})\n")


def run(args: Sequence[str] | None = None) -> int:
    """Runs the tool and gives its exit code."""
    return run_tool(command, args)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The console command."""
    raise SystemExit(run(args))
