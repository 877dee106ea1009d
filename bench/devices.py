"""Measures the devices of a machine without a GPU: the twelve kernels beyond its cache, in turns with our own code.

    python bench/devices.py [--quick] [--only NAME]... [--device KIND]... [--json] [--output FOLDER]

- cpu: our code for this processor, on one thread. narrow: the code that WebAssembly gets (vectors of 128 bits, no fma),
  compiled for this processor by LLVM, on one thread.
- opencl, vulkan, webgpu: drivers that run on the processor (PoCL, lavapipe), on as many threads as they like, with
  arrays in the device's memory; a time is that of a launch and of waiting for it. wasm: wasmtime, one thread.

All rows are measured in three passes, so that some seconds in which other machines of the host take of the memory or of
a core's units, which nobody here sees, are not those of one row.

In rows that move memory, drivers may take 3 times what cpu takes, and wasm twice what narrow takes; products and
convolutions are reported. `of copy` is the time of numpy's copy of as many bytes over that of cpu. Results are compared
with those of cpu before any time counts. A device that is not here is named, and has no times.

`devices.json` and `devices.md` hold the result. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

# Before the runtime looks: one thread.
os.environ["HOLOGRAM_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))

import numpy as np
import turns
from turns import Time

import hologram
from device_kernels import KERNELS, Array, DeviceKernel, Sizes
from hologram.dialects import make_context
from hologram.driver.source import text_source
from hologram.errors import HologramError
from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.native import compile_ir
from hologram.runtime.devices import open_device, status
from hologram.support.host_target import HostTarget, host_target

DRIVERS = ("opencl", "vulkan", "webgpu")
KINDS = (*DRIVERS, "wasm")
PASSES = 3
"""The number of passes over all rows."""
ASKED = {**dict.fromkeys(DRIVERS, ("cpu", 3.0)), "wasm": ("narrow", 2.0)}
"""By kind of device: the code with which its time is compared, and the allowed ratio where much memory moves."""
LINE, TABLE = (1 << 24,), (4096, 4096)
MEMORY: dict[str, Sizes] = {
    **dict.fromkeys(("saxpy", "fused-chain", "gelu", "sum"), LINE),
    **dict.fromkeys(("row-sum", "column-sum", "softmax", "layer-norm", "transpose"), TABLE),
}
"""Kernels that move much memory; their arrays have 64 MiB."""
COMPUTE: dict[str, Sizes] = {
    **dict.fromkeys(("matmul-f32", "matmul-f16"), (512, 512, 512)),
    "convolution": (2, 32, 32, 112, 112),
}


@dataclass
class Row:
    """One kernel; times in milliseconds."""

    name: str
    times: dict[str, Time]
    ratios: dict[str, float]
    """By kind of device, its time over the time with which it is compared."""
    of_copy: float
    foreign: float | None
    missed: list[str] = field(default_factory=list[str])
    """The kinds whose ratio is above what is asked."""
    errors: dict[str, str] = field(default_factory=dict[str, str])
    """By kind of device, the reason why it has no time."""


@dataclass
class Measured:
    """One pass of a row."""

    seconds: dict[str, list[float]]
    """The times by call, in the order of the turns."""
    foreign: float | None
    errors: dict[str, str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures the rows that are asked for."""
    options = parse(arguments)
    missing = {kind: f"{found.why} ({found.fix})" for kind in KINDS if not (found := status(kind)).ready}
    kinds = [k for k in options.device or KINDS if k not in missing]
    passes = 1 if options.tiny else PASSES
    options.seconds /= passes
    measured: dict[str, list[Measured]] = {name: [] for name in options.names}
    for number in range(passes):
        for name, found in measured.items():
            sys.stderr.write(f"pass {number + 1} of {passes}: {name}\n")
            found.append(measure(name, kinds, options))
    rows = [judged(name, found) for name, found in measured.items()]
    for name, row in zip(options.names, rows, strict=True):
        times = (f"{kind} {time.median:.2f}" for kind, time in row.times.items())
        sys.stderr.write(f"{name}: {', '.join(times)}; others' load {turns.share(row.foreign)}\n")
    titles = {device.name: f"{device.title} ({device.version})" for device in (open_device(f"{k}:0") for k in kinds)}
    result = {
        **turns.about_run(), "devices": titles, "missing": missing, "unit": "milliseconds",
        "rows": [asdict(row) for row in rows],
    }  # fmt: skip
    turns.write(options, "devices", result, markdown(result, rows, kinds))
    sys.exit(any(row.errors for row in rows))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; ends with status 2 if they make no sense."""

    def more(made: argparse.ArgumentParser) -> None:
        made.add_argument("--device", action="append", default=[], choices=KINDS, help="only this kind of devices")

    about = "Measures the devices of a machine without a GPU."
    return turns.parse_rows(about, arguments, [*MEMORY, *COMPUTE], 3.0, more)


def measure(name: str, kinds: Sequence[str], options: argparse.Namespace) -> Measured:
    """One pass of a row: every result first, then all take turns."""
    kernel, sizes = KERNELS[name], (MEMORY | COMPUTE)[name]
    if options.tiny:
        sizes = tuple(max(n >> 6, 1) for n in sizes)
    given = kernel.arguments(sizes)
    calls: dict[str, Callable[[], object]] = {}
    out = kernel.result(sizes)
    cpu = hologram.compile(kernel.text)
    cpu(*given, out=out)
    calls["cpu"] = lambda: cpu(*given, out=out)
    expected = out.copy()
    with tempfile.TemporaryDirectory() as folder:
        narrow = compile_narrow(kernel, Path(folder))
    again = kernel.result(sizes)
    narrow(*given, out=again)
    compare(f"{name}, narrow", kernel, given, again, expected)
    calls["narrow"] = lambda: narrow(*given, out=again)
    errors: dict[str, str] = {}
    for kind in kinds:
        try:
            calls[kind] = on_device(kernel, kind, given, expected)
        except HologramError as error:  # The other devices are measured.
            errors[kind] = str(error)
            sys.stderr.write(f"{name} on {kind}: {error}\n")
    moved = out.nbytes + sum(x.nbytes for x in given if isinstance(x, np.ndarray))
    source, target = np.ones(max(moved // 2, 1), np.uint8), np.zeros(max(moved // 2, 1), np.uint8)
    calls["copy"] = lambda: np.copyto(target, source)
    found, share = turns.in_turns(calls, options.seconds)
    return Measured(found, share, errors)


def compile_narrow(kernel: DeviceKernel, folder: Path) -> Any:
    """The kernel by the rows of WebAssembly's pipeline up to branches, as code for this processor."""
    context = make_context()
    module = text_source(kernel.text.encode(), "kernel.mlir").read(context)
    rows = PIPELINES["hologram-to-wasm"]
    names = [row.name for row in rows]
    run_pipeline(module, context, rows[: names.index("branches") + 1])
    run_pipeline(module, context, [row for row in PIPELINES["hologram-to-cpu"] if row.name == "llvm"])
    triple = host_target().triple
    target = HostTarget(triple, "x86-64-v2" if triple.startswith("x86_64") else "generic", "")
    path = folder / "narrow.o"
    path.write_bytes(compile_ir(emit_llvm_ir(module), target).object)
    return hologram.compile(path)


