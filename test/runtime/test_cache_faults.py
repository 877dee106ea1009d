"""Whatever happens to the cache's folder, a compile gives a right kernel."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import hologram
from hologram.driver import artifacts, graph
from hologram.lowering.targets.objects.native import to_object
from hologram.runtime import cache as caches
from hologram.runtime import host as hosts
from hologram.runtime.cache import HEADER, TEMPORARY, CacheStats, DiskCache
from hologram.support.host_target import HostTarget, host_target
from runtime_programs import add

VECTOR = np.arange(4, dtype=np.float32)
PROGRAM = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
CHILD = f"""
import sys, numpy as np
import hologram
kernel = hologram.compile('''{PROGRAM}''')
x = np.arange(1000, dtype=np.float32)
assert (kernel(x, x) == 2 * x).all()
"""


@pytest.fixture(autouse=True)
def stats(monkeypatch: pytest.MonkeyPatch) -> CacheStats:
    fresh = CacheStats()
    monkeypatch.setattr(caches, "STATS", fresh)
    monkeypatch.setattr(graph, "STATS", fresh)
    return fresh


def check(source: str = PROGRAM) -> None:
    graph.clear_memory()
    np.testing.assert_array_equal(hologram.compile(source)(VECTOR, VECTOR), VECTOR * 2)


def files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file()]


def python(code: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], check=check, capture_output=True, text=True, timeout=120)


def test_missing_folder(cache_dir: Path):
    assert not cache_dir.exists()
    check()
    assert files(cache_dir)


def test_folder_that_goes_away(cache_dir: Path, stats: CacheStats):
    check()
    for folder in {path.parent for path in files(cache_dir)}:
        shutil.rmtree(folder)
    check()
    assert stats.compiled == 2
    check()
    assert stats.compiled == 2


@pytest.mark.parametrize("reason", [errno.EROFS, errno.EACCES])
def test_read_only_folder(reason: int, monkeypatch: pytest.MonkeyPatch, stats: CacheStats):
    """Root may write anywhere, so the system's answer is put on."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(reason, os.strerror(reason))

    check()
    written = stats.written
    original = os.open

    def open_to_read(path: Path, flags: int, mode: int = 0) -> int:
        return refuse() if flags & os.O_CREAT else original(path, flags)

    monkeypatch.setattr(os, "open", open_to_read)
    monkeypatch.setattr(os, "utime", refuse)
    check()
    check(PROGRAM.replace("%a", "%x"))
    assert stats.disk_hits == 1
    assert stats.written == written
    assert stats.write_failures


@pytest.mark.parametrize("after", [0, 1])
def test_full_disk(after: int, monkeypatch: pytest.MonkeyPatch, stats: CacheStats, cache_dir: Path):
    """The write fails at once, or half the file is there when space ends."""
    original = os.fdopen

    def opened(handle: int, mode: str) -> object:
        file = original(handle, mode)
        file.write(b"half" * after)
        file.close()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", opened)
    check()
    assert (stats.compiled, stats.written) == (1, 0)
    assert stats.write_failures
    assert not files(cache_dir)


LIMITED = f"""
import resource
before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (512, hard))
{CHILD}
# What measures coverage writes a larger file in the end.
resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
import hologram
assert hologram.cache_stats().write_failures, hologram.cache_stats()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of file sizes differ elsewhere")
def test_files_that_may_not_grow(cache_dir: Path):
    """A real refusal by the system in the middle of a write."""
    python(LIMITED)
    assert all(p.stat().st_size <= 512 for p in files(cache_dir))
    check()


def test_eight_processes_at_once(cache_dir: Path):
    running = [subprocess.Popen([sys.executable, "-c", CHILD]) for _ in range(8)]
    assert [process.wait(120) for process in running] == [0] * 8
    assert not [p for p in files(cache_dir) if p.name.startswith(TEMPORARY)]
    disk = DiskCache(cache_dir, 1 << 28)
    keys = [f"{p.parent.name}{p.name}" for p in files(cache_dir)]
    assert keys
    assert all(disk.get(key) is not None for key in keys)


KILLED = f"""
import os, signal
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
{CHILD}
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_writer(cache_dir: Path, stats: CacheStats):
    assert python(KILLED, check=False).returncode == -signal.SIGKILL
    left = files(cache_dir)
    assert left
    assert all(p.name.startswith(TEMPORARY) for p in left)
    check()
    assert stats.compiled == 1
    check()
    assert stats.disk_hits == 1
    past = left[0].stat().st_mtime - 2 * caches.STALE_SECONDS
    os.utime(left[0], (past, past))
    DiskCache(cache_dir, 1 << 28).usage()
    assert not left[0].exists()


