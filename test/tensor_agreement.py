"""Holds functions of `hologram.ops` against numpy: in one tensor function for calls of several shapes, and compiled."""

# Tensor functions are typed by what they are called with, which type checkers do not know.
# pyright: basic

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import hologram
from hologram import ops

Call = tuple[Any, ...]
Case = tuple[Callable[..., Any], Sequence[Call]]
"""What is computed, by `hologram.ops` or `numpy` as the first argument, and the arguments of some calls."""


def agree(case: Case, *, programs: int = 1, reference: Any = np, tolerance: float = 0.0) -> None:
    """The reference interpreter gives what numpy does for all calls, and so many programs serve them."""
    function, calls = case
    made = hologram.jit(lambda *args: function(ops, *args))
    for args in calls:
        same(made.interpret(*args), function(reference, *args), tolerance)
    count = sum(map(len, made._programs))
    assert count == programs, f"{count} programs serve the calls"


def agree_compiled(cases: Mapping[str, Case], *, reference: Any = np, tolerance: float = 0.0) -> None:
    """Compiled together, all cases give what numpy does for their first calls."""
    calls = {name: case[1][0] for name, case in cases.items()}
    functions = {name: case[0] for name, case in cases.items()}
    found = hologram.jit(lambda given: {n: f(ops, *given[n]) for n, f in functions.items()})(calls)
    for name, function in functions.items():
        same(found[name], function(reference, *calls[name]), tolerance)


def same(found: Any, expected: Any, tolerance: float = 0.0) -> None:
    """Holds arrays, or lists of them, against each other: their types, shapes and elements."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            same(a, b, tolerance)
        return
    wanted = np.asarray(expected)
    given = np.asarray(found)
    assert (given.dtype, given.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(given, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    else:
        np.testing.assert_array_equal(given, wanted)
