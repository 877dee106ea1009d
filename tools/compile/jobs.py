"""The work of hologram-compile: the artifacts of each file, made in this process or in several others.

A worker that dies (LLVM ends its process on some inputs) takes no other file with it: what it was at is reported, and
another one goes on.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import cast

from hologram import plugins
from hologram.driver.archives.build import digest_of
from hologram.driver.artifacts import Artifact, Request
from hologram.driver.graph import Build
from hologram.driver.portable import PortableSource
from hologram.driver.source import read_source, text_source
from hologram.errors import HologramError, InputError, InternalError, render
from hologram.runtime.settings import Settings
from hologram.tools.cli import REPORT, read_bytes, unexpected
from hologram.tools.compile.inputs import STDIN, Input


@dataclass(frozen=True)
class Job:
    """A file and what is to be made of it."""

    input: Input
    source: PortableSource
    wanted: tuple[Request, ...]
    opt_level: int
    settings: Settings

    def build(self, times: dict[str, float]) -> Build:
        """Return the build that makes it; the time of each step is added to `times`."""

        def note(whose: str, seconds: float) -> None:
            times[whose] = times.get(whose, 0.0) + seconds

        return Build(self.source, self.settings, self.opt_level, note=note)


@dataclass
class Outcome:
    """The outcome of a file."""

    input: Input
    artifacts: dict[Request, Artifact] = field(default_factory=dict[Request, Artifact])
    error: str = ""
    """The message, where it could not be compiled."""
    exit_code: int = 0
    made: int = 0
    """How many artifacts were made; the others were found."""
    seconds: float = 0.0
    times: dict[str, float] = field(default_factory=dict[str, float])
    digest: str = ""
    """BLAKE3 of the source."""
    is_refused: bool = False
    """Whether a device refuses it, which others may take."""
    skipped: list[str] = field(default_factory=list[str])
    """What was left out because a target refuses it."""


def read_input(given: Input, types: tuple[str, ...]) -> PortableSource:
    """The source of a file, under the name that its outcome calls it."""
    if not given.name.isprintable():
        message = f"the name {ascii(given.path)} has characters that can't be shown"
        raise InputError("compile-file-name", message, hint="rename the file")
    if given.path == STDIN:
        return PortableSource.of(text_source(read_bytes(STDIN), given.name), types=types)
    source = read_source(Path(given.path))  # As text its name could be taken for a program.
    path = "" if given.path == given.name else given.path
    # A module, of a plugin's front end, goes to another process as its text.
    return PortableSource.of(replace(source, name=given.name, module=None), path, types)


def failure(given: Input, error: Exception) -> Outcome:
    """The outcome of a file that can't be compiled. The message names the file as it was given."""
    reported = error if isinstance(error, HologramError) else unexpected(error)
    if reported.where is not None and reported.where.file == given.name != given.path and given.path != STDIN:
        reported.where = reported.where.changed(file=given.path)
    if isinstance(reported, InternalError) and reported.where is None:
        reported.message = f"{given.path}: {reported.message}"
    is_refused = reported.code.startswith("device-refuses")
    return Outcome(given, error=render(reported), exit_code=reported.exit_code, is_refused=is_refused)


def _reproduced(job: Job, error: Exception) -> Exception:
    """The error, which says where a reproducer is if the fault is ours and the file can be read."""
    reported = error if isinstance(error, HologramError) else unexpected(error)
    target = next((want.target for want in job.wanted if want.target is not None), None)
    if not isinstance(reported, InternalError) or target is None or not job.source.is_ir:
        return reported
    from hologram.dialects import make_context
    from hologram.driver.source import printed
    from hologram.lowering.pipelines.pass_spec import parse_pipeline
    from hologram.tools.opt.reproducer import reproducer_text, write_reproducer

    with contextlib.suppress(Exception):  # What went wrong counts, not that it can't be kept.
        text = printed(job.source.read(make_context()), located=False)
        pipeline = parse_pipeline(f"hologram-to-{target.device}")
        path = write_reproducer(reproducer_text(text, pipeline, False, reported))
        reported.hint = "; ".join(filter(None, [reported.hint, f"wrote {path} to reproduce this", REPORT]))
    return reported


