"""Operations on tensors: in functions under `hologram.jit`, and, called with arrays, at once.

    hologram.ops.softmax(x)         # numpy in, numpy out

By name, and by the groups of the specification: `ops.math.min` is of two tensors, `ops.reduce.min` over axes.
docs/tensor-functions.mdx lists them.
"""

from __future__ import annotations

from typing import Any

# It runs the operations that are called with arrays.
import hologram.driver.jit  # noqa: F401  # pyright: ignore[reportUnusedImport]
from hologram.errors import missing_name
from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.tensor import GROUPS, in_place_of
from hologram.frontend.tensors.trace.support import operations
from hologram.plugins import discover
from hologram.plugins.tables import KINDS

_MODULES = {group.__name__.rpartition(".")[2]: group for group in GROUPS}
_FOUND = {name: function for group in GROUPS for name, function in operations(group).items()}
globals().update(_MODULES, **_FOUND)


__all__ = [*_MODULES, *_FOUND]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """A function of a plug-in."""
    if name.startswith("__"):
        raise missing_name("hologram.ops", name, ())
    if name not in math.FUNCTIONS and (row := KINDS["function"].find(name)) is not None:
        return row.thing
    if name not in math.FUNCTIONS:
        raise missing_name("hologram.ops", name, [*_FOUND, *math.FUNCTIONS, *KINDS["function"]], in_place_of(name))
    return math.FUNCTIONS[name]


def __dir__() -> list[str]:
    discover()
    return sorted({*globals(), *math.FUNCTIONS, *KINDS["function"]})
