"""Arguments of `hologram-run` from their text on the command line, and results as text, JSON and files."""

from __future__ import annotations

import io
import json
import math
import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from hologram.errors import InputError, UsageError, Where, did_you_mean
from hologram.errors.limits import check_text
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument
from hologram.runtime.limbs import integers, limbs
from hologram.support.regular_files import open_file
from hologram.tools.cli import write_file

Array = NDArray[Any]

GENERATED = re.compile(r"([a-z]\w*)\[([^\]]*)\]=(\w+)(?:\((.*)\))?")
LITERAL = re.compile(r"(\[.*\])(?::(\w+))?", re.DOTALL)
NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "true": True, "false": False}
FORMS = "a number, true, false, [1,2,3]:f32, f32[4x8]=iota, or a file x.npy"
LISTS = "a list is written [[1,2],[3,4]]:i32, its rows of one length"
RULES = ("iota", "zeros", "ones", "full", "random")
MOST_BYTES = 1 << 40
"""Of an array that is made: what is larger is a slip."""
JSON_LIMIT = 100_000
"""Larger results are left out of JSON; `--output` saves them."""


def parse_value(text: str, argument: Argument | None, *, fills: bool = False) -> Any:
    """The array or number that `text` stands for; `argument` is what the program wants there, where that is known.

    A number that `fills` may stand for an array.
    """
    check_text(text, "--arg", brackets=False)
    if text.endswith(".npy"):
        value = _load(text, argument)
    elif match := GENERATED.fullmatch(text):
        value = _generate(text, *match.groups())
    elif match := LITERAL.fullmatch(text):
        value = _literal(text, match[1], match[2], argument)
    else:
        value = _number(text)
    if argument is not None and not (fills and np.ndim(value) == 0):
        _check(text, value, argument)
    return value


def _refuse(text: str, message: str, hint: str, part: str = "") -> NoReturn:
    """Refuses the text of a value, and points at a part of it."""
    at = text.lower().rfind(part.lower()) if part else 0
    where = Where("--arg", 1, max(at, 0) + 1, len(part) if part and at >= 0 else len(text), source=_line(text))
    raise UsageError("run-value", message, hint=hint, where=where if text else None)


def _line(text: str) -> str:
    return text.replace("\n", " ")


def _number(text: str, whole: str | None = None) -> Any:
    """The number that a text is; it may be a part of the `whole` text of a value."""
    if text.lower() in NUMBERS:
        return NUMBERS[text.lower()]
    for read in (partial(int, base=0), float):
        try:
            return read(text)
        except ValueError:
            continue
    _refuse(text if whole is None else whole, f"'{text}' is no value", _advice(text), text)


def _advice(text: str) -> str:
    """Return what a text that is no value may have been meant to be."""
    made = re.match(r"\s*([A-Za-z]\w*)\s*[\[(<]", text)
    if made is not None:
        if made[1] not in (known := [*dtypes.NAMES, *dtypes.LIMBS]):
            return did_you_mean(made[1], known) or f"types are {', '.join(known)}"
        return f"an array is made by its type, its sizes with 'x' between and a rule: {made[1]}[4x8]=iota"
    if text.lstrip().startswith(("(", "{", "[")):
        return "a list stands in brackets, with its element type behind a colon: [[1,2],[3,4]]:i32"
    if re.search(r"\.(npz|csv|txt|json|pt|bin|raw|safetensors)$", text):
        return "a file of an array ends in .npy: numpy.save writes one"
    if re.match(r"[A-Za-z_]\w*\s*=", text):
        return "values have no names: the first --arg is the first argument"
    if re.match(r"[-+]?[\d.]", text):
        return "a number is written 3, -2.5, 1e-3 or 0x10; each --arg is one value"
    return f"a value is {FORMS}"


