"""The rows of kernels/stdlib/vector."""

# References are functions of as many arguments as their kernels have.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from kernels.stdlib.cases import Draw, Row


def pair(on: Draw, n: int) -> list[Any]:
    """Two vectors, and one for the result."""
    return [on.spread(n), on.spread(n, turn=5), on.blank(n)]


ROWS = [
    Row("vector/vector_add", pair, lambda a, b, c: a + b),
    Row("vector/vector_sub", pair, lambda a, b, c: a - b),
]
