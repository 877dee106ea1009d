"""Arguments of `hologram-run` from their text on the command line, and results as text, JSON and files."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hologram.errors import InputError, UsageError, did_you_mean
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument
from hologram.runtime.limbs import integers, limbs

Array = NDArray[Any]

GENERATED = re.compile(r"([a-z]\w*)\[([\dx]*)\]=(\w+)(?:\((.*)\))?")
LITERAL = re.compile(r"(\[.*\])(?::(\w+))?", re.DOTALL)
NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "true": True, "false": False}
FORMS = "a number, true, false, [1,2,3]:f32, f32[4x8]=iota, or a file x.npy"
JSON_LIMIT = 100_000
"""Larger results are left out of JSON; `--output` saves them."""


def parse_value(text: str, argument: Argument | None) -> Any:
    """The array or number that `text` stands for; `argument` is what the program wants there, where that is known."""
    if text.endswith(".npy"):
        return _load(text, argument)
    if match := GENERATED.fullmatch(text):
        return _generate(text, *match.groups())
    if match := LITERAL.fullmatch(text):
        return _literal(text, match[1], match[2], argument)
    return _number(text)


def _number(text: str) -> Any:
    if text.lower() in NUMBERS:
        return NUMBERS[text.lower()]
    for read in (partial(int, base=0), float):
        try:
            return read(text)
        except ValueError:
            continue
    raise UsageError("run-value", f"'{text}' is no value", hint=f"a value is {FORMS}")


def _element(name: str, text: str) -> np.dtype[Any]:
    if name not in dtypes.NAMES:
        known = [*dtypes.NAMES, *dtypes.LIMBS]
        hint = did_you_mean(name, known) or f"types are {', '.join(known)}"
        raise UsageError("run-value-type", f"'{text}': there is no element type '{name}'", hint=hint)
    return dtypes.dtype(name).numpy


def _literal(text: str, values: str, name: str | None, argument: Argument | None) -> Array:
    spelled = re.sub(r"\binf\b", "Infinity", re.sub(r"\bnan\b", "NaN", values))
    wanted = name or (argument.dtype if argument is not None else None)
    try:
        parsed = json.loads(spelled)
        if wanted in dtypes.LIMBS:
            return limbs(parsed, wanted)
        return np.array(parsed, _element(wanted, text) if wanted else None)
    except (ValueError, TypeError, OverflowError) as error:
        message = f"'{text}' is no array: {error}"
        raise UsageError("run-value-array", message, hint="write [[1,2],[3,4]]:i32, rows of one length") from None


def _generate(text: str, name: str, sizes: str, rule: str, operand: str | None) -> Array:
    wide = name in dtypes.LIMBS
    element = np.dtype(np.int64) if wide else _element(name, text)
    try:
        shape = tuple(int(n) for n in sizes.split("x")) if sizes else ()
        rules = _rules(element, shape, operand)
        if wide:
            rules["random"] = lambda: _random_integers(math.prod(shape), name, int(operand or 0))
        if rule in rules and wide:
            numbers = [int(v) for v in rules[rule]().ravel().tolist()]
            return limbs(numbers, name).reshape((*shape, dtypes.LIMBS[name]))
        if rule in rules:
            return rules[rule]().astype(element).reshape(shape)
    except (ValueError, OverflowError, MemoryError) as error:
        message = f"'{text}' can't be made: {error}"
        raise UsageError("run-value-generate", message, hint="such as f32[4x8]=random(7)") from None
    hint = did_you_mean(rule, rules) or f"there are {', '.join(rules)}"
    raise UsageError("run-value-rule", f"'{text}': there is no rule '{rule}' to fill an array", hint=hint)


def _rules(element: np.dtype[Any], shape: tuple[int, ...], operand: str | None) -> dict[str, Callable[[], Array]]:
    def random() -> Array:
        source = np.random.default_rng(int(operand or 0))
        if element.kind in "iu":
            return source.integers(0, 100, shape)
        return source.random(shape) < 0.5 if element.kind == "b" else source.random(shape) * 2 - 1

    return {
        "iota": lambda: np.arange(math.prod(shape)),
        "zeros": lambda: np.zeros(shape),
        "ones": lambda: np.ones(shape),
        "full": lambda: np.full(shape, _number(operand or "")),
        "random": random,
    }


def _random_integers(count: int, name: str, seed: int) -> Array:
    source, bits = random.Random(seed), 64 * dtypes.LIMBS[name] - (name[0] == "i")
    return np.array([source.getrandbits(bits) for _ in range(count)], object)


def _load(name: str, argument: Argument | None) -> Array:
    try:
        array = np.load(name, allow_pickle=False)
    except FileNotFoundError:
        raise InputError(
            "run-input-missing", f"there is no file '{name}'", hint="paths are as the shell sees"
        ) from None
    except (OSError, ValueError) as error:
        message = f"'{name}' is no array file: {error}"
        raise InputError("run-input-broken", message, hint="numpy.save writes one") from None
    # A file can't say bf16: such an array comes back as two plain bytes an element.
    as_bf16 = argument is not None and argument.dtype == "bf16" and array.dtype.str.endswith("V2")
    return array.view(dtypes.dtype("bf16").numpy) if as_bf16 else array


def save(name: str, value: Array) -> None:
    """Writes an array file."""
    try:
        with Path(name).open("wb") as file:
            np.save(file, value, allow_pickle=False)
    except OSError as error:
        raise UsageError("run-output-unwritable", f"'{name}' can't be written: {error.strerror}") from None


@dataclass(frozen=True)
class Result:
    """A value that a run gave or changed."""

    name: str
    value: Array
    dtype: str = ""
    """The element type, if it is one of limbs."""

    @property
    def elements(self) -> Array:
        """The numbers: of limbs the integers."""
        if self.dtype not in dtypes.LIMBS:
            return self.value.astype(np.float32) if self.value.dtype.name == "bfloat16" else self.value
        return np.array(integers(self.value, self.dtype), object).reshape(self.value.shape[:-1])

    @property
    def type(self) -> str:
        """`f32[4x8]`."""
        return f"{self.element}[{'x'.join(map(str, self.shape))}]"

    @property
    def element(self) -> str:
        """The name of the element type."""
        return self.dtype if self.dtype in dtypes.LIMBS else dtypes.name_of(self.value.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """Without the limbs."""
        return self.value.shape[:-1] if self.dtype in dtypes.LIMBS else self.value.shape

    def text(self) -> str:
        """Name, type, and the values as numpy abridges them."""
        return f"{self.name}: {self.type}\n{np.array2string(self.elements, threshold=200)}\n"

    def json(self) -> dict[str, Any]:
        """The same as JSON data. What JSON has no number for is text: `NaN`, `Infinity`, `-Infinity`."""
        values = _finite(self.elements.tolist()) if self.value.size <= JSON_LIMIT else None
        return {"name": self.name, "dtype": self.element, "shape": list(self.shape), "values": values}


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    plain = float(value) if hasattr(value, "dtype") else value
    if not isinstance(plain, float) or math.isfinite(plain):
        return plain
    return "NaN" if plain != plain else "Infinity" if plain > 0 else "-Infinity"
