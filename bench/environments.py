"""The peers and their environments: what `peers.toml` pins, installed under build/bench."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDER = ROOT / "build" / "bench"
OURS = "ours"


@dataclass(frozen=True)
class Peer:
    """A library to compare with."""

    name: str
    adapter: Path
    packages: tuple[str, ...] = ()
    python: str | None = None


class NotInstalled(Exception):
    """An environment that could not be made; the message says why."""


def read_peers(path: Path) -> list[Peer]:
    """The peers of a file like peers.toml."""
    with path.open("rb") as file:
        rows: dict[str, Any] = tomllib.load(file)
    return [
        Peer(name, HERE / "adapters" / row["adapter"], tuple(row.get("packages", ())), row.get("python"))
        for name, row in rows.items()
    ]


def us() -> Peer:
    """This project, in the environment that runs the benchmark."""
    return Peer(OURS, HERE / "adapters" / "ours.py", python=sys.executable)


def find_python(peer: Peer) -> str:
    """The interpreter of a peer, its environment made first if it is missing or of other versions."""
    if peer.python is not None:
        if shutil.which(peer.python) is None:
            raise NotInstalled(f"there is no '{peer.python}'")
        return peer.python
    folder = FOLDER / peer.name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / ".made", json.dumps([sys.version, *peer.packages])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return str(python)
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    _run([*pip, "install", "-q", *peer.packages])
    stamp.write_text(wanted, encoding="utf-8")
    return str(python)


def _run(command: list[str]) -> None:
    """Runs a command; its last line of complaint becomes the error."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        reason = said[-1].removeprefix("ERROR: ") if said else f"exit status {done.returncode}"
        raise NotInstalled(f"{' '.join(command[1:3])}: {reason}")


def variables(threads: int, name: str) -> dict[str, str]:
    """The environment of a worker: threads for those who are told so, memory that freed results give back to new ones,
    caches of its own."""
    count = str(threads)
    cache = FOLDER / "cache" / name
    told = ("HOLOGRAM", "OMP", "OPENBLAS", "MKL", "NUMBA", "RAYON")
    return {
        **os.environ,
        **{f"{name}_NUM_THREADS": count for name in told},
        "HOLOGRAM_CACHE_DIR": str(cache),
        "NUMBA_CACHE_DIR": str(cache),
        "TORCHINDUCTOR_CACHE_DIR": str(cache),
        # glibc: allocate from the heap, never give back, on large pages.
        "MALLOC_MMAP_MAX_": "0",
        "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
        "MALLOC_TOP_PAD_": str(1 << 26),
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        # Empty is unset: an installed package has its byte code, and so shall a checkout.
        "PYTHONDONTWRITEBYTECODE": "",
    }
