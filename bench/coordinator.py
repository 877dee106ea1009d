"""Takes turns: ours, a peer, ours, the next peer, and so on, so that what else the machine does hits all alike."""

from __future__ import annotations

import math
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import machine
from cases import Case
from environments import FOLDER, HERE, OURS, NotInstalled, Peer, find_python, variables
from processes import Failed, NotOffered, Worker, close_all, command
from results import Outcome, Row

Results = dict[str, Outcome]
WRONG = "its result is {error:.3g} times as far from the float64 reference as is allowed"
PREPARE_SECONDS = 300
MEASURE_SECONDS = 120


@dataclass(frozen=True)
class Effort:
    """The time that the measurements of a row may take."""

    row: float
    """Seconds for the turns of a row, about."""
    turn: float
    """Seconds of a turn of many short calls."""
    most: int
    """Samples in a turn."""
    rounds: tuple[int, int]
    """At least and at most so many turns of each peer."""
    limit: float
    """Seconds for each limit of the machine."""


FULL = Effort(6.0, 0.05, 40, (3, 15), 0.3)
QUICK = Effort(0.8, 0.02, 10, (2, 6), 0.15)
SLOW = 0.5
"""Calls of more seconds than this are made in two turns only."""


@dataclass
class Team:
    """The workers of one number of threads, ours first, and why others are missing."""

    threads: int
    workers: dict[str, Worker]
    missing: Results
    versions: dict[str, dict[str, str]] = field(default_factory=dict[str, "dict[str, str]"])

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.process for worker in self.workers.values()]


@contextmanager
def started(peers: Sequence[Peer], threads: int, pythons: Mapping[str, str | NotInstalled]) -> Generator[Team]:
    """Starts a worker for each peer that has an interpreter, and ends them all."""
    team = Team(threads, {}, {})
    try:
        for peer in peers:
            python = pythons[peer.name]
            if isinstance(python, NotInstalled):
                team.missing[peer.name] = Outcome("not run", reason=str(python))
            else:
                team.workers[peer.name] = Worker(peer, python, threads)
        answers = ask_all(team.workers, "start", PREPARE_SECONDS, threads=threads)
        for name, said in answers.items():
            if isinstance(said, Outcome):
                team.missing[name] = Outcome("not run", reason=f"it does not start: {said.reason}")
                team.workers.pop(name).close()
            else:
                team.versions[name] = said
        yield team
    finally:
        close_all(team.workers.values())


def ask_all(workers: Mapping[str, Worker], action: str, timeout: float, **request: Any) -> dict[str, Any]:
    """Asks all at once; gives the answer of each, an Outcome where there is none."""
    for worker in workers.values():
        worker.send(action, **request)
    answers: dict[str, Any] = {}
    for name, worker in workers.items():
        with recorded(answers, name):
            answers[name] = worker.receive(timeout)
    for worker in workers.values():
        worker.stop()
    return answers


@contextmanager
def recorded(outcomes: dict[str, Any], name: str) -> Generator[None]:
    """Writes down what goes wrong with a worker."""
    try:
        yield
    except NotOffered as error:
        outcomes[name] = Outcome("not run", reason=str(error))
    except Failed as error:
        outcomes[name] = Outcome("failed", reason=str(error))


def measure_limits(team: Team, effort: Effort, python: str) -> dict[str, float]:
    """The limits of the machine with as many threads: a process each, all at the same time."""
    peer = Peer("limits", HERE / "limits.py")
    workers = [Worker(peer, python, team.threads) for _ in range(team.threads)]
    found: dict[str, float] = {}
    try:
        named = {str(i): worker for i, worker in enumerate(workers)}
        for answer in ask_all(named, "start", PREPARE_SECONDS, threads=1).values():
            if isinstance(answer, Outcome):
                raise Failed(answer.reason)
        for name in workers[0].ask("limits"):
            rates: list[float] = []
            for _ in range(3):
                begin = time.monotonic() + 0.01
                answers = ask_all(named, "limit", 60, name=name, begin=begin, seconds=effort.limit / 3)
                rates.append(sum(float(a) for a in answers.values()))
            found[name] = max(rates)
    finally:
        close_all(workers)
    return found


