"""Operations on tensors: in functions under `hologram.jit`, and, called with arrays, at once.

    hologram.ops.softmax(x)         # numpy in, numpy out

By name, and by the groups of the specification: `ops.math.min` is of two tensors, `ops.reduce.min` over axes.
docs/tensor-functions.mdx lists them.
"""

from __future__ import annotations

# It runs the operations that are called with arrays.
import hologram.driver.jit  # noqa: F401  # pyright: ignore[reportUnusedImport]
from hologram.frontend.tensors.ops import activation, linalg, loss, math, memory, network, reduce
from hologram.frontend.tensors.trace.support import operations

_GROUPS = (math, activation, loss, linalg, memory, network, reduce)
"""A name that two groups have is that of the later one: `min` is over axes."""
_FOUND = {name: function for group in _GROUPS for name, function in operations(group).items()}
globals().update(_FOUND)

__all__ = ["activation", "linalg", "loss", "math", "memory", "network", "reduce", *_FOUND]  # pyright: ignore[reportUnsupportedDunderAll]
