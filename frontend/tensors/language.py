"""The functions of `hologram.language` on tensors, so that kernels and tensor functions may call the same function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.errors import did_you_mean
from hologram.frontend.tensors.ops import math
from hologram.frontend.tensors.trace.locations import fault
from hologram.support import promotion

WORDS: dict[str, Callable[..., Any]] = {
    i.word: partial(math.elementwise, i)
    for i in (*INSTRUCTIONS.values(), *COMPOSITES.values())
    if i.word and (i.tensor or i.name in COMPOSITES)
} | {"pow": math.pow}


def call(word: str, args: Sequence[Any]) -> Any:
    """Apply a word of the language to tensors."""
    if word in promotion.TYPES and len(args) == 1:
        return math.cast(args[0], word)
    if word not in WORDS:
        fault("jit-word", f"'{word}' means something in kernels alone", did_you_mean(word, WORDS))
    return WORDS[word](*args)