def on_device(kernel: DeviceKernel, kind: str, given: Sequence[Any], expected: Array) -> Callable[[], None]:
    """A launch on a device, and the wait for it; its result was compared."""
    compiled: Any = hologram.compile(kernel.text, device=kind)
    there = [x if isinstance(x, float) else hologram.array(x, device=kind) for x in given]
    out = hologram.array(np.full_like(expected, np.nan), device=kind)
    compiled(*there, out=out)
    compare(f"{kernel.title} on {kind}", kernel, given, out.numpy(), expected)
    synchronize = out.home.synchronize

    def call() -> None:
        compiled(*there, out=out)
        synchronize()

    return call


def compare(what: str, kernel: DeviceKernel, given: Sequence[Any], found: Array, expected: Array) -> None:
    """Ends the program if a result differs from that of cpu by more than both may be off."""
    with np.errstate(all="ignore"):
        off = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    most = 2 * kernel.allowed(given)
    if found.shape != expected.shape or not (off <= most).all():
        sys.exit(f"error: {what}: the result is not that of cpu")


def judged(name: str, passes: Sequence[Measured]) -> Row:
    """The row, of what each call took in all passes. A ratio is the median of those of the turns."""
    errors = {kind: why for each in passes for kind, why in each.errors.items()}
    called = [call for call in passes[0].seconds if call not in errors]
    found = {call: [seconds for each in passes for seconds in each.seconds[call]] for call in called}
    shares = [each.foreign for each in passes if each.foreign is not None]
    share = statistics.mean(shares) if shares else None
    ratios: dict[str, float] = {}
    missed: list[str] = []
    for kind in (kind for kind in ASKED if kind in found):
        with_, most = ASKED[kind]
        ratios[kind] = statistics.median(a / b for a, b in zip(found[kind], found[with_], strict=True))
        if name in MEMORY and ratios[kind] > most:
            missed.append(kind)
    times = {key: Time.of(seconds, 1e3) for key, seconds in found.items()}
    return Row(name, times, ratios, times["copy"].median / times["cpu"].median, share, missed, errors)


def markdown(result: Mapping[str, Any], rows: Sequence[Row], kinds: Sequence[str]) -> str:
    """The table."""
    head = f"| row | cpu | of copy | narrow | {' | '.join(kinds)} | others' load |"
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    for row in rows:
        cells = [_cell(row, kind) for kind in kinds]
        lines.append(
            f"| {row.name} | {row.times['cpu'].median:.2f} | {row.of_copy:.2f} | {row.times['narrow'].median:.2f} "
            f"| {' | '.join(cells)} | {turns.share(row.foreign)} |"
        )
    lines += ["", *(f"- {kind}: {title}" for kind, title in result["devices"].items())]
    lines += [f"- not measured: {kind}: {why}" for kind, why in result["missing"].items()]
    about = (
        "Milliseconds, medians; in brackets how many times that of cpu (of wasm: of narrow) it is, in bold where that "
        "is above what is asked. `python bench/devices.py`, whose first lines say what is compared."
    )
    return turns.page("Devices without a GPU", about, result, lines)


def _cell(row: Row, kind: str) -> str:
    if kind in row.errors:
        return "**failed**"
    ratio = f"{row.ratios[kind]:.2f}"
    return f"{row.times[kind].median:.2f} ({f'**{ratio}**' if kind in row.missed else ratio})"


if __name__ == "__main__":
    main()