def known(job: Job) -> Outcome | None:
    """The outcome of a job of which the cache holds all artifacts."""
    start = perf_counter()
    artifacts = job.build({}).find(job.wanted)
    if len(artifacts) < len(job.wanted):
        return None
    return Outcome(job.input, artifacts, seconds=perf_counter() - start, digest=digest_of(job.source))


def run_job(job: Job) -> Outcome:
    """Finds or makes the artifacts of one file."""
    start = perf_counter()
    outcome = Outcome(job.input, digest=digest_of(job.source))
    try:
        build = job.build(outcome.times)
        outcome.artifacts = build.find(job.wanted)
        missing = [want for want in job.wanted if want not in outcome.artifacts]
        outcome.artifacts |= build.make(missing)
        outcome.made = len(missing)
    except Exception as error:
        outcome = failure(job.input, _reproduced(job, error))
    outcome.seconds = perf_counter() - start
    return outcome


class Pool:
    """Worker processes, kept until the pool is closed."""

    def __init__(self, size: int):
        self.size = size
        self._all: list[Worker] = []

    def run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """The outcome of each job, as they are done."""
        waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        # The longest first would be best; the largest source is near it.
        for job in sorted(jobs, key=lambda job: -len(job.source.data)):
            waiting.put(job)
        count = min(self.size, len(jobs))
        while len(self._all) < count:
            self._all.append(Worker())
        threads = [threading.Thread(target=_serve, args=(w, waiting, done), daemon=True) for w in self._all[:count]]
        for thread in threads:
            thread.start()
        for _ in jobs:
            yield done.get()
        for thread in threads:
            thread.join()

    def close(self) -> None:
        """Ends the workers, whatever is left to do."""
        for worker in self._all:
            worker.end()
        self._all.clear()


def _serve(worker: Worker, waiting: queue.SimpleQueue[Job], done: queue.SimpleQueue[Outcome]) -> None:
    """Has a worker do one job after another."""
    while True:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            return
        done.put(worker.run(job))


class Worker:
    """A process that does jobs; it is started for the first one, and again when it died."""

    # Not by -m: what the module makes would be of another module, which cannot be read back.
    command = (sys.executable, "-P", "-c", "from hologram.tools.compile.jobs import main; main()")

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        """What runs, if anything does."""
        self._starting = threading.Lock()
        self._ended = False

    def run(self, job: Job) -> Outcome:
        """The outcome of a job, or the report of the worker's death."""
        process = self._running()
        if process is None:
            return failure(job.input, _death(None))
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(job, process.stdin)
            process.stdin.flush()
            return pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
            self.close()
            return failure(job.input, _death(process.returncode))

    def end(self) -> None:
        """Ends the process, and starts none again: a thread may still have jobs for it."""
        with self._starting:
            self._ended = True
        self.close()

    def close(self) -> None:
        """Ends the process."""
        process, self.process = self.process, None
        if process is None:
            return
        # First, for a thread that reads what it writes holds the stream until then.
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._starting:
            if self.process is None and not self._ended:
                # In a session of its own: Ctrl-C reaches this process, which ends it.
                self.process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
                    env=os.environ | {plugins.SETTING: os.pathsep.join(plugins.places())},
                )  # fmt: skip
            return self.process


def _death(status: int | None) -> InternalError:
    return InternalError(
        "compile-worker-died",
        f"the process that compiled it ended with status {status}",
        hint="hologram-compile -j 1 compiles it in this process; please report it with the file",
    )


def main() -> None:
    """Does jobs from standard input until there are no more, and writes their outcomes to standard output."""
    # What others print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            job = cast("Job", pickle.load(sys.stdin.buffer))
        except EOFError:
            return
        outcome = run_job(job)
        try:
            pickle.dump(outcome, answers)
            answers.flush()
        except BrokenPipeError:  # Whoever asked is gone.
            os._exit(1)