def _check(text: str, value: Any, argument: Argument) -> None:
    """Refuses an array that can't be the argument, in terms of the command line; the launch checks the rest."""
    if argument.is_buffer != isinstance(value, np.ndarray) and (argument.shape or np.ndim(value)):
        like = _like(argument, (4,) * len(argument.shape)) if argument.is_buffer else "7"
        found = f"the number {text}" if argument.is_buffer else "an array"
        _refuse_argument(text, f"argument '{argument}' can't be {found}", f"--arg '{like}' is what it can be")
    if not isinstance(value, np.ndarray):
        return
    array = cast("Array", value)
    wide = argument.dtype in dtypes.LIMBS and array.dtype == np.uint64
    shape = array.shape[:-1] if wide else array.shape
    found = argument.dtype if wide else dtypes.name_of(array.dtype)
    if not array.dtype.isnative:
        message = f"the bytes of '{text}' are in the other order ({array.dtype.str})"
        _refuse_argument(text, message, "save it anew: numpy.save(file, x.astype(x.dtype.newbyteorder('=')))")
    alike = len(shape) == len(argument.shape)
    if found == argument.dtype and alike and all(w in (None, n) for n, w in zip(shape, argument.shape, strict=True)):
        return
    usual = shape if alike else (4,) * len(argument.shape)
    message = f"argument '{argument}' can't be {found}[{'x'.join(map(str, shape))}]"
    _refuse_argument(text, message, f"--arg '{_like(argument, usual)}' is such an array")


def _like(argument: Argument, sizes: Sequence[int]) -> str:
    """An array that the argument can be, of these sizes where it takes any."""
    fit = [n if wanted is None else wanted for n, wanted in zip(sizes, argument.shape, strict=True)]
    return f"{argument.dtype}[{'x'.join(map(str, fit))}]=iota"


def _refuse_argument(text: str, message: str, hint: str) -> NoReturn:
    where = Where("--arg", 1, 1, len(text), source=_line(text))
    raise UsageError("run-argument", message, hint=hint, where=where)


def _element(name: str, text: str) -> dtypes.DType:
    if name not in dtypes.NAMES:
        known = [*dtypes.NAMES, *dtypes.LIMBS]
        hint = did_you_mean(name, known) or f"types are {', '.join(known)}"
        _refuse(text, f"there is no element type '{name}'", hint, name)
    return dtypes.dtype(name)


def _literal(text: str, values: str, name: str | None, argument: Argument | None) -> Array:
    spelled = re.sub(r"\binf\b", "Infinity", re.sub(r"\bnan\b", "NaN", values))
    wanted = name or (argument.dtype if argument is not None else None)
    try:
        parsed = json.loads(spelled)
    except json.JSONDecodeError as error:
        place = error.pos - 5 * spelled[: error.pos].count("Infinity")
        _refuse(text, f"this list can't be read: {error.msg[:1].lower()}{error.msg[1:]}", LISTS, text[place:])
    except RecursionError:
        _refuse(text, "this list is nested too deeply", LISTS)
    element = None if wanted is None or wanted in dtypes.LIMBS else _element(wanted, text)
    _check_rows(parsed, text)
    if wanted in dtypes.LIMBS:
        return limbs(parsed, wanted)
    for number in _leaves(parsed):
        _check_element(number, element, text)
    return np.array(parsed, element.numpy if element else None)


def _leaves(value: Any) -> Iterator[Any]:
    if not isinstance(value, list):
        yield value
        return
    parts = cast("list[Any]", value)
    for part in parts:
        yield from _leaves(part)


def _check_rows(value: Any, text: str) -> tuple[int, ...]:
    """The shape of a list, whose rows must be alike."""
    if not isinstance(value, list):
        return ()
    parts = cast("list[Any]", value)
    shapes = {_check_rows(part, text) for part in parts}
    if len(shapes) > 1:
        lengths = " and ".join(sorted("x".join(map(str, s)) or "a number" for s in shapes))
        _refuse(text, f"the rows of this list differ: {lengths}", LISTS)
    return (len(parts), *next(iter(shapes), ()))