@pytest.mark.parametrize("source", [PROGRAM, add()])
@pytest.mark.parametrize("damage", ["truncate", "flip", "foreign", "empty"])
def test_damaged_objects(source: str, damage: str, cache_dir: Path, stats: CacheStats):
    check(source)
    for path in files(cache_dir):
        blob = path.read_bytes()
        middle = len(blob) // 2
        path.write_bytes(
            {
                "truncate": blob[:middle],
                "flip": blob[:middle] + bytes([blob[middle] ^ 1]) + blob[middle + 1 :],
                "foreign": b"\x7fELF not a file of ours" * 20,
                "empty": b"",
            }[damage]
        )
    check(source)
    assert stats.compiled == 2
    assert stats.broken
    check(source)
    assert stats.compiled == 2


@pytest.mark.parametrize("foreign", ["text", "other-processor", "no-record"])
def test_whole_files_that_are_not_ours(foreign: str, cache_dir: Path, stats: CacheStats):
    """The checksum holds, but what was stored can't be loaded here."""
    check(add())
    (path,) = files(cache_dir)
    key = f"{path.parent.name}{path.name}"
    arm = HostTarget("aarch64-unknown-linux-gnu", "generic", "")
    content = {
        "text": b"no object",
        "other-processor": to_object("define void @f() { ret void }", arm),
        "no-record": path.read_bytes()[HEADER:].replace(b"hologram_entries", b"hologram_entriez"),
    }[foreign]
    DiskCache(cache_dir, 1 << 28).put(key, content)
    check(add())
    assert (stats.compiled, stats.broken) == (2, 1)
    check(add())
    assert stats.disk_hits == 1


def test_objects_for_another_processor_are_not_found(monkeypatch: pytest.MonkeyPatch, stats: CacheStats):
    here = host_target()
    check()
    monkeypatch.setattr(artifacts, "host_target", lambda: here.changed(cpu="another"))
    monkeypatch.setattr(artifacts, "prepare_host", lambda: here.changed(cpu="another"))
    check()
    assert (stats.compiled, stats.disk_hits, stats.equal_hits) == (2, 0, 0)


def test_a_processor_without_features_is_asked_for_once(monkeypatch: pytest.MonkeyPatch):
    plain = HostTarget("x86_64-unknown-linux-gnu", "generic", "")
    asked, told = [plain], list[HostTarget]()
    monkeypatch.setattr(hosts, "_processor", lambda: b"model name: plain")
    monkeypatch.setattr(hosts, "host_is_known", lambda: False)
    monkeypatch.setattr(hosts, "host_target", asked.pop)
    monkeypatch.setattr(hosts, "tell_host", told.append)
    assert [hosts.prepare_host(), hosts.prepare_host()] == [plain, plain]
    assert (asked, told) == ([], [plain])


def test_aliases_never_point_to_what_did_not_fit(monkeypatch: pytest.MonkeyPatch, stats: CacheStats):
    put = DiskCache.put

    def put_small(self: DiskCache, key: str, content: bytes) -> bool:
        return len(content) < 100 and put(self, key, content)

    monkeypatch.setattr(DiskCache, "put", put_small)
    check()
    check()
    assert (stats.compiled, stats.written) == (2, 0)
