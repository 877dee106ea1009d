"""Compiles the C sources of `runtime/native/c` into the LLVM IR of `runtime/native/ir`, for all platforms, by the clang
of the package `ziglang`, which has the headers of all of them. Its LLVM must be no newer than llvmlite's, which reads
the files. What depends on the machine or the day is left out, so equal sources give equal files everywhere.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES, FILES = ROOT / "runtime/native/c", ROOT / "runtime/native/ir"
COMPILER = "HOLOGRAM_CLANG"
"""The variable that names the program `zig`."""

TRIPLES = {
    "x86_64-linux": ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu"),
    "aarch64-linux": ("aarch64-linux-gnu", "aarch64-unknown-linux-gnu"),
    "x86_64-macos": ("x86_64-macos", "x86_64-apple-darwin"),
    "aarch64-macos": ("aarch64-macos", "arm64-apple-darwin"),
    "x86_64-windows": ("x86_64-windows-gnu", "x86_64-pc-windows-msvc"),
    "aarch64-windows": ("aarch64-windows-gnu", "aarch64-pc-windows-msvc"),
}
"""The target of each platform by its name there, and the triple that its file has."""
PLATFORMS = {
    "launch": tuple(TRIPLES),
    "prepared_launch": tuple(TRIPLES),
    "half_floats": tuple(TRIPLES),
    "thread_pool": tuple(name for name in TRIPLES if not name.endswith("windows")),
    "cuda_launch": tuple(name for name in TRIPLES if not name.endswith("macos")),
    "c_library": tuple(name for name in TRIPLES if name.endswith("linux")),
}
"""The modules, and where each is used."""

OPTIONS = (
    # The launcher and the pool may call those functions alone that the runtime finds for them, so no loop may become
    # a call of memset. Python's objects are read through structs of ours, so accesses of any types may alias.
    "-std=c17 -O2 -fPIC -fno-builtin -fno-strict-aliasing -Wall -Wextra -Werror"
    # Frames are small, and none is probed: the linker would not find the function that does it on Windows.
    " -mno-stack-arg-probe -fno-stack-protector -fomit-frame-pointer"
    # Files that are short.
    " -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -g0 -fno-sanitize=all"
    " -S -emit-llvm -Wno-unused-command-line-argument"
).split()

_KEPT = ("no-builtins", "no-stack-arg-probe")
_QUOTED = re.compile(r' "([^"]*)"(="[^"]*")?')
_ATTACHED = re.compile(r", ![\w.]+ !\d+")
_LEFT_OUT = re.compile(r"^(?:; |!|source_filename|.*@llvm\.experimental\.noalias\.scope\.decl\()")


def files() -> Iterator[tuple[str, str, Path]]:
    """Each module for each of its platforms, and the file with its IR."""
    for module, platforms in PLATFORMS.items():
        for platform in platforms:
            yield module, platform, FILES / f"{module}.{platform}.ll"


def compiled(module: str, platform: str) -> str:
    """The IR of a module."""
    target, triple = TRIPLES[platform]
    zig = os.environ[COMPILER]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.ll"
        command = [zig, "cc", "-target", target, *OPTIONS, f"-I{ROOT / 'driver/c'}", "-o", output, f"{module}.c"]
        caches = dict.fromkeys(("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"), str(Path(folder) / "cache"))
        subprocess.run(command, cwd=SOURCES, env={**os.environ, **caches}, check=True, timeout=120)
        return _head(module) + _plain(output.read_text(encoding="utf-8"), triple)


def _head(module: str) -> str:
    return f"; Made of {module}.c by 'make native'.\n"


def _plain(text: str, triple: str) -> str:
    """What counts of a text: names of processors are given where it is used, and metadata tell debuggers of sources."""
    lines: list[str] = []
    for line in text.splitlines():
        if _LEFT_OUT.match(line):
            continue
        if line.startswith("target triple"):
            line = f'target triple = "{triple}"'
        if line.startswith("attributes"):
            line = _QUOTED.sub(lambda match: match[0] if match[1] in _KEPT else "", line)
        lines.append(_ATTACHED.sub("", line))
    return re.sub(r"\n\n+", "\n\n", "\n".join(lines).strip()) + "\n"
