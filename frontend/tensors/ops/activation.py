"""Functions of neural networks: activations and softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.trace.support import axis_of, brought, operation, settled, trace
from hologram.frontend.tensors.trace.trace import Traced

if TYPE_CHECKING:

    def __getattr__(name: str) -> Callable[..., Any]: ...


globals().update(math.declared_functions("activation"), relu=math.relu)
globals()["silu"] = globals()["swish"]


def _float(x: Any) -> Traced:
    (value,) = brought(x, kind="float")
    return value


@operation
def softmax(x: Any, axis: Any = -1) -> Any:
    """e^(x - m) / sum(e^(x - m)) along an axis, m the greatest element."""
    value = _float(x)
    place = axis_of(axis, value.ndim)
    return trace().add("hologram.softmax", [value], value.dtype, settled(value), attributes=f"axis = {place} : i64")


@operation
def log_softmax(x: Any, axis: Any = -1) -> Any:
    """ln(softmax(x)) = x - m - ln(sum(e^(x - m))) along an axis, m the greatest element."""
    value = _float(x)
    shifted = math.sub(value, reduce.max(value, axis, True))
    return math.sub(shifted, math.log(reduce.sum(math.exp(shifted), axis, True)))
