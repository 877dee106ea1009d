"""One library in a process of its own: `python worker.py ADAPTER`, driven by lines of JSON on standard input.

An adapter is a Python file with

- `versions() -> dict[str, str]`: what is measured;
- `start(threads: int) -> None`: sets the number of threads the library's own way;
- `build(kind: str, inputs: list of arrays, out: array) -> list[Variant]`: the ways to run a row on one set of buffers,
  of which the fastest counts. It raises `Unavailable(reason)` for a row that the library has not;
- `compile_chain(text: str, folder: str | None) -> None`, if it compiles anything: a chain of three operations from
  source to a first result, nothing remembered but what lies in the cache `folder`. `text`, a number, differs from call
  to call. `CACHES = False` says that it keeps no compiled code on disk.

Every request gets one line of answer: {"ok": ...}, {"unavailable": reason} or {"error": reason}.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from time import perf_counter, perf_counter_ns
from types import ModuleType
from typing import Any

import cases
from cases import Array, Case

SAMPLE_NS = 200_000
"""A sample is as many calls as take about this long: the clock and the loop cost nothing beside it."""
LONG_NS = 50_000_000
"""A call of more than this is made twice to see how long it takes; others some times more."""


class Unavailable(Exception):
    """The library has no such row; the message says why."""


def ready(result: Any) -> Any:
    """The result of a statement that leaves one in `r`."""
    return result


@dataclass
class Variant:
    """One way to compute a row on one set of buffers: a statement, timed as it stands."""

    label: str
    statement: str
    """The timed code. It writes its result to `out`, or leaves it in `r`."""
    names: dict[str, Any]
    """The names that the statement may use."""
    result: Callable[[Any], Any] = ready
    """The result as an array, from what is in `r` afterwards."""
    form: str | None = None
    """The kind whose reference counts, where it is not the row's."""
    remembers: bool = False
    """True if equal inputs are answered from memory, so that each call must see a change."""
    copies: bool = False
    """True if it works on copies of the inputs, which a change does not reach."""
    run: Callable[[int], int] = field(init=False)
    """Runs the statement so often and gives the nanoseconds it took."""

    def __post_init__(self) -> None:
        text = LOOP.format(statement=self.statement)
        scope: dict[str, Any] = {**self.names, "clock": perf_counter_ns, "last": None}
        exec(compile(text, self.label, "exec"), scope)
        self.scope = scope
        self.run = scope["run"]


LOOP = """
def run(number):
    global last
    last = r = None
    start = clock()
    for _ in range(number):
        {statement}
    spent = clock() - start
    last = r
    return spent
"""


@dataclass
class Buffers:
    """One set of buffers and the ways to run on it."""

    inputs: list[Array]
    out: Array
    variants: list[Variant]
    number: int = 0
    """Calls so far, for values that were never there."""
    first: float = 0.0
    """The element that changes, as it was when the library copied it."""
    measured: bool = False

    def poke(self) -> None:
        """Changes an input."""
        self.number += 1
        self.inputs[0].flat[0] = (self.number % 4093) / 2048 - 1

    def sample(self, chosen: int, number: int) -> int:
        """The nanoseconds of `count` calls."""
        variant = self.variants[chosen]
        if not variant.remembers:
            self.poke()
            return variant.run(number)
        spent = 0
        for _ in range(number):
            self.poke()
            spent += variant.run(1)
        return spent

    def error(self, case: Case, chosen: int) -> float:
        """The largest error of the present results, in units of the allowed error."""
        variant = self.variants[chosen]
        result = variant.result(variant.scope["last"])
        now = self.inputs[0].flat[0]
        if variant.copies:
            self.inputs[0].flat[0] = self.first
        found = self.out if result is None else result
        error = import_module(case.table).error_of(case, variant.form or case.kind, self.inputs, found)
        self.inputs[0].flat[0] = now
        return error


