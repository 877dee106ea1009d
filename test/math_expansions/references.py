"""What each function is, in f64 arrays and in numbers of gmpy2, and which inputs beside random bits say most of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from hologram.lowering.expansions import EXPANSIONS

Array = np.ndarray[Any, Any]

g: Any = import_module("gmpy2")
"""gmpy2's types leave out its functions."""


Ranges = tuple[tuple[float, float], ...]
"""Intervals that f64 inputs are drawn from, evenly, beside random bit patterns."""

Draw = Callable[[np.random.Generator, int, str], tuple[Array, Array]]
"""Makes so many pairs of operands of a format, as f64 arrays."""


@dataclass(frozen=True)
class Function:
    """One row: how to compute it and how well it is done."""

    op: str
    """The operation as it is written: `math.exp`."""
    wide: Callable[..., Array]
    """The function over arrays of f64, to a few units in the last place of f64."""
    exact: Callable[..., Any]
    """The function of numbers of gmpy2 in the current precision."""
    ranges: Ranges
    operands: int = 1
    draws: tuple[Draw, ...] = ()
    """For two operands: what to check beside random bits."""
    bounds: Mapping[str, float] = field(default_factory=dict[str, float])
    """The bound by format; where it is empty, that of the expansion."""

    def bound(self, format: str) -> float:
        """The greatest error in units in the last place."""
        if self.bounds:
            return self.bounds[format]
        return next(row.ulp[format] for kind, row in EXPANSIONS.items() if kind.name == self.op)


def _rsqrt(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _exact_rsqrt(x: Any) -> Any:
    return 1 / g.sqrt(x)


FUNCTIONS: dict[str, Function] = {
    "exp": Function("math.exp", np.exp, g.exp, ((-0.4, 0.4), (-708.0, 709.8), (-746.0, -708.0))),
    "exp2": Function("math.exp2", np.exp2, g.exp2, ((-0.6, 0.6), (-1022.0, 1024.0), (-1075.0, -1022.0))),
    "rsqrt": Function("math.rsqrt", _rsqrt, _exact_rsqrt, ((0.5, 4.0),)),
}
"""By name. Adding a row is all it takes to have a function checked: in test_dense.py and by `make ulp`."""
