"""Checks and times everything on a machine with a GPU, side by side with torch and the code that Triton makes for it.

    python bench/gpu.py [--part correctness|streams|gemm|portable|host]... [--device NAME]... [--quick]
                        [--output FOLDER]

- correctness: the twelve kernels and every instruction on every device, against the interpreter (`test/gpu`).
- streams: what moves much memory, and the product of f32, by CUDA. The copy limit is torch's copy within the device.
- gemm: matrix products on tensor cores: bursts of four launches after a pause, in pairs with cuBLAS.
- portable: the rows of streams by vulkan, webgpu and opencl. What only the copy limit is asked of runs without peers.
- host: what a launch and a first compile cost the host, by CUDA.

Each part takes less than 8 minutes: arrays go to a device once, whatever the rows that read them, and the devices of a
row take turns with each other and with its peers. A time is that of a batch of launches, from the first to the end of
the last, over their number: the median of the batches. Results are compared with torch's before any time counts.
`gpu.json` in the folder keeps one entry a part, the last that was run; `gpu.md` and `gpu.svg` are written from all of
them. A part that fails, or a result that is wrong, ends the program with status 1. Nothing is measured where there is
no NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import gpu_rows
import numpy as np
from environments import FOLDER
from gpu_rows import PORTABLE, Row

import hologram

PARTS = ("correctness", "streams", "gemm", "portable", "host")
BATCH_SECONDS = 0.05
"""About what a batch of launches takes."""
Given = tuple[tuple[int, ...], str, int]
"""An input: its shape, none of a number, its type and seed."""
FIRST = 10
"""The launches that tell how many are a batch: one alone takes much longer than one of many."""


@dataclass
class Outcome:
    """One row on one device."""

    row: str
    device: str
    seconds: float = 0.0
    peers: dict[str, float] = field(default_factory=dict[str, float])
    share: float | None = None
    """The share of the copy limit: the time that a copy of as many bytes takes, over ours."""
    teraflops: float | None = None
    asked: list[str] = field(default_factory=list[str])
    """The required and the measured ratios, in words."""
    missed: bool = False
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the parts that are asked for."""
    options = parse(arguments)
    torch = find_torch()
    options.output.mkdir(parents=True, exist_ok=True)
    kept = options.output / "gpu.json"
    result: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {"parts": {}}
    failed = False
    for part in options.part or PARTS:
        entry = Run(options, torch).part(part)
        failed |= bool(entry["failures"])
        result["parts"][part] = {"date": time.strftime("%Y-%m-%d"), "machine": machine_of(torch), **entry}
        kept.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    report: Any = import_module("gpu_report")
    report.write(result, options.output)
    sys.stdout.write((options.output / "gpu.md").read_text(encoding="utf-8"))
    sys.exit(failed)


def find_torch() -> Any:
    """torch, if it can use a GPU; ends with status 1 if not."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        sys.exit("error: torch is not installed, and it is what GPUs are measured beside; pip install torch triton")
    if not torch.cuda.is_available():
        sys.exit("error: torch finds no NVIDIA GPU here; nothing was measured")
    return torch


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; ends with status 2 if they make no sense."""
    parser = argparse.ArgumentParser(description="Checks and times everything on a machine with a GPU.")
    parser.add_argument("--part", action="append", default=[], choices=PARTS, help="only this part")
    parser.add_argument("--device", action="append", default=[], metavar="NAME", help="only this device")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a row, or the start of its name")
    parser.add_argument("--quick", action="store_true", help="fewer batches")
    parser.add_argument("--tiny", action="store_true", help="few elements: to test the benchmark itself")
    parser.add_argument("--output", type=Path, default=FOLDER / "results", metavar="FOLDER", help="where to write")
    return parser.parse_args(arguments)


def machine_of(torch: Any) -> dict[str, str]:
    """The GPU and the versions of the packages that were measured."""
    found = {"gpu": torch.cuda.get_device_name(0), "torch": torch.__version__}
    for name in ("triton", "llvmlite", "wgpu", "pyopencl"):
        try:
            found[name] = str(import_module(name).__version__)
        except (ImportError, AttributeError):
            found[name] = "not installed"
    return found