class Worker:
    """Answers the requests."""

    def __init__(self, adapter: ModuleType):
        self.adapter = adapter
        self.sets: list[Buffers] = []
        self.data: Any = None
        self.case = cases.make_cases()[0]
        self.chosen = 0
        self.turn = 0
        self.number = 1

    def start(self, threads: int) -> dict[str, str]:
        """Sets the number of threads and returns the versions."""
        self.adapter.start(threads)
        return self.adapter.versions()

    def prepare(self, name: str, table: str, tiny: bool) -> dict[str, Any]:
        """Makes data, compiles, and checks the result of every variant on every set of buffers.

        `table` is the module that has the row: `make_cases`, `tiny`, `Data` and `error_of`, as `cases` has them.
        """
        self.drop()
        rows: Any = import_module(table)
        case = {c.name: c for c in rows.make_cases()}[name]
        self.case = rows.tiny(case) if tiny else case
        if not isinstance(self.data, rows.Data):
            self.data = rows.Data()
        for number in range(self.case.sets):
            inputs = self.data.inputs(self.case, number)
            out = self.data.output(self.case, number)
            variants = self.adapter.build(self.case.kind, inputs, out)
            self.sets.append(Buffers(inputs, out, variants, first=float(inputs[0].flat[0])))
        worst: dict[str, float] = {}
        for buffers in self.sets:
            for i, variant in enumerate(buffers.variants):
                buffers.out.fill(float("nan"))
                variant.run(1)
                worst[variant.label] = max(worst.get(variant.label, 0), _above(buffers.error(self.case, i)))
        return {"errors": worst}

    def warm(self) -> dict[str, Any]:
        """Chooses the fastest variant; says which and how many seconds a call takes."""
        times: list[float] = []
        for i in range(len(self.sets[0].variants)):
            once = self.sets[0].sample(i, 1)
            number = max(1, int(SAMPLE_NS / max(once, 1)))
            tries = 1 if once > LONG_NS else 5
            if tries > 1:
                self.sets[0].sample(i, number)
            times.append(min(self.sets[-j % len(self.sets)].sample(i, number) / number for j in range(1, tries + 1)))
        self.chosen = times.index(min(times))
        self.number = max(1, int(SAMPLE_NS / max(times[self.chosen], 1)))
        return {"variant": self.sets[0].variants[self.chosen].label, "seconds": times[self.chosen] / 1e9}

    def measure(self, seconds: float, most: int) -> list[float]:
        """One turn: at least one sample, in seconds a call; the buffers take turns."""
        samples: list[float] = []
        end = perf_counter() + seconds
        while not samples or (len(samples) < most and perf_counter() < end):
            self.turn += 1
            buffers = self.sets[self.turn % len(self.sets)]
            buffers.measured = True
            spent = buffers.sample(self.chosen, self.number)
            samples.append(spent / self.number / 1e9)
        return samples

    def check(self) -> float:
        """The largest error of the last results, after all measurements."""
        return max(_above(buffers.error(self.case, self.chosen)) for buffers in self.sets if buffers.measured)

    def drop(self) -> None:
        """Frees the buffers."""
        self.sets.clear()
        gc.collect()

    def limits(self) -> list[str]:
        """The names of the limits that `limit` measures, of the adapter `limits.py`."""
        return list(self.adapter.LIMITS)

    def limit(self, name: str, begin: float, seconds: float) -> float:
        """A rate of the machine."""
        return self.adapter.limit(name, begin, seconds)

    def offers(self, cached: bool) -> None:
        """Raises `Unavailable` if the library compiles nothing, or keeps nothing on disk."""
        if not hasattr(self.adapter, "compile_chain"):
            raise Unavailable("it compiles nothing")
        if cached and not getattr(self.adapter, "CACHES", True):
            raise Unavailable("it keeps no compiled code on disk")

    def compile(self, number: int, folder: str | None) -> float:
        """Seconds from source to a first result."""
        self.offers(folder is not None)
        return compile_once(self.adapter, f"{number}", folder)


def _above(error: float) -> float:
    """The error, infinite where it is not a number, so that it is the largest of any."""
    return error if error == error else float("inf")


def compile_once(adapter: ModuleType, text: str, folder: str | None) -> float:
    """Seconds from source to a first result."""
    gc.collect()
    start = perf_counter()
    adapter.compile_chain(text, folder)
    return perf_counter() - start


def load(path: Path) -> ModuleType:
    """The adapter."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def answer(worker: Worker, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request."""
    action = request.pop("do")
    try:
        return {"ok": getattr(worker, action)(**request)}
    except Exception as error:
        if type(error).__name__ == "Unavailable":
            return {"unavailable": str(error)}
        traceback.print_exc()
        text = str(error).strip().splitlines() or [""]
        return {"error": f"{type(error).__name__}: {text[0]}"[:300]}


def main() -> None:
    """Reads requests until there are no more. What libraries print goes to standard error."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.modules["worker"] = sys.modules["__main__"]
    adapter = load(Path(sys.argv[1]))
    if sys.argv[2:]:
        adapter.start(1)
        compile_once(adapter, sys.argv[2], sys.argv[3] or None)
        return
    worker = Worker(adapter)
    for line in sys.stdin:
        replies.write(json.dumps(answer(worker, json.loads(line))) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
