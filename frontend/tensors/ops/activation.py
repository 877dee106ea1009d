"""Functions of neural networks: activations and softmax."""

from __future__ import annotations

from typing import Any

from hologram.frontend.tensors.ops import math, reduce
from hologram.frontend.tensors.ops.math import elementwise, relu
from hologram.frontend.tensors.support import axis_of, brought, operation, settled, trace
from hologram.frontend.tensors.trace import Traced


@operation
def sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x)."""
    return elementwise("sigmoid", x, kind="float")


@operation
def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
    return elementwise("tanh", x, kind="float")


@operation
def gelu(x: Any) -> Any:
    """x times the share of a standard normal distribution that lies below x."""
    return elementwise("gelu", x, kind="float")


@operation
def gelu_tanh(x: Any) -> Any:
    """The form of `gelu` that is made of tanh."""
    return elementwise("gelu_tanh", x, kind="float")


@operation
def swish(x: Any) -> Any:
    """x sigmoid(x)."""
    return elementwise("swish", x, kind="float")


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