def least_seconds(case: Case, limits: Mapping[str, float]) -> float | None:
    """The time that the limits allow for a row."""
    rates = {
        stream: max((rate for name, rate in limits.items() if name.startswith(stream)), default=math.nan)
        for stream in ("copy", "triad,", "triad of", "read", "fused")
    }
    streams = {"copy": "copy", "triad": "triad,", "cached": "triad of", "read": "read"}
    if case.bound == "call" or not limits:
        return None
    if case.bound == "memory":
        return case.bytes / rates[streams[case.stream or ""]] / 1e9
    return max(case.operations / rates["fused"], case.bytes / rates["triad of"]) / 1e9


def measure_row(case: Case, team: Team, effort: Effort, limits: Mapping[str, float], tiny: bool) -> Row:
    """One row: data, results checked, turns, results checked again."""
    case = import_module(case.table).tiny(case) if tiny else case
    outcomes: Results = dict(team.missing)
    ready: dict[str, float] = {}
    variants: dict[str, str] = {}
    answers = revived(team)
    alive = {name: worker for name, worker in team.workers.items() if name not in answers}
    answers |= ask_all(alive, "prepare", PREPARE_SECONDS, name=case.name, table=case.table, tiny=tiny)
    for name, said in answers.items():
        outcome = said if isinstance(said, Outcome) else judge(said["errors"])
        if outcome is not None:
            outcomes[name] = outcome
            continue
        with recorded(outcomes, name):
            warm = team.workers[name].ask("warm", MEASURE_SECONDS)
            ready[name], variants[name] = warm["seconds"], warm["variant"]
    before = machine.look(team.processes)
    samples = take_turns(team, ready, effort, outcomes)
    after = machine.look(team.processes)
    checked = ask_all({name: team.workers[name] for name in ready}, "check", MEASURE_SECONDS)
    for name, times in samples.items():
        if name not in outcomes:
            outcomes[name] = conclude(times, variants[name], checked[name])
    return Row(
        case.name, case.title, "calls", team.threads, case.bound,
        {name: outcomes[name] for name in [*team.workers, *team.missing]},
        case.bytes, case.operations, least_seconds(case, limits), machine.foreign(before, after),
    )  # fmt: skip


def revived(team: Team) -> dict[str, Any]:
    """Starts those again that an earlier row has killed; tells of those that do not start."""
    answers: dict[str, Any] = {}
    for name, worker in team.workers.items():
        with recorded(answers, name):
            worker.revive()
    return answers


def judge(errors: Mapping[str, float]) -> Outcome | None:
    """The outcome of a wrong result; None if the results are right."""
    for variant, error in errors.items():
        if not error <= 1:
            return Outcome("wrong", variant=variant, reason=WRONG.format(error=error), error=_finite(error))
    return None


def conclude(times: Sequence[float], variant: str, error: Any) -> Outcome:
    """The outcome of a library that was measured, if its last results are right too."""
    if isinstance(error, Outcome):
        return error
    if (wrong := judge({variant: error})) is not None:
        return wrong
    return summary(times, variant, error)


def summary(times: Sequence[float], variant: str = "", error: float | None = None) -> Outcome:
    """Median and quartiles."""
    low, middle, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else [times[0]] * 3
    return Outcome("measured", middle, low, high, len(times), variant, error)


def _finite(error: float) -> float | None:
    return error if math.isfinite(error) else None


