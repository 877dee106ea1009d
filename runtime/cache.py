"""The disk cache: bytes by key, bounded, least recently used first out.

A broken, foreign, truncated, unreadable or unwritable entry costs time, never correctness: it reads as a miss. Each
file repeats its key and carries a checksum of its content, and is written beside its place and renamed over it, so
readers and writers of several processes never see half a file.

What the cache holds is run, so it takes only what the user of this process wrote: folders and files that are another
user's, or that others may write, and what is no plain file, count as missing (`hologram.runtime.ownership`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from blake3 import blake3

from hologram.runtime.ownership import is_own_folder, make_folder, why_foreign, why_unsafe_way
from hologram.runtime.settings import Settings, current

ContentT = TypeVar("ContentT")

MAGIC = b"hologram-cache-1\n"
HEADER = len(MAGIC) + 64
TEMPORARY = ".new-"
STALE_SECONDS = 3600
MAX_FILES = 10_000
"""Bounds the time of a scan where objects are tiny."""
FOLDERS = 256
"""How many folders the keys are spread over, by their first two digits."""
TRIM_TO = 0.75
"""How full a trim leaves the cache, so that not every following write trims again."""
_READ = os.O_RDONLY | sum(getattr(os, f"O_{name}", 0) for name in ("NOFOLLOW", "NONBLOCK", "CLOEXEC", "BINARY"))
_NO_FILE = (errno.ELOOP, errno.ENXIO, errno.EINVAL)
"""The system's answers where a link or a socket is opened, and ours where anything else is that is no file of ours."""
_ways: dict[Path, str] = {}
"""Why the way to a folder is not safe, by the folder; empty where it is. Each is looked at once."""
_said: set[str] = set()


class CacheStats:
    """Counts of what the caches of this process did.

    `equal_hits` counts new sources of programs that were known, `compiled` sources that the code generator took.
    """

    memory_hits: int = 0
    disk_hits: int = 0
    equal_hits: int = 0
    compiled: int = 0
    broken: int = 0
    written: int = 0
    write_failures: int = 0
    evicted: int = 0

    def __repr__(self) -> str:
        return f"CacheStats({', '.join(f'{name}={getattr(self, name)}' for name in CacheStats.__annotations__)})"


STATS = CacheStats()


def cache_stats() -> CacheStats:
    """A copy of this process's counters."""
    stats = CacheStats()
    vars(stats).update(vars(STATS))
    return stats


def key_of(*parts: str | bytes) -> str:
    """The key of what these parts decide together: other parts have another key."""
    digest = blake3()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode()).update(data)
    return digest.hexdigest()


def is_key(data: object) -> bool:
    """Return whether data that was read is a key."""
    return isinstance(data, str) and len(data) == 64 and set(data) <= set("0123456789abcdef")


