"""The oracle of Python kernels: Python itself runs the function, lane after lane, on numpy's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hologram.driver.kernel_decorator import PythonKernel

CASTS: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "u32": np.uint32, "u8": np.uint8,
}  # fmt: skip


def run_lanes(kernel: PythonKernel, lanes: int, *arguments: Any) -> None:
    """Runs each lane of a kernel, one after the other, by Python. Arrays are changed in place."""
    now = [0]
    functions: dict[str, Callable[..., Any]] = {
        "get_global_id": lambda: now[0],
        "sqrt": np.sqrt,
        "exp": np.exp,
        "atomic_add": _atomic_add,
    }
    function = kernel.function
    names = {**function.__globals__, **functions, **CASTS}
    plain = {n: _rebound(f, names) for n, f in names.items() if getattr(f, "__module__", "") == function.__module__}
    names |= plain
    body = _rebound(function, names)
    with np.errstate(all="ignore"):
        for now[0] in range(lanes):
            body(*arguments)


def _rebound(function: Any, names: dict[str, Any]) -> Any:
    """A function with other globals."""
    code = getattr(function, "__code__", None)
    return (
        function
        if code is None
        else type(function)(code, names, function.__name__, function.__defaults__, function.__closure__)
    )


def _atomic_add(array: Any, index: int, value: Any) -> Any:
    old = array[index]
    array[index] += value
    return old
