"""Operations whose result has a size that depends on values: found first where they run at once, else named."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from hologram.dialects.sizes import Size
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.support import operation, shown, sizes_of, trace
from hologram.frontend.tensors.trace.trace import current


def sized(size: str, count: Callable[[Any], Any], of: str = "x") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An operation whose parameter `size` says how large the result is. Outside of tensor functions it may be left out:
    `count` finds it first, from the parameter `of`."""

    def make(function: Callable[..., Any]) -> Callable[..., Any]:
        inner, first = operation(function), operation(count)
        signature = inspect.signature(function)

        @functools.wraps(inner)
        def call(*args: Any, **kwargs: Any) -> Any:
            if current() is not None:
                return inner(*args, **kwargs)
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError:
                return inner(*args, **kwargs)
            if bound.arguments.get(size) is None:
                bound.arguments[size] = int(first(bound.arguments[of]))
            return inner(*bound.args, **bound.kwargs)

        return call

    return make


def needed(operation: str, name: str, given: Any) -> Size:
    """The size that an operation is given; within tensor functions it must be."""
    if given is None:
        fault(
            "jit-data-size",
            f"the size of the result of '{operation}' depends on values, which are known only when the function runs",
            f"name it: {name}=...",
        )
    sizes = sizes_of(given)
    if len(sizes) != 1 or not trace().facts.holds(sizes[0], ">=", Size.of(0)):
        fault("jit-data-size-kind", f"'{name}' of '{operation}' is a size, not {shown(sizes)}")
    return sizes[0]