def _check_element(value: Any, element: dtypes.DType | None, text: str) -> None:
    """Refuses a value that the element type has not."""
    shown = json.dumps(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if element is None:
        if not is_number and not isinstance(value, bool):
            _refuse(text, f"{shown} is no number", LISTS, shown)
        return
    if element.kind == "bool":
        if not isinstance(value, bool):
            _refuse(text, f"{shown} is no truth", "elements of bool are true or false", shown)
        return
    least, most = element.range
    endless = is_number and not math.isfinite(value)
    whole = element.kind == "float" or (is_number and not endless and float(value).is_integer())
    if not is_number or not whole or not (endless or least <= value <= most):
        limits = f"numbers up to {most:.4g}" if element.kind == "float" else f"whole numbers from {least} to {most}"
        _refuse(text, f"{shown} is no number of {element.name}", f"they are {limits}", shown)


def _generate(text: str, name: str, sizes: str, rule: str, operand: str | None) -> Array:
    element = dtypes.dtype("i64") if name in dtypes.LIMBS else _element(name, text)
    if any(not size.isdecimal() for size in sizes.split("x") if sizes):
        hint = f"sizes are numbers with 'x' between: {name}[4x8]={rule}"
        _refuse(text, f"'{sizes}' is no list of sizes", hint, f"[{sizes}]")
    shape = tuple(int(n) for n in sizes.split("x")) if sizes else ()
    if rule not in RULES:
        hint = did_you_mean(rule, RULES) or f"there are {', '.join(RULES)}"
        _refuse(text, f"there is no rule '{rule}' to fill an array", hint, rule)
    if math.prod(shape) * max(dtypes.LIMBS.get(name, 0) * 8, element.numpy.itemsize) > MOST_BYTES:
        _refuse(text, "this array is larger than any memory", "name smaller sizes", f"[{sizes}]")
    number = _operand(text, rule, operand)
    if name in dtypes.LIMBS:
        return _generate_limbs(shape, name, rule, number)
    if rule == "full":
        _check_element(number, element, text)
    return _fill(element.numpy, shape, rule, number)


def _operand(text: str, rule: str, operand: str | None) -> Any:
    """The number in the parentheses of a rule."""
    if operand is None and rule == "full":
        _refuse(text, "'full' has its number in parentheses", "such as f32[8]=full(2)", rule)
    if not operand:
        return 0
    if rule == "random" and not operand.isdecimal():
        _refuse(text, f"'{operand}' is no seed", "a seed is a whole number, as in random(7)", operand)
    if rule not in ("full", "random"):
        _refuse(text, f"'{rule}' takes no number", f"write ={rule}, or =full({operand})", operand)
    return int(operand) if rule == "random" else _number(operand, text)


def _fill(element: np.dtype[Any], shape: tuple[int, ...], rule: str, number: Any) -> Array:
    if rule == "full":
        return np.full(shape, number, element)
    if rule == "iota":
        return np.arange(math.prod(shape)).astype(element).reshape(shape)
    if rule != "random":
        return np.full(shape, int(rule == "ones"), element)
    source = np.random.default_rng(number)
    if element.kind in "iu":
        return source.integers(0, 100, shape).astype(element)
    return (source.random(shape) < 0.5 if element.kind == "b" else source.random(shape) * 2 - 1).astype(element)


def _generate_limbs(shape: tuple[int, ...], name: str, rule: str, number: Any) -> Array:
    count = math.prod(shape)
    if rule == "random":
        source, bits = random.Random(number), 64 * dtypes.LIMBS[name] - (name[0] == "i")
        numbers = [source.getrandbits(bits) for _ in range(count)]
    elif rule == "iota":
        numbers = list(range(count))
    else:
        numbers = [int(number) if isinstance(number, float) and math.isfinite(number) else number] * count
        numbers = numbers if rule == "full" else [int(rule == "ones")] * count
    return limbs(numbers, name).reshape((*shape, dtypes.LIMBS[name]))


def _load(name: str, argument: Argument | None) -> Array:
    magic = False
    try:
        with os.fdopen(open_file(name), "rb") as file:
            magic = file.peek(6)[:6] == b"\x93NUMPY"
            array = np.lib.format.read_array(file, allow_pickle=False)
    except FileNotFoundError:
        hint = "a path is relative to the folder that the command runs in"
        raise InputError("run-input-missing", f"there is no file '{name}'", hint=hint) from None
    except OSError as error:
        message = f"'{name}' can't be read: {error.strerror or error}"
        raise InputError("run-input-unreadable", message, hint="numpy.save writes such a file") from None
    except Exception as error:  # numpy's reader of headers raises what Python's own parser does.
        text = " ".join(str(error).split())
        reason = "its first bytes are not those of one" if not magic else text[:200]
        if magic and "Object arrays" in text:
            reason = "it holds Python objects, not numbers"
        elif magic and "fully written" in text:
            reason = "it is cut off"
        message = f"'{name}' is no file of an array: {reason}"
        raise InputError("run-input-broken", message, hint="numpy.save writes such a file") from None
    # A file can't say bf16: such an array comes back as two plain bytes an element.
    as_bf16 = argument is not None and argument.dtype == "bf16" and array.dtype.str.endswith("V2")
    return array.view(dtypes.dtype("bf16").numpy) if as_bf16 else array


def save(name: str, value: Array) -> None:
    """Writes an array file."""
    data = io.BytesIO()
    np.save(data, value, allow_pickle=False)
    write_file(name, data.getvalue())


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
