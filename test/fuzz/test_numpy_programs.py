"""Random tensor programs against numpy: traced and interpreted, compiled, and step by step on arrays."""

# Operations are typed by what they are called with.
# pyright: basic

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import hologram
from hologram.frontend.tensors.tensor import GROUPS
from hologram.frontend.tensors.trace.support import operations

from .all_operations import ELSEWHERE, OPERATIONS
from .counts import FUZZING, PROGRAMS, WORKERS, seed
from .numpy_programs import Maker, check

COUNT = PROGRAMS
INTERPRETED = 4 if FUZZING else 2
"""One of so many programs is interpreted, which takes a thirtieth of the time."""


def interpreted(function: Any, arrays: Sequence[Any]) -> Sequence[Any]:
    return hologram.jit(function).interpret(*arrays)


def compiled(function: Any, arrays: Sequence[Any]) -> Sequence[Any]:
    return hologram.jit(function)(*arrays)


def at_once(function: Any, arrays: Sequence[Any]) -> Sequence[Any]:
    return function(*arrays)


@pytest.mark.parametrize("worker", range(WORKERS))
def test_like_numpy(worker: int):
    for turn, number in enumerate(range(worker, COUNT, WORKERS)):
        program = Maker(f"{seed('numpy')} {number}").make()
        check(program, at_once if turn % 16 == 0 else interpreted if turn % INTERPRETED == 1 else compiled)


def test_all_operations_are_there():
    """Each operation is in the programs, or the table says where it is tested."""
    known = {name for name, _ in OPERATIONS} | {name for names in ELSEWHERE for name in names.split()}
    names = {name for group in GROUPS for name in operations(group)}
    assert names - known == set()
    assert known - names == set()
