"""Worker processes: one a library, of which one at a time runs."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from environments import HERE, Peer, variables

CAN_STOP = hasattr(signal, "SIGSTOP")


class Failed(Exception):
    """A worker said that something failed, or died, or took too long."""


class NotOffered(Exception):
    """A library has no such row."""


class Worker:
    """A library in its process. Stopped while others are measured, so that none of its threads spins meanwhile."""

    def __init__(self, peer: Peer, python: str, threads: int):
        self.name = peer.name
        self.threads = threads
        self._command = command(peer, python)
        self._environment = variables(threads, peer.name)
        Path(self._environment["HOLOGRAM_CACHE_DIR"]).mkdir(parents=True, exist_ok=True)
        self._begin()

    def _begin(self) -> None:
        # A file of this run alone: a pipe would have to be read, and a second run must not empty it.
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env=self._environment,
        )
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process, self._answers), daemon=True).start()

    def revive(self) -> None:
        """Starts the process again if it has ended; raises Failed if it does not start."""
        if self._process.poll() is not None:
            self._begin()
            self.ask("start", threads=self.threads)

    @property
    def process(self) -> int:
        """The process id."""
        return self._process.pid

    @staticmethod
    def _read(process: subprocess.Popen[str], answers: queue.Queue[str]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError):
            for line in process.stdout:
                answers.put(line)
        answers.put("")

    def send(self, action: str, **request: Any) -> None:
        """Asks; the answer comes by `receive`."""
        self.go()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps({"do": action, **request}) + "\n")
            self._process.stdin.flush()

    def receive(self, timeout: float) -> Any:
        """The answer; raises Failed or NotOffered."""
        try:
            line = self._answers.get(timeout=timeout)
        except queue.Empty:
            self.close()
            raise Failed(f"no answer in {timeout:.0f} s") from None
        if not line:
            self._answers.put("")
            raise Failed(f"the process ended: {self._last_words()}")
        said = json.loads(line)
        if "unavailable" in said:
            raise NotOffered(said["unavailable"])
        if "error" in said:
            raise Failed(said["error"])
        return said["ok"]

    def ask(self, action: str, timeout: float = 120, **request: Any) -> Any:
        """Asks, waits, and stops the process again."""
        self.send(action, **request)
        try:
            return self.receive(timeout)
        finally:
            self.stop()

    def _last_words(self) -> str:
        self._process.wait(10)
        self._errors.seek(0)
        lines = [line for line in self._errors.read().decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip()[:200] if lines else f"exit status {self._process.returncode}"

    def stop(self) -> None:
        """Holds the process until it is asked again."""
        if CAN_STOP and self._process.poll() is None:
            os.kill(self.process, signal.SIGSTOP)

    def go(self) -> None:
        """Lets it run."""
        if CAN_STOP and self._process.poll() is None:
            os.kill(self.process, signal.SIGCONT)

    def close(self) -> None:
        """Ends the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


def command(peer: Peer, python: str) -> Sequence[str]:
    """The command that starts a worker."""
    return [python, str(HERE / "worker.py"), str(peer.adapter)]


def close_all(workers: Iterable[Worker]) -> None:
    """Ends all."""
    for worker in workers:
        worker.close()