class Run:
    """One run of a part."""

    def __init__(self, options: argparse.Namespace, torch: Any):
        self.options = options
        self.torch = torch
        self.batches = 3 if options.tiny else 7 if options.quick else 15
        self._kept: dict[tuple[Any, ...], Any] = {}
        torch.backends.cuda.matmul.allow_tf32 = False

    def part(self, name: str) -> dict[str, Any]:
        """The entry of a part in the result."""
        say(f"part {name}")
        match name:
            case "correctness":
                return import_module("gpu_correctness").check(self.options, self.torch.cuda.get_device_name(0))
            case "gemm":
                return import_module("gpu_gemm").measure(self.options, self.torch)
            case "host":
                return import_module("gpu_host").check(self.options)
            case _:
                devices = [d for d in (PORTABLE if name == "portable" else ("cuda",)) if self.wanted(d)]
                return self.measure(devices)

    def wanted(self, device: str) -> bool:
        """Return whether the options select a device."""
        return not self.options.device or device in self.options.device

    def measure(self, devices: Sequence[str]) -> dict[str, Any]:
        """The rows on some devices."""
        limit = self.copy_limit()
        outcomes: list[Outcome] = []
        for row in gpu_rows.find(self.options.only):
            row = row.small() if self.options.tiny else row
            outcomes += self.row(row, devices, limit)
        failures = [f"{o.row} on {o.device}: {o.error}" for o in outcomes if o.error]
        return {"copy_bytes_per_second": limit, "rows": [asdict(o) for o in outcomes], "failures": failures}

    def copy_limit(self) -> float:
        """Bytes a second that a copy within the device moves, counting what is read and what is written."""
        torch = self.torch
        source = torch.ones(1 << (20 if self.options.tiny else 28), device="cuda")
        target = torch.empty_like(source)
        times = self.in_turns({"copy": lambda: target.copy_(source)}, {"copy": torch.cuda.synchronize})
        return 8 * source.numel() / times["copy"]

    def row(self, row: Row, devices: Sequence[str], limit: float) -> list[Outcome]:
        """One row: torch's result first, then each device against it, then the times of all in turns."""
        given = [(tuple(shape), row.kernel.dtype, n) for n, shape in enumerate(row.kernel.shapes(row.sizes))]
        peers = self.peers(row, [self.input(key) for key in given], devices)
        expected = peers["torch"]()
        calls = {name: peers[name] for name in row.timed(devices)}
        waits: dict[str, Any] = dict.fromkeys(calls, self.torch.cuda.synchronize)
        outcomes = [Outcome(row.name, device) for device in devices]
        for outcome in outcomes:
            say(f"  {row.name} on {outcome.device}")
            with noting([outcome]):
                calls[outcome.device], waits[outcome.device] = self.ours(row, outcome.device, given, expected)
        good = [outcome for outcome in outcomes if not outcome.error]
        with noting(good):
            times = self.in_turns(calls, waits)
            for outcome in good:
                judge(outcome, row, {"ours": times[outcome.device], **{n: times[n] for n in row.timed(devices)}}, limit)
        return outcomes

    def once(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return the value that was made for a key before, or make it now."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def input(self, key: Given) -> Any:
        """torch's random numbers of a shape, type and seed."""
        return self.once(key, lambda: make(self.torch, *key))

    def on(self, device: str, key: Given) -> Any:
        """The same numbers on a device."""
        if not key[0]:
            return self.input(key)
        host = self.once(("host", key), lambda: self.input(key).cpu().numpy())
        return self.once((device, key), lambda: hologram.array(host, device=device))

    def peers(self, row: Row, inputs: Sequence[Any], devices: Sequence[str]) -> dict[str, Callable[[], Any]]:
        """The calls of torch for a row, eager and compiled."""
        torch = self.torch
        names = dict(zip("abc", inputs, strict=False))
        scope = {"torch": torch, "F": torch.nn.functional}
        made: Any = eval(f"lambda {', '.join(names)}: {row.peer.replace(', out=out', '')}", scope)
        if "out=out" in row.peer:
            scope["out"] = made(*inputs)
            eager: Any = eval(f"lambda {', '.join(names)}: {row.peer}", scope)
        else:
            eager = made
        peers: dict[str, Callable[[], Any]] = {"torch": lambda: eager(*inputs)}
        if "compiled" in row.timed(devices):
            # All rows make functions at one place, and torch compiles few of a place before it gives up.
            torch.compiler.reset()
            compiled = torch.compile(made, dynamic=False)
            compiled(*inputs)
            peers["compiled"] = lambda: compiled(*inputs)
        return peers

    def ours(
        self, row: Row, device: str, given: Sequence[Given], expected: Any
    ) -> tuple[Callable[[], Any], Callable[[], Any]]:
        """Our call on arrays of the device, after its result was compared; and what waits for the device."""
        kernel: Any = hologram.compile(row.kernel.text, device=device)
        arrays = [self.on(device, key) for key in given]
        shape, dtype = tuple(row.kernel.out(row.sizes)), row.kernel.dtype
        # Another row's result is as wrong as NaN: what is not written is seen.
        out = self.once(
            (device, "out", shape, dtype), lambda: hologram.array(np.full(shape, np.nan, dtype), device=device)
        )
        kernel(*arrays, out=out)
        self.compare(row, out.numpy(), expected, self.input(given[0]))
        return lambda: kernel(*arrays, out=out), out.home.synchronize

    def compare(self, row: Row, found: Any, expected: Any, first: Any) -> None:
        """Raises if a result differs from torch's by more than both may."""
        torch = self.torch
        ours = torch.from_numpy(np.array(found)).to("cuda").double()
        if ours.shape != expected.shape:
            raise ValueError(f"the result has shape {tuple(ours.shape)}, torch's {tuple(expected.shape)}")
        theirs = expected.double()
        scale = theirs.abs().clamp_min(theirs.abs().mean())
        error = float(((ours - theirs).abs() / scale).max())
        most = 2e-2 if row.kernel.dtype == "float16" else 2e-4 if row.operations else 2e-5
        if "sum" in row.name:  # Sums of numbers of both signs: what counts is the sum of magnitudes.
            error = float((ours - theirs).abs().max() / first.abs().double().sum().clamp_min(1) * theirs.numel())
        if not error <= most:
            raise ValueError(f"the result differs from torch's by {error:.2g}")

    def in_turns(
        self, calls: Mapping[str, Callable[[], Any]], waits: Mapping[str, Callable[[], Any]]
    ) -> dict[str, float]:
        """Seconds of a launch of each: the median of batches."""
        counts: dict[str, int] = {}
        for name, call in calls.items():
            seconds_of(1, call, waits[name])
            counts[name] = max(1, min(200, round(BATCH_SECONDS / seconds_of(FIRST, call, waits[name]))))
        found: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(self.batches):
            for name, call in calls.items():
                found[name].append(seconds_of(counts[name], call, waits[name]))
        return {name: statistics.median(times) for name, times in found.items()}


def seconds_of(count: int, call: Callable[[], Any], wait: Callable[[], Any]) -> float:
    """The seconds of one launch, measured over `count` launches in a row."""
    start = perf_counter()
    for _ in range(count):
        call()
    wait()
    return (perf_counter() - start) / count


@contextmanager
def noting(outcomes: Sequence[Outcome]) -> Generator[None]:
    """Makes an exception the error of outcomes: whatever a device does, the other rows are measured."""
    try:
        yield
    except Exception as error:
        say(f"    {type(error).__name__}: {error}")
        for outcome in outcomes:
            outcome.error = f"{type(error).__name__}: {error}"


def make(torch: Any, shape: Sequence[int], dtype: str, seed: int) -> Any:
    """Random numbers on the device; a plain number for a scalar."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    if not shape:
        return 0.75
    return torch.randn(*shape, generator=generator, device="cuda").to(getattr(torch, dtype))


def judge(outcome: Outcome, row: Row, times: Mapping[str, float], limit: float) -> None:
    """Fills in the times, and what is asked of them."""
    outcome.seconds = times["ours"]
    outcome.peers = {name: seconds for name, seconds in times.items() if name != "ours"}
    outcome.share = row.bytes / limit / outcome.seconds
    outcome.teraflops = row.operations / outcome.seconds / 1e12 if row.operations else None
    if (asked := row.limit.get(outcome.device)) is not None:
        outcome.asked.append(f"{asked} of the copy limit: {outcome.share:.3f}")
        outcome.missed |= outcome.share < asked
    if (ratio := row.ratio.get(outcome.device)) is not None:
        peer, least = ratio
        found = outcome.peers[peer] / outcome.seconds
        outcome.asked.append(f"{least} of {peer}: {found:.3f}")
        outcome.missed |= found < least
    words = [f"{outcome.seconds * 1e6:.1f} us", *outcome.asked, *(["MISSED"] if outcome.missed else [])]
    say(f"    {outcome.device}: {'; '.join(words)}")


def say(words: str) -> None:
    """Progress, on standard error."""
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
