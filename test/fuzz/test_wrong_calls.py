"""Calls of everything public with wrong arguments end in an error of ours, or in Python's own about the call."""

from __future__ import annotations

import re
import warnings
from random import Random

import pytest

import hologram
from fuzz import wrong_calls
from fuzz.counts import FUZZING, PROGRAMS, WORKERS, seed
from fuzz.wrong_calls import a_call, callables, outcome

CALLS = PROGRAMS if FUZZING else 200


@pytest.mark.parametrize("worker", range(WORKERS))
def test_wrong_calls(worker: int):
    wrong: dict[str, str] = {}
    threads = hologram.get_num_threads()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(worker, CALLS, WORKERS):
            name, function, args, kwargs = a_call(Random(seed(f"wrong calls {number}")))
            if (error := outcome(function, args, kwargs)) is not None:
                wrong.setdefault(f"{name} {type(error).__name__}", f"{args!r:.200} {kwargs!r:.80}: {error!r:.200}")
    assert hologram.get_num_threads() == threads
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())


def test_public_objects_say_what_they_are_in_a_line():
    others = [wrong_calls.a_kernel.source(), hologram.cache_stats(), hologram.devices()["cpu"]]
    for thing in [*wrong_calls.things().values(), *others]:
        assert not re.search(r" object at 0x|\n", repr(thing))
    assert repr(wrong_calls.a_kernel).startswith(
        "<hologram.kernel a_kernel(x: Array[f32], y: Array[f32]), lanes len(y)"
    )
    assert "main(x: f32[?]" in repr(wrong_calls.things()["kernel"])


def test_everything_is_called():
    names = {name for name, _ in callables()}
    assert len(names) > 350
    assert {"hologram.compile", "hologram.isa.assemble", "hologram.ops.softmax", "buffer.copy_from"} <= names