class DiskCache:
    """Content by hexadecimal key (64 digits) in the folder `root`, at most `limit` bytes of it."""

    def __init__(self, root: Path, limit: int, debug: int = 0):
        self.root = root / "objects"
        self.limit = limit
        self._debug = debug

    def path(self, key: str) -> Path:
        """Return the path of the content of `key`."""
        return self.root / key[:2] / key[2:]

    def get(self, key: str) -> bytes | None:
        """The content stored under `key`, or None; a broken file is removed."""
        path = self.path(key)
        if not self.limit or self.why_unused() or not is_own_folder(path.parent):
            return None
        try:
            blob = _read(path)
        except OSError as error:
            if error.errno in _NO_FILE:
                self.discard(key, error.strerror)
            return None
        content = _unpack(key, blob)
        if content is None:
            self.discard(key)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def read(self, key: str, parse: Callable[[bytes], ContentT | None]) -> ContentT | None:
        """Return what `parse` makes of the content stored under `key`, or None; content that it refuses is removed.

        It refuses content by giving None: an entry of another version of a driver, say.
        """
        content = self.get(key)
        parsed = None if content is None else parse(content)
        if content is not None and parsed is None:
            self.discard(key)
        return parsed

    def find_or_make(
        self, key: str, make: Callable[[], bytes], parse: Callable[[bytes], ContentT | None]
    ) -> ContentT | None:
        """Return what `parse` makes of the content stored under `key`; where it makes nothing of that, or there is
        none, of what `make` gives, which is stored."""
        parsed = self.read(key, parse)
        if parsed is None:
            content = make()
            self.put(key, content)
            parsed = parse(content)
        return parsed

    def why_unused(self) -> str:
        """Return why nothing is read from the folder or written to it: somebody else may write there; empty if not."""
        if (reason := _ways.get(self.root)) is None:
            reason = _ways[self.root] = why_unsafe_way(self.root.parent)
        if not reason and _is_foreign(self.root):
            reason = f"'{self.root}' is not a folder of this user alone"
        if reason:
            self._say(f"the cache is not used: {reason}")
        return reason

    def _say(self, text: str) -> None:
        """Writes a line to standard error once, if HOLOGRAM_DEBUG asks for it."""
        if self._debug and text not in _said:
            _said.add(text)
            sys.stderr.write(f"hologram: {text}\n")

    def discard(self, key: str, reason: str | None = None) -> None:
        """Removes an entry that is of no use."""
        STATS.broken += 1
        if reason:
            self._say(f"'{self.path(key)}' in the cache is not used: {reason}")
        _remove(self.path(key))

    def put(self, key: str, content: bytes) -> bool:
        """Stores `content`; False where it can't be (the caller goes on without)."""
        blob = MAGIC + bytes.fromhex(key) + blake3(content).digest() + content
        if len(blob) > self.limit:
            return False
        try:
            if reason := self.why_unused():
                raise OSError(errno.EPERM, reason)
            self._make_folders(self.path(key).parent)
            _write_atomically(self.path(key), blob)
        except OSError:
            STATS.write_failures += 1
            return False
        STATS.written += 1
        self._keep_bounds(self.path(key).parent)
        return True

    def _make_folders(self, folder: Path) -> None:
        """Makes a folder of entries, in place of anything else that stands there."""
        if is_own_folder(folder):
            return
        if _is_foreign(folder):
            _remove(folder)
        make_folder(folder)

    def usage(self) -> tuple[int, int]:
        """Return the number of files and of their bytes."""
        sizes = [size for _, size, _ in self._scan()]
        return len(sizes), sum(sizes)

    def writable(self) -> bool:
        """Return whether a file can be made in the folder (it is made for this if it does not exist)."""
        if self.why_unused():
            return False
        try:
            self._make_folders(self.root)
            _write_atomically(probe := self.root / f"{TEMPORARY}probe-{os.getpid()}", b"")
            probe.unlink()
        except OSError:
            return False
        return True

    def clear(self) -> None:
        """Removes every entry."""
        for _, _, path in self._scan():
            with contextlib.suppress(OSError):
                path.unlink()

    def _keep_bounds(self, written: Path) -> None:
        """Trims the cache where it is too full. To look at thousands of files would take longer than to compile a small
        kernel, so the folder just written to speaks for all: keys are spread evenly."""
        sizes = [size for _, size, _ in _files(written)]
        if sum(sizes) * FOLDERS > self.limit or len(sizes) * FOLDERS > MAX_FILES:
            self._trim()

    def _trim(self) -> None:
        entries = sorted(self._scan(), key=lambda entry: entry[0])
        total, count = sum(size for _, size, _ in entries), len(entries)
        if total <= self.limit and count <= MAX_FILES:
            return
        for _, size, path in entries:
            if total <= self.limit * TRIM_TO and count <= MAX_FILES * TRIM_TO:
                break
            with contextlib.suppress(OSError):
                path.unlink()
                STATS.evicted += 1
            total, count = total - size, count - 1

    def _scan(self) -> list[tuple[float, int, Path]]:
        """(last use, size, path) of each entry."""
        if self.why_unused():
            return []
        folders = [e for e in _entries(self.root) if len(e.name) == 2 and e.is_dir(follow_symlinks=False)]
        return [file for folder in folders for file in _files(Path(folder.path))]


def disk_cache(settings: Settings | None = None) -> DiskCache:
    """Return the disk cache of these settings, by default of those in force."""
    settings = settings or current()
    return DiskCache(settings.cache_dir, settings.cache_bytes, settings.debug)


def _files(folder: Path) -> list[tuple[float, int, Path]]:
    """(last use, size, path) of each entry in a folder; leftovers of writers that died are removed on the way."""
    files: list[tuple[float, int, Path]] = []
    for file in _entries(folder):
        try:
            status = file.stat(follow_symlinks=False)
        except OSError:
            continue
        if not file.name.startswith(TEMPORARY):
            files.append((status.st_mtime, status.st_size, Path(file.path)))
        elif time.time() - status.st_mtime > STALE_SECONDS:
            with contextlib.suppress(OSError):
                os.unlink(file.path)
    return files


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _unpack(key: str, blob: bytes) -> bytes | None:
    """The content of a file of ours, or None if it is broken, or not the file of this key."""
    head = MAGIC + bytes.fromhex(key)
    if len(blob) < HEADER or blob[: len(head)] != head:
        return None
    content = blob[HEADER:]
    return content if blake3(content).digest() == blob[len(head) : HEADER] else None


def _read(path: Path) -> bytes:
    """The content of a file that is the user's alone; an OSError of `_NO_FILE` where something else is there."""
    handle = os.open(path, _READ)
    try:
        status = os.fstat(handle)
        # By a second link a file of the user from elsewhere would seem to be one of the cache.
        reason = "it has a second name" if status.st_nlink > 1 else why_foreign(status)
        if not stat.S_ISREG(status.st_mode):
            reason = "it is no file"
        if reason:
            raise OSError(errno.EINVAL, reason)
        parts: list[bytes] = []
        left = status.st_size
        while left and (part := os.read(handle, left)):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _is_foreign(folder: Path) -> bool:
    """Return whether something else than a folder of the user stands there.

    Another process may make the folder between the first question and the second, so the first is asked again.
    """
    return not is_own_folder(folder) and os.path.lexists(folder) and not is_own_folder(folder)


def _remove(path: Path) -> None:
    """Removes what stands at a place, whatever it is."""
    try:
        path.unlink()
    except OSError:
        if path.is_dir() and not path.is_symlink():
            import shutil

            shutil.rmtree(path, ignore_errors=True)


def _write_atomically(path: Path, blob: bytes) -> None:
    temporary = path.parent / f"{TEMPORARY}{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(blob)
        os.chmod(temporary, 0o600)  # Whatever the umask is.
        if path.is_dir():
            _remove(path)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
