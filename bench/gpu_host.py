"""Measures launches and first compiles on the host, by device: each sample in a process with a cache of its own.

    python bench/gpu_host.py DEVICE       one sample as JSON; HOLOGRAM_CACHE_DIR says where what is compiled is kept

- launch: of a prepared kernel, in batches that do not wait for the device. call: the same with its arrays as arguments.
- compile: adding vectors, from text to a result, where another kernel was compiled before. The second program with the
  same cache finds it on disk.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from time import perf_counter
from typing import Any

ROUNDS = 5
BATCH, BATCHES = 200, 25
"""Launches that a device has room for before it makes the host wait."""
ASKED = {"launch": 3e-6, "first compile": 0.25, "from the disk cache": 0.01}
"""Seconds, by CUDA."""


def check(options: Namespace, device: str = "cuda") -> dict[str, Any]:
    """The medians of several samples, beside what is asked."""
    samples: dict[str, list[float]] = {}
    for _ in range(1 if options.tiny else ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            first, second = (sample_apart(device, cache) for _ in range(2))
        found = {"launch": second["launch"], "call": second["call"]}
        found |= {"first compile": first["compile"], "from the disk cache": second["compile"]}
        for name, seconds in found.items():
            samples.setdefault(name, []).append(seconds)
    return {"rows": [row(name, device, statistics.median(all)) for name, all in samples.items()], "failures": []}


def row(name: str, device: str, seconds: float) -> dict[str, Any]:
    """A line of the result."""
    asked = ASKED.get(name) if device == "cuda" else None
    words = [] if asked is None else [f"at most {asked * 1e6:g} us: {seconds * 1e6:.1f}"]
    return {
        "row": name, "device": device, "seconds": seconds, "peers": {}, "share": None, "teraflops": None,
        "asked": words, "missed": asked is not None and seconds > asked, "error": "",
    }  # fmt: skip


def sample_apart(device: str, cache: str) -> dict[str, float]:
    """A sample of another program."""
    command = [sys.executable, str(Path(__file__).resolve()), device]
    environment = os.environ | {"HOLOGRAM_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise RuntimeError(f"a sample of {device} failed: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def sample(device: str) -> dict[str, float]:
    """Seconds of a launch, of a call, and from text to a first result."""
    import numpy as np

    import hologram

    def text(name: str) -> str:
        return f"""
func.func @{name}(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %r = hologram.{name} %x, %y : tensor<?xf32>
  func.return %r : tensor<?xf32>
}}
"""

    x, out = (hologram.array(np.ones(1024, np.float32), device=device) for _ in range(2))
    hologram.compile(text("mul"), device=device)(x, x, out=out)
    start = perf_counter()
    add: Any = hologram.compile(text("add"), device=device)
    add(x, x, out=out)
    value = float(out.numpy()[0])
    compiled = perf_counter() - start
    if value != 2:
        raise ValueError(f"1 + 1 is {value} on {device}")

    def time_of(call: Any) -> float:
        times: list[float] = []
        for _ in range(BATCHES):
            start = perf_counter()
            for _ in range(BATCH):
                call()
            times.append((perf_counter() - start) / BATCH)
            out.home.synchronize()
        return statistics.median(times)

    launch, call = time_of(add.prepare(x, x, out=out)), time_of(lambda: add(x, x, out=out))
    return {"launch": launch, "call": call, "compile": compiled}


if __name__ == "__main__":
    print(json.dumps(sample(sys.argv[1])))
