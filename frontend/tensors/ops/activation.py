"""Functions of neural networks: activations and softmax."""

from __future__ import annotations

from typing import Any

from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.ops.math import one, relu
from hologram.frontend.tensors.support import axis_of, brought, operation, settled, trace
from hologram.frontend.tensors.trace import Traced

sigmoid = one("sigmoid", "1 / (1 + e^-x).", "sigmoid", "float")
tanh = one("tanh", "The hyperbolic tangent.", "tanh", "float")
gelu = one("gelu", "x times the share of a standard normal distribution that lies below x.", "gelu", "float")
gelu_tanh = one("gelu_tanh", "The form of `gelu` that is made of tanh.", "gelu_tanh", "float")
swish = one("swish", "x sigmoid(x).", "swish", "float")
silu = swish


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


OPERATIONS = (sigmoid, tanh, relu, gelu, gelu_tanh, swish, softmax, log_softmax)
