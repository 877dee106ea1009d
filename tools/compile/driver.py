"""The work of hologram-compile: it finds what is known, has the rest made, writes it, and reports."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from hologram.driver.archives.build import wants_of
from hologram.driver.artifacts import CHECKED, ENTRIES, OBJECT, Request
from hologram.driver.portable import PortableSource
from hologram.driver.targets import HOST, read_targets
from hologram.errors import HologramError, UsageError, did_you_mean
from hologram.runtime.settings import current
from hologram.runtime.threads import usable_processors
from hologram.support.promotion import STORED, TYPES
from hologram.tools.cli import list_of, read_bytes, report
from hologram.tools.compile import outputs
from hologram.tools.compile.inputs import STDIN, Input, Watched, check_given, find_inputs
from hologram.tools.compile.jobs import Job, Outcome, Pool, failure, known, read_input, run_job
from hologram.tools.compile.options import Options
from hologram.tools.compile.outputs import ARCHIVE, SHARED, Form, Writer, form_of_file, products, read_forms
from hologram.tools.compile.refusals import without_refused

if TYPE_CHECKING:
    from hologram.runtime.archive.model import Constant

FEW = 2
"""How many files are worth a process of their own, unless the number of processes is given."""
MOST_CONSTANTS = 1 << 50
"""Bytes of a file of tensors: as many as memory holds."""
WATCH_SECONDS = 0.3
"""How often files are looked at."""


def read_types(text: str) -> tuple[str, ...]:
    """The types of a list such as `f32,f64`."""
    names = tuple(list_of("--types", text))
    for name in names:
        if name not in (known := (*TYPES, *STORED)):
            raise UsageError(
                "compile-types",
                f"--types knows no '{name}'",
                hint=did_you_mean(name, known) or f"there are {', '.join(known)}",
            )
    return names


class Driver:
    """One command."""

    def __init__(self, options: Options):
        check_given(options.files)
        if options.watch and STDIN in options.files:
            raise UsageError("compile-watch-stdin", "standard input can't be watched", hint="name a file or a folder")
        self.options = options
        named = read_targets(HOST if options.target is None else options.target)
        self.targets = tuple(t.changed(unsafe_memory=options.unsafe_memory) for t in named)
        self.forms = () if options.check else self._forms()
        trust = options.unsafe_memory
        self.products = products(self.forms, self.targets, named=options.target is not None, unsafe_memory=trust)
        if options.constants is not None and not any(form.name == ARCHIVE for form in self.forms):
            raise UsageError("compile-constants", "only archives hold constants", hint="write one, with -o FILE.holo")
        self.types = () if options.types is None else read_types(options.types)
        self.settings = current()
        self.pool: Pool | None = None
        self.watched = Watched()

    def run(self) -> int:
        """Does everything; gives the exit code."""
        try:
            return self._watch() if self.options.watch else self._once()
        finally:
            if self.pool is not None:
                self.pool.close()

    # What is asked for

    def _forms(self) -> tuple[Form, ...]:
        options = self.options
        if options.emit is not None:
            return read_forms(options.emit)
        if options.output is None:
            several = len(options.files) > 1 or any(Path(f).is_dir() for f in options.files)
            return read_forms(ARCHIVE if several or options.target is not None else SHARED)
        form = form_of_file(options.output)
        if form is None:
            raise UsageError(
                "compile-suffix",
                f"'{options.output}' does not say what it is",
                hint="it ends in .holo for an archive, in .so for a shared object, in .o for an object file; "
                "or --emit says it",
            )
        return (form,)

    def _wanted(self) -> tuple[Request, ...]:
        """The artifacts of each file."""
        if self.options.check:
            return tuple(Request(CHECKED, target) for target in self.targets)
        requests = [product.want for product in self.products]
        requests += [Request(ENTRIES, want.target) for want in requests if want.form == OBJECT]
        if any(form.name == ARCHIVE for form in self.forms):
            requests += wants_of(self.targets)
        if self.options.header is not None:
            requests.append(outputs.entries_here(unsafe_memory=self.options.unsafe_memory))
        return tuple(dict.fromkeys(requests))

    # One run

    def _once(self) -> int:
        start = perf_counter()
        sources = {given: self._read(given) for given in find_inputs(self.options.files)}
        outcomes = self._compile(sources)
        code = report_errors(outcomes)
        sys.stderr.writelines(f"{line}\n" for outcome in outcomes for line in outcome.skipped)
        if not code and self.types and not any(isinstance(s, PortableSource) and s.chooses for s in sources.values()):
            hint = 'declare one by T = Element("T", "f32", "f64"), say, or leave --types out'
            message = f"no kernel has an element type that may be {' or '.join(self.types)}, as --types says"
            raise UsageError("compile-types-unused", message, hint=hint)
        if not code and not self.options.check:
            self._write(outcomes)
        if self.options.stats:
            sys.stderr.write(statistics(outcomes, perf_counter() - start))
        return code

    def _read(self, given: Input) -> PortableSource | Outcome:
        """The source of a file, or its outcome where it can't be read."""
        try:
            return read_input(given, self.types)
        except HologramError as error:
            return failure(given, error)

    def _compile(self, sources: Mapping[Input, PortableSource | Outcome]) -> list[Outcome]:
        """The outcome of each file, in their order: of those that are known at once, of the others as jobs."""
        wanted, level = self._wanted(), self.options.opt_level
        done: dict[Input, Outcome] = {}
        jobs: list[Job] = []
        for given, source in sources.items():
            if isinstance(source, Outcome):
                done[given] = source
                continue
            job = Job(given, source, wanted, level, self.settings)
            try:
                outcome = known(job)
            except HologramError as error:
                done[given] = failure(given, error)
                continue
            if outcome is None:
                jobs.append(job)
            else:
                done[given] = outcome
        for outcome in shown_progress(self._run(jobs), len(jobs)):
            done[outcome.input] = outcome
        parts = {job.input: without_refused(job, done[job.input]) for job in jobs if self._is_partly_refused(done, job)}
        outcomes = [outcome for given in sources for outcome in parts.get(given, [done[given]])]
        return [self._complete(outcome) for outcome in outcomes]

    def _is_partly_refused(self, done: Mapping[Input, Outcome], job: Job) -> bool:
        return len(self.types) > 1 and done[job.input].is_refused

    def _complete(self, outcome: Outcome) -> Outcome:
        """The outcome, a failure where a form that is asked for is not there."""
        error = outputs.without_form(outcome, self.products)
        return outcome if error is None else failure(outcome.input, error)

    def _run(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        # A process takes as long to begin as a few kernels do to compile.
        count = min(self.options.jobs or min(usable_processors(), len(jobs) // FEW), len(jobs))
        if count <= 1 and not self.options.watch:
            return map(run_job, jobs)
        if self.pool is None:
            self.pool = Pool(self.options.jobs or usable_processors())
        return self.pool.run(jobs)

    def _write(self, outcomes: Sequence[Outcome]) -> None:
        """Writes what was asked for."""
        options = self.options
        Writer(options.output, self.forms, self.products, options.files[0], options.header).write(
            outcomes, self.targets, self._constants()
        )

    def _constants(self) -> list[Constant]:
        """The tensors that the archive is to have."""
        if self.options.constants is None:
            return []
        from hologram.runtime.archive.tensors import read_safetensors

        return read_safetensors(read_bytes(self.options.constants, MOST_CONSTANTS), self.options.constants)

    # Watching

    def _watch(self) -> int:
        seen = None
        try:
            while True:
                now = self._state()
                if now != seen:
                    seen = now
                    self._again()
                sleep(WATCH_SECONDS)
        except KeyboardInterrupt:
            return 0

    def _again(self) -> None:
        start = perf_counter()
        try:
            code = self._once()
        except HologramError as error:
            code = report(error)
        status = "done" if not code else "waiting for a change"
        sys.stderr.write(f"{status} ({perf_counter() - start:.2f} s)\n")
        sys.stderr.flush()

    def _state(self) -> object:
        """Changes with the files, with those that they import, and with the constants."""
        constants = self.options.constants
        try:
            inputs = [given.path for given in find_inputs(self.options.files)]
        except HologramError as error:
            return str(error)
        return self.watched.state([*inputs, *([] if constants is None else [constants])])


# What is said


def shown_progress(outcomes: Iterable[Outcome], total: int) -> Iterator[Outcome]:
    """The outcomes, with a bar on standard error while they come, if there are any and that is a terminal."""
    if not total or not sys.stderr.isatty():
        yield from outcomes
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("compiling", total=total)
        for outcome in outcomes:
            bar.update(task, advance=1, description=outcome.input.program)
            yield outcome


def report_errors(outcomes: Sequence[Outcome]) -> int:
    """Writes the errors of all files in their order; gives the exit code."""
    failed = [outcome for outcome in outcomes if outcome.error]
    for outcome in failed:
        sys.stderr.write(outcome.error + "\n")
    if failed and len(outcomes) > 1:
        files = "1 file" if len(failed) == 1 else f"{len(failed)} files"
        sys.stderr.write(f"{files} of {len(outcomes)} could not be compiled\n")
    return max((outcome.exit_code for outcome in failed), default=0)


@dataclass(frozen=True)
class Row:
    """A line of the statistics."""

    name: str
    milliseconds: float
    bytes: int
    note: str = ""


def statistics(outcomes: Sequence[Outcome], seconds: float) -> str:
    """Return a table of time and bytes: by file, by step and target, and in all."""
    files = [Row(o.input.program, o.seconds * 1e3, _bytes(o), _note(o)) for o in outcomes]
    steps = _steps(outcomes)
    failed, built = sum(bool(o.error) for o in outcomes), sum(o.made > 0 for o in outcomes)
    counts = f"{built} compiled, {len(outcomes) - built - failed} unchanged" + (f", {failed} failed" if failed else "")
    head = f"{len(outcomes)} files, {counts}, in {seconds:.2f} s"
    rows = [*_table("file", files), "", *_table("step", steps)]
    return "\n".join([head, "", *rows]) + "\n"


def _bytes(outcome: Outcome) -> int:
    return sum(len(artifact.data) for want, artifact in outcome.artifacts.items() if want.form != ENTRIES)


def _note(outcome: Outcome) -> str:
    if outcome.error:
        return "failed"
    missing = [str(p.about["missing"]) for p in outcome.artifacts.values() if "missing" in p.about]
    kept = "" if outcome.made else "unchanged"
    return "; ".join(filter(None, [kept, *(f"no machine form: {reason}" for reason in missing)]))


def _steps(outcomes: Sequence[Outcome]) -> list[Row]:
    """The time of reading and of each target, and the bytes of its code."""
    times: dict[str, float] = {}
    sizes: dict[str, int] = {}
    for outcome in outcomes:
        for name, seconds in outcome.times.items():
            times[name] = times.get(name, 0.0) + seconds
        for want, artifact in outcome.artifacts.items():
            name = want.form if want.target is None else want.target.name
            sizes[name] = sizes.get(name, 0) + len(artifact.data) * (want.form != ENTRIES)
    return [Row(name, times.get(name, 0.0) * 1e3, sizes.get(name, 0)) for name in dict.fromkeys([*times, *sizes])]


def _table(title: str, rows: Sequence[Row]) -> list[str]:
    width = max([len(title), *(len(row.name) for row in rows)])
    lines = [f"{title:{width}}        ms      bytes"]
    lines += [f"{r.name:{width}} {r.milliseconds:9.1f} {r.bytes:10,}  {r.note}".rstrip() for r in rows]
    return lines
