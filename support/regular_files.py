"""Reads files of which nobody knows what they are: what may never end or begin is refused."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

MOST_BYTES = 1 << 30
"""Of a text or a program."""
MOST_STREAMED = 1 << 28
"""Of what does not say its size before it is read: standard input, pipes, files of `/proc`."""
_OPEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Paths of what this process was given open, such as the shell's `<(command)`: these may be pipes."""
_STEP = 1 << 24
_KINDS = {
    stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
}  # fmt: skip
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOCTTY"))


def open_file(path: str | os.PathLike[str]) -> int:
    """The descriptor of a file, opened to be read. An OSError that says so if there is no file but something else."""
    handle = os.open(path, _FLAGS)
    try:
        status = os.fstat(handle)
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFDIR:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if kind in _KINDS and os.fspath(path).startswith(_OPEN):
            os.set_blocking(handle, True)
        elif kind in _KINDS and not _is_empty_device(status):
            raise OSError(errno.EINVAL, f"it is {_KINDS[kind]}, not a file", path)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _is_empty_device(status: os.stat_result) -> bool:
    """Return whether it is `/dev/null`, which is no file and ends at once."""
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == os.stat(os.devnull).st_rdev


def read_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The content of a file of at most `most` bytes; an OSError if it can't be read, is larger, or is no file."""
    with os.fdopen(open_file(path), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        return _read(file, size, most if size else min(most, MOST_STREAMED))


def read_input() -> bytes:
    """What stands on standard input; an OSError if that has no end."""
    if not sys.stdin:
        raise OSError(errno.EBADF, "standard input is closed")
    return _read(sys.stdin.buffer, 0, MOST_STREAMED)


def _read(file: IO[bytes], size: int, most: int) -> bytes:
    """The content of a stream that says it has `size` bytes, of at most `most`."""
    parts: list[bytes] = []
    count = 0
    try:
        while count <= most >= size:
            part: Any = file.read(_STEP)
            if part is None:
                raise OSError(errno.EAGAIN, "it has nothing to be read now")
            if not part:
                return b"".join(parts)
            parts.append(part)
            count += len(part)
    except MemoryError:
        raise OSError(errno.ENOMEM, "there is no memory for its content") from None
    raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")


def write_temporary(name: str, data: bytes) -> Path:
    """Writes a file of this name, or a like one, into the folder for temporary files, and gives its path.

    Others may have put a link or a file of theirs there: nothing that exists is written to but the user's own.
    """
    import tempfile

    place = Path(tempfile.gettempdir()) / name
    with suppress(OSError):
        if stat.S_ISREG((status := os.lstat(place)).st_mode) and status.st_uid == getattr(os, "geteuid", int)():
            place.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(place, flags, 0o600)
    except FileExistsError:
        place = place.with_stem(f"{place.stem}-{os.urandom(4).hex()}")
        handle = os.open(place, flags, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return place


def why_unwritable(name: str, error: OSError | ValueError) -> tuple[str, str | None]:
    """Return what keeps a file from being written, and what helps."""
    folder = os.path.dirname(name)
    if isinstance(error, ValueError) or not name:
        return "this is no name of a file", "name a file, or '-' for standard output"
    if error.errno == errno.EISDIR or os.path.isdir(name):
        return "it is a folder", "name a file in it"
    if folder and os.path.isfile(folder):
        return f"'{folder}' is a file, not a folder", None
    if error.errno == errno.ENOENT and folder and not os.path.exists(folder):
        return f"there is no folder '{folder}'", "make it first"
    reason = str(error.strerror or error)
    return reason[:1].lower() + reason[1:], None