def take_turns(team: Team, ready: Mapping[str, float], effort: Effort, outcomes: Results) -> dict[str, list[float]]:
    """The samples of each library."""
    samples: dict[str, list[float]] = {name: [] for name in ready}
    peers = [name for name in ready if name != OURS] or list(ready)[:1]
    turn = {name: max(seconds, effort.turn) for name, seconds in ready.items()}
    once = sum(turn[name] + turn.get(OURS, 0) for name in peers)
    least, most = effort.rounds
    rounds = max(least, min(most, int(effort.row / once))) if once else 0
    for number in range(rounds):
        for peer in peers:
            if ready[peer] > SLOW and number > 1:
                continue
            for name in (OURS, peer) if peer != OURS else (OURS,):
                if name not in ready or name in outcomes:
                    continue
                with recorded(outcomes, name):
                    request = {"seconds": effort.turn, "most": effort.most}
                    samples[name] += team.workers[name].ask("measure", MEASURE_SECONDS, **request)
    return samples


COMPILES = (
    ("compile-warm", "first compile, warm process", False, False),
    ("compile-cold", "first compile, new process", True, False),
    ("cached-warm", "from the disk cache, warm process", False, True),
    ("cached-cold", "from the disk cache, new process", True, True),
)
LONG = 3.0
"""A compile of more seconds than this is made once."""
PROMISED = {"compile-warm": 0.1, "compile-cold": 0.7, "cached-warm": 0.002, "cached-cold": 0.25}


def measure_compile(
    row: tuple[str, str, bool, bool], team: Team, peers: Sequence[Peer], pythons: Mapping[str, Any], quick: bool
) -> Row:
    """A chain of three operations from source to a first result, in turns; the first turn fills caches."""
    name, title, cold, cached = row
    rounds = 2 if quick else 5
    outcomes: Results = dict(team.missing)
    samples: dict[str, list[float]] = {peer: [] for peer in team.workers}
    before = machine.look(team.processes)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        folders = {peer: Path(folder) / peer for peer in team.workers}
        for path in folders.values():
            path.mkdir()
        for number in range(rounds + 1):
            for peer in peers:
                times = samples[peer.name]
                if peer.name in outcomes or (times and max(times) > LONG):
                    continue
                if cold and quick and peer.name != OURS:
                    outcomes[peer.name] = Outcome("not run", reason="left out by --quick")
                    continue
                with recorded(outcomes, peer.name):
                    cache = str(folders[peer.name]) if cached else None
                    spent = compile_once(team.workers[peer.name], peer, pythons[peer.name], number, cache, cold)
                    if number or (cold and not cached and spent > LONG):
                        times.append(spent)
    after = machine.look(team.processes)
    for peer, times in samples.items():
        if peer not in outcomes:
            outcomes[peer] = summary(times)
    ordered = {peer: outcomes[peer] for peer in [*team.workers, *team.missing]}
    return Row(
        name, title, "compiler", 1, "call", ordered, foreign=machine.foreign(before, after), promised=PROMISED[name]
    )


def compile_once(worker: Worker, peer: Peer, python: str, number: int, cache: str | None, cold: bool) -> float:
    """The seconds of one compile, in the worker or in a new process."""
    if not cold:
        return worker.ask("compile", number=number, folder=cache)
    worker.ask("offers", cached=cache is not None)
    return start_cold(peer, python, number, cache)


def start_cold(peer: Peer, python: str, number: int, folder: str | None) -> float:
    """The seconds of a new process that imports a library, compiles, runs and ends."""
    start = time.perf_counter()
    arguments = [*command(peer, python), str(number), folder or ""]
    done = subprocess.run(arguments, env=variables(1, peer.name), capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1][:200])
    return time.perf_counter() - start


def find_pythons(peers: Sequence[Peer], say: Callable[[str], None]) -> dict[str, str | NotInstalled]:
    """The interpreter of each peer, or why there is none."""
    found: dict[str, str | NotInstalled] = {}
    for peer in peers:
        say(f"environment of {peer.name}")
        try:
            found[peer.name] = find_python(peer)
        except NotInstalled as error:
            found[peer.name] = error
    return found
