"""Runs the soak: `make soak ARGS="--seconds 60 --seed 5 --json record.json"`."""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import json
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

SECONDS = 600.0
STILL = 120.0
"""Seconds without progress after which the watchdog dumps all threads and ends the process."""
WARM = 0.3
"""The part of the time after which memory is first looked at: tables are full by then."""
KILOBYTES = 20.0
"""What a program may leave behind."""
SLACK = 8192
"""Kilobytes that memory may grow beside that, as heaps do."""


def memory() -> int:
    """The kilobytes that the process has in memory, when all that can be given back is."""
    gc.collect()
    if hasattr(trim := ctypes.CDLL(None), "malloc_trim"):
        trim.malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def soak(seconds: float, seed: int, folder: Path) -> dict[str, object]:
    """Does random work for so long; the record of it."""
    os.environ["HOLOGRAM_CACHE_DIR"] = str(folder / "cache")
    from soak import work

    # A shell's commands in the background ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    state = work.State(random.Random(seed), folder)
    start = told = time.monotonic()
    first: tuple[int, int] | None = None
    while (elapsed := time.monotonic() - start) < seconds:
        faulthandler.dump_traceback_later(STILL, exit=True)
        (action,) = state.rng.choices([*work.ACTIONS], [*work.ACTIONS.values()])
        action(state, state.rng)
        state.counts[action.__name__] += 1
        if first is None and elapsed > WARM * seconds:
            first = memory(), state.programs
        if time.monotonic() - told > 5:
            told = time.monotonic()
            sys.stdout.write(f"{elapsed:5.0f} s: {state.counts.total()} actions, {state.programs} programs\n")
            sys.stdout.flush()
    faulthandler.cancel_dump_traceback_later()
    last = memory()
    before, known = first or (last, state.programs)
    return {
        "seed": seed, "seconds": seconds, "actions": dict(state.counts), "programs": state.programs,
        "warm_kilobytes": before, "kilobytes": last, "programs_after_warm": state.programs - known,
    }  # fmt: skip


def main() -> int:
    """The command; 1 if memory grew."""
    parser = argparse.ArgumentParser(prog="soak", description="Random work for minutes, which must end soundly.")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--json", metavar="FILE", help="write the record there")
    options = parser.parse_args()
    # A process with threads that forks is what is tried here.
    warnings.simplefilter("ignore", DeprecationWarning)
    sys.stdout.write(f"seed {options.seed}, {options.seconds:g} seconds\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        record = soak(options.seconds, options.seed, Path(folder))
    if options.json:
        Path(options.json).write_text(json.dumps(record, indent=1) + "\n")
    sys.stdout.write(json.dumps(record) + "\n")
    programs = int(str(record["programs_after_warm"]))
    grown = int(str(record["kilobytes"])) - int(str(record["warm_kilobytes"]))
    if grown > SLACK + KILOBYTES * programs:
        sys.stdout.write(f"memory grew by {grown} KB over {programs} programs\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
