"""Texts and command lines with slips in them are refused by a message that names a place in them, or accepted: never a
traceback, a fault of ours, an endless run, or a place that is not there.

A tenth of the programs of other random tests; `make fuzz` makes 10,000 samples.
"""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from fuzz.counts import FUZZING, PROGRAMS, WORKERS, seed
from fuzz.wrong_texts import sample
from wrong_inputs.cases import Case, outright, read_errors, run_case

SEED = seed("wrong texts")
SAMPLES = PROGRAMS if FUZZING else 200
SECONDS = 20
"""That a sample may take."""
ACCEPTED = ("the input is accepted", "was written", "there is no message")


@contextmanager
def limited() -> Generator[None]:
    """Ends what takes too long: the tool says that then as a fault of ours."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"this takes more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault_of(case: Case, folder: Path) -> str | None:
    """Return what is wrong with the answer to a sample."""
    folder.mkdir()
    with limited():
        outcome = run_case(case, folder)
    wrong = [
        f for f in outright(case, folder, outcome, read_errors(outcome.errors)) if not any(a in f for a in ACCEPTED)
    ]
    if outcome.code not in (0, 1, 2):
        wrong.append(f"the exit code is {outcome.code}")
    if not wrong:
        return None
    texts = "".join(f"--- {name}\n{text}\n" for name, text in case.files.items())
    return "\n".join([f"$ {case.command}", texts, *wrong])


@pytest.mark.parametrize("part", range(WORKERS))
@pytest.mark.filterwarnings("default")
def test_slips_are_refused_or_harmless(part: int, tmp_path: Path):
    faults: list[str] = []
    for number in range(part, SAMPLES, WORKERS):
        case = sample(Random(f"{SEED} {number}"))
        if (fault := fault_of(case, tmp_path / str(number))) is not None:
            faults.append(fault)
    assert not faults, f"{len(faults)} of {SAMPLES // WORKERS} samples:\n\n" + "\n\n".join(faults[:8])
