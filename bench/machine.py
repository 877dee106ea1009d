"""Describes the machine of a benchmark, and measures the load of other programs meanwhile."""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


def describe() -> dict[str, str]:
    """Processor, system and interpreter, in words."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    found = re.search(r"^model name\s*: (.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    model = found[1] if found else platform.processor() or platform.machine()
    flags = re.search(r"^flags\s*: (.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    has = set(flags[1].split()) if flags else set[str]()
    widest = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in has), "")
    return f"{model} ({widest})" if widest else model


def _memory() -> str:
    found = re.search(r"^MemTotal:\s*(\d+)", _read("/proc/meminfo"), re.MULTILINE)
    return f"{int(found[1]) / (1 << 20):.0f} GiB" if found else "unknown"


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


SHORTEST = 0.1
"""Seconds. The system counts in hundredths."""


@dataclass(frozen=True)
class Load:
    """The time that processors spent until a moment, in seconds: all of it, and that of our own processes."""

    when: float
    busy: float
    own: float

    def foreign_since(self, before: Load) -> float | None:
        """The share of the processors that others had, from 0 to 1; None of a time too short to tell."""
        passed = self.when - before.when
        if passed < SHORTEST:
            return None
        spent = (self.busy - before.busy) - (self.own - before.own)
        return min(1.0, max(0.0, spent / (passed * (os.cpu_count() or 1))))


def foreign(before: Load | None, after: Load | None) -> float | None:
    """The share of the processors that others had between two looks, if it can be told."""
    return after.foreign_since(before) if after is not None and before is not None else None


def look(processes: Iterable[int]) -> Load | None:
    """The load now; None where the system does not tell (there is no /proc/stat)."""
    line = _read("/proc/stat").partition("\n")[0].split()
    if len(line) < 9:
        return None
    tick = os.sysconf("SC_CLK_TCK")
    user, nice, system, _, _, interrupts, soft, stolen = map(int, line[1:9])
    busy = (user + nice + system + interrupts + soft + stolen) / tick
    return Load(time.monotonic(), busy, sum(_ticks(p) for p in [os.getpid(), *processes]) / tick)


def _ticks(process: int) -> int:
    """The processor time that a process and its ended children have used."""
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) if len(fields) > 14 else 0
