"""The functions of `hologram.language` on tensors, so that kernels and tensor functions may call the same function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hologram.errors import did_you_mean
from hologram.frontend import promotion
from hologram.frontend.tensors.ops import activation, math
from hologram.frontend.tensors.places import fault


def _div(a: Any, b: Any) -> Any:
    """The quotient of the ISA, which integers round towards zero."""
    return math.elementwise("div", a, b)


_OTHER: dict[str, Callable[..., Any]] = {
    "div": _div, "rcp": math.reciprocal, "min_nan": math.minimum, "max_nan": math.maximum,
    **{name: partial(math.elementwise, name) for name in ("mad", "fms")},
    "sigmoid": activation.sigmoid, "tanh": activation.tanh, "gelu": activation.gelu,
    "gelu_tanh": activation.gelu_tanh, "swish": activation.swish,
}  # fmt: skip
WORDS = {f.__name__: f for f in math.OPERATIONS} | _OTHER


def call(word: str, args: Sequence[Any]) -> Any:
    """What a word of the language gives for tensors."""
    if word in promotion.TYPES and len(args) == 1:
        return math.cast(args[0], word)
    if word not in WORDS:
        fault("jit-word", f"'{word}' means something in kernels alone", did_you_mean(word, WORDS))
    return WORDS[word](*args)
