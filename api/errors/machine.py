"""Errors of the machine: it has no memory, no space, no handles left, or lacks a package. No program is at fault."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from hologram.errors import HologramError

PACKAGES = frozenset({"blake3", "click", "llvmlite", "ml_dtypes", "numpy", "platformdirs", "rich", "xdsl"})
"""What this package needs; some only for what it was not asked for before."""
_MEMORY = ("cannot allocate memory", "failed to map segment", "out of memory", "can't start new thread")
_LACKS = {
    errno.ENOSPC: "make space there",
    errno.EDQUOT: "make space there",
    errno.EFBIG: "the largest size of files is limited (ulimit -f); raise the limit",
    errno.EROFS: "name a folder that can be written; TMPDIR names that for temporary files",
    errno.EMFILE: "the number of open files is limited (ulimit -n); raise the limit",
    errno.ENFILE: "close other programs",
    errno.ENOMEM: "give the process more memory (ulimit -v limits it)",
    errno.EAGAIN: "the number of processes and threads is limited (ulimit -u); raise the limit",
}


class MachineError(HologramError):
    """The machine lacks something that the work needs."""


def machine_error(error: BaseException) -> HologramError | None:
    """The error for an exception, or one that it comes from, that says what the machine lacks; None for any other."""
    for cause in _causes(error):
        lack = _lack(cause)
        if lack is not None:
            wrapped = MachineError("machine-lacks", lack[0], hint=lack[1])
            wrapped.__cause__ = error
            return wrapped
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def _lack(error: BaseException) -> tuple[str, str] | None:
    """What is missing, and what to do; None if nothing is."""
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError) or any(words in text.lower() for words in _MEMORY):
        return "there is not enough memory for this" + f": {text}" * bool(text), _LACKS[errno.ENOMEM]
    if isinstance(error, ImportError) and (package := (error.name or "").partition(".")[0]) in PACKAGES:
        return f"the package '{package}' can't be imported: {text}", f"install it: pip install {package}"
    if not isinstance(error, OSError):
        return None
    if "libllvmlite" in text:
        return "LLVM's library can't be loaded: it is missing, or there is no memory for it", _LACKS[errno.ENOMEM]
    if "temporary directory" in text:
        return "there is no folder for temporary files", "make one and name it by TMPDIR"
    if error.errno not in _LACKS:
        return None
    place = "" if error.filename is None else f"'{error.filename}': "
    return f"the system refused: {place}{error.strerror}", _LACKS[error.errno]
