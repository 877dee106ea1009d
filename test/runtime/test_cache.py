"""The disk cache: whatever its files and folders look like, the worst that happens is a miss."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from blake3 import blake3

from hologram.runtime import cache as caches
from hologram.runtime.cache import TEMPORARY, CacheStats, DiskCache, cache_stats

KEYS = [f"{n:064x}" for n in range(1, 200)]
MEGABYTE = 1 << 20


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path, MEGABYTE)


@pytest.fixture(autouse=True)
def _stats(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(caches, "STATS", CacheStats())


def test_round_trip(cache: DiskCache):
    assert cache.get(KEYS[0]) is None
    assert cache.put(KEYS[0], b"content")
    assert cache.get(KEYS[0]) == b"content"
    assert cache.put(KEYS[0], b"other")
    assert cache.get(KEYS[0]) == b"other"
    assert cache.usage()[0] == 1
    cache.clear()
    assert cache.get(KEYS[0]) is None
    assert caches.STATS.written == 2


def test_stats_are_a_copy():
    cache_stats().written += 5
    assert cache_stats().written == 0


@pytest.mark.parametrize("damage", ["truncate", "flip", "foreign", "empty", "other-key", "head"])
def test_damaged_files_are_misses_and_go(cache: DiskCache, damage: str):
    cache.put(KEYS[0], b"content" * 10)
    cache.put(KEYS[1], b"another" * 10)
    path = cache.path(KEYS[0])
    blob = path.read_bytes()
    path.write_bytes(
        {
            "truncate": blob[:-3],
            "flip": blob[:-1] + bytes([blob[-1] ^ 1]),
            "foreign": b"not a file of ours" * 20,
            "empty": b"",
            "other-key": cache.path(KEYS[1]).read_bytes(),
            "head": blob[:40],
        }[damage]
    )
    assert cache.get(KEYS[0]) is None
    assert not path.exists()
    assert caches.STATS.broken == 1
    assert cache.put(KEYS[0], b"new")
    assert cache.get(KEYS[0]) == b"new"


def test_a_folder_in_the_place_of_a_file(cache: DiskCache):
    cache.path(KEYS[0]).mkdir(parents=True)
    assert cache.get(KEYS[0]) is None
    (cache.path(KEYS[0]) / "inside").mkdir(parents=True)
    assert cache.put(KEYS[0], b"content")
    assert cache.get(KEYS[0]) == b"content"
    assert not [p for p in cache.root.rglob(f"{TEMPORARY}*")]


def test_a_file_in_the_place_of_the_folder(tmp_path: Path):
    (tmp_path / "objects").write_text("a file")
    cache = DiskCache(tmp_path, MEGABYTE)
    assert cache.get(KEYS[0]) is None
    assert not cache.put(KEYS[0], b"content")
    assert not cache.writable()
    assert cache.usage() == (0, 0)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder(cache: DiskCache):
    cache.put(KEYS[0], b"content")
    folders = [cache.path(KEYS[0]).parent, cache.root]
    for folder in folders:
        folder.chmod(0o500)
    try:
        assert cache.get(KEYS[0]) == b"content"
        assert not cache.put(KEYS[1], b"content")
        assert not cache.writable()
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_write_failures_leave_nothing(cache: DiskCache, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    assert not cache.put(KEYS[0], b"content")
    assert not [p for p in cache.root.rglob("*") if p.is_file()]


def test_missing_folder_is_made(tmp_path: Path):
    cache = DiskCache(tmp_path / "a" / "b", MEGABYTE)
    assert cache.writable()
    assert cache.put(KEYS[0], b"content")


def test_turned_off(tmp_path: Path):
    cache = DiskCache(tmp_path, 0)
    assert not cache.put(KEYS[0], b"content")
    assert cache.get(KEYS[0]) is None
    assert not cache.root.exists()


def test_least_recently_used_go_first(tmp_path: Path):
    cache = DiskCache(tmp_path, 10_000)
    for age, key in enumerate(KEYS[:8]):
        cache.put(key, bytes(1000))
        os.utime(cache.path(key), (age, age))
    assert cache.get(KEYS[0]) == bytes(1000)
    cache.put(KEYS[8], bytes(1000))
    cache.put(KEYS[9], bytes(1000))
    assert cache.usage()[1] <= 10_000
    kept = [key in [k for k in KEYS if cache.path(k).exists()] for key in KEYS[:10]]
    assert kept[0]
    assert kept[8:] == [True, True]
    assert kept[1:4] == [False, False, False]
    assert caches.STATS.evicted >= 3


def test_number_of_files_is_bounded(cache: DiskCache, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(caches, "MAX_FILES", 8)
    for key in KEYS[:20]:
        cache.put(key, b"x")
    assert cache.usage()[0] <= 8


def test_writing_looks_at_one_folder(cache: DiskCache, monkeypatch: pytest.MonkeyPatch):
    """A cache may hold thousands of files: to look at all of them takes longer than to compile."""
    keys = [blake3(bytes([n])).hexdigest() for n in range(100)]
    listed: list[Path] = []
    original = caches._entries  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(caches, "_entries", lambda folder: listed.append(folder) or original(folder))  # pyright: ignore
    for key in keys:
        cache.put(key, b"x")
    assert listed == [cache.path(key).parent for key in keys]


def test_the_bound_holds_over_many_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(caches, "FOLDERS", 16)
    cache = DiskCache(tmp_path, 20_000)
    for n in range(300):
        cache.put("0" + blake3(bytes([n % 256, n // 256])).hexdigest()[1:], bytes(100))
    assert 10_000 < cache.usage()[1] <= 20_000


def test_larger_than_the_cache_is_not_stored(tmp_path: Path):
    cache = DiskCache(tmp_path, 1000)
    cache.put(KEYS[0], bytes(10))
    assert not cache.put(KEYS[1], bytes(2000))
    assert cache.get(KEYS[0]) == bytes(10)


def test_leftovers_of_dead_writers_go(cache: DiskCache):
    cache.put(KEYS[0], b"x")
    folder = cache.path(KEYS[0]).parent
    old, new = folder / f"{TEMPORARY}old", folder / f"{TEMPORARY}new"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    past = time.time() - 2 * caches.STALE_SECONDS
    os.utime(old, (past, past))
    assert cache.usage()[0] == 1
    assert not old.exists()
    assert new.exists()


def test_other_files_are_left_alone(cache: DiskCache):
    cache.put(KEYS[0], b"x")
    stranger = cache.root / "notes.txt"
    stranger.write_text("mine")
    cache.clear()
    assert stranger.exists()


def test_vanishing_files(cache: DiskCache, monkeypatch: pytest.MonkeyPatch):
    """Another process may remove a file between the listing and the look at it."""
    cache.put(KEYS[0], b"x")
    original = caches._entries  # pyright: ignore[reportPrivateUsage]

    def listed(folder: Path) -> list[os.DirEntry[str]]:
        found = original(folder)
        if folder != cache.root:
            for entry in found:
                os.unlink(entry.path)
        return found

    monkeypatch.setattr(caches, "_entries", listed)
    assert cache.usage() == (0, 0)


WRITER = """
import sys
from pathlib import Path
from hologram.runtime.cache import DiskCache
cache = DiskCache(Path(sys.argv[1]), 60_000)
for round in range(40):
    for n in range(12):
        key = f"{n + 1:064x}"
        found = cache.get(key)
        assert found is None or found == bytes([n]) * 4000, (n, found[:10])
        assert cache.put(key, bytes([n]) * 4000)
"""


def test_concurrent_processes(tmp_path: Path):
    running = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    cache = DiskCache(tmp_path, 60_000)
    assert cache.usage()[0] <= 15
    assert not list(cache.root.rglob(f"{TEMPORARY}*"))
