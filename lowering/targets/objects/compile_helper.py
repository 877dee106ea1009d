"""A process of its own for what LLVM compiles for other machines: LLVM ends its process on some inputs.

The helper is started for the first request and serves many. A request and its answer are a header in JSON and a
payload, each with its length before it. If the helper dies, or takes longer than `SECONDS`, the request becomes an
error that names the file its payload was kept in; the next request starts another helper.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import struct
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, Any

from hologram.errors import HologramError, InputError, InternalError
from hologram.support import forks
from hologram.support.regular_files import write_temporary

if TYPE_CHECKING:
    from subprocess import Popen

SECONDS = 300.0
"""How long one request may take."""
_LENGTHS = struct.Struct("<II")


class HelperRefused(InputError):
    """An error that the helper raised, raised here again."""


class CompileHelper:
    """One helper process at a time, shared by all threads."""

    def __init__(self, seconds: float = SECONDS):
        self.seconds = seconds
        self._lock = forks.lock()
        self._process: Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._owner = 0

    def request(self, kind: str, header: Mapping[str, Any], payload: bytes, suffix: str = ".ll") -> bytes:
        """Run a task of `TASKS` on `payload`. `suffix` ends the name of the file that keeps it after a death."""
        with self._lock:
            process = self._running()
            try:
                self._send(process, {**header, "kind": kind}, payload)
                answer = self._receive(process)
            except BaseException:
                # An answer that nobody took would be that of the next request.
                self._stop()
                raise
            reason = self._stop() if answer is None else ""
        if answer is None:
            raise _death(header, payload, suffix, reason)
        reply, result = answer
        if "error" in reply:
            code, message, hint = reply["error"]
            raise HelperRefused(code, message, hint=hint)
        return result

    def start(self) -> None:
        """Starts the helper, if there is none, without waiting for it: it loads LLVM meanwhile."""
        with self._lock:
            self._running()

    @property
    def pid(self) -> int | None:
        """The helper's process, if there is one."""
        return None if self._process is None else self._process.pid

    @property
    def is_busy(self) -> bool:
        """Return whether a request is under way."""
        return self._lock.locked()

    def close(self) -> None:
        """Ends the helper."""
        with self._lock:
            self._stop()

    def _running(self) -> Popen[bytes]:
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process
        if self._process is not None and self._owner == os.getpid():
            self._stop()
        import subprocess  # Compiles for this machine need none.

        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the helper lives
        command = [sys.executable, "-P", "-m", __name__]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True
        )
        self._owner = os.getpid()
        return self._process

    def _send(self, process: Popen[bytes], header: Mapping[str, Any], payload: bytes) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError):  # A helper that died gives no answer either.
            _write(process.stdin, header, payload)

    def _receive(self, process: Popen[bytes]) -> tuple[dict[str, Any], bytes] | None:
        """The answer; None if the helper died or is too slow."""
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], self.seconds)
        return _read(process.stdout) if ready else None

    def _stop(self) -> str:
        """End the helper, and return what it printed before."""
        process, errors = self._process, self._errors
        self._process = self._errors = None
        if process is None or errors is None:
            return ""
        slow = process.poll() is None
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        if slow:
            with contextlib.suppress(Exception):
                process.wait(1)
        slow = process.poll() is None
        process.kill()
        status = process.wait()
        errors.seek(0)
        printed = errors.read().decode(errors="replace").strip()
        errors.close()
        first = next((line.strip() for line in printed.splitlines() if line.strip()), "")
        return f"no answer within {self.seconds:g} seconds" if slow else first or f"exit status {status}"


def _death(header: Mapping[str, Any], payload: bytes, suffix: str, reason: str) -> InternalError:
    digest = hashlib.sha256(payload).hexdigest()[:12]
    try:
        path = write_temporary(f"hologram-helper-{digest}{suffix}", payload)
        kept = f"what it was given is in {path}"
    except OSError as error:
        kept = f"what it was given could not be kept: {error.strerror}"
    target = " ".join(str(header[key]) for key in ("triple", "cpu") if header.get(key))
    return InternalError(
        "compile-helper-died",
        f"LLVM ended its process while it compiled for {target or 'a device'}: {reason}",
        hint=f"{kept}; please report it with that file",
    )


# Frames


def _write(stream: IO[bytes], header: Mapping[str, Any], payload: bytes) -> None:
    text = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(text), len(payload)) + text + payload)
    stream.flush()


def _read(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """A frame, or None at the end of the stream."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    first, second = _LENGTHS.unpack(lengths)
    text, payload = stream.read(first), stream.read(second)
    if len(text) < first or len(payload) < second:
        return None
    return json.loads(text), payload


# The helper's side


def _assembly(header: Mapping[str, Any], payload: bytes) -> bytes:
    from hologram.lowering.targets.objects.native import device_assembly
    from hologram.support.host_target import HostTarget

    target = HostTarget(header["triple"], header["cpu"], header["features"])
    return device_assembly(payload.decode(), target, header["level"]).encode()


def _wasm(header: Mapping[str, Any], payload: bytes) -> bytes:
    from hologram.lowering.targets.objects.wasm import to_object_here

    return to_object_here(payload.decode(), header["level"])


def _die(header: Mapping[str, Any], payload: bytes) -> bytes:
    """A task that ends the helper, for tests of what follows."""
    sys.stderr.write(payload.decode() + "\n")
    sys.stderr.flush()
    os.abort()


def _sleep(header: Mapping[str, Any], payload: bytes) -> bytes:
    """A task that takes a while, for tests too."""
    import time

    time.sleep(float(payload))
    return b""


TASKS: Mapping[str, Callable[[Mapping[str, Any], bytes], bytes]] = {
    "assembly": _assembly,
    "wasm": _wasm,
    "die": _die,
    "sleep": _sleep,
}
"""What helpers do, by the name that requests give it."""


def _serve(source: IO[bytes], target: IO[bytes]) -> None:
    while (request := _read(source)) is not None:
        header, payload = request
        try:
            reply, result = {}, TASKS[header["kind"]](header, payload)
        except HologramError as error:
            reply, result = {"error": [error.code, error.message, error.hint]}, b""
        _write(target, reply, result)


def _main() -> None:
    from hologram.lowering.targets.objects.native import prepare_all_targets

    prepare_all_targets()  # Before the first request comes.
    # LLVM writes to standard output in places: the answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _serve(sys.stdin.buffer, answers)


HELPER = CompileHelper()
"""The helper of this process."""


if __name__ == "__main__":
    _main()
