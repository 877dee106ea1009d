"""The limits of the compiler: how large a program, and what it is made of, may be before it is refused.

Each limit is a setting of the environment, which is read whenever something is checked. A program beyond a limit is
refused by an error that names the setting, but for what is too long to be optimised.

| variable | what may not be more | default |
|---|---|---|
| `HOLOGRAM_MAX_OPERATIONS` | operations of a program, in any stage; instructions, of assembly | 100000 |
| `HOLOGRAM_MAX_NESTING` | regions, brackets or parts of a document or an expression inside one another | 1000 |
| `HOLOGRAM_MAX_DIGITS` | digits of a number in a text | 4000 |
| `HOLOGRAM_MAX_INTEGER_BITS` | bits of an integer type | 8192 |
| `HOLOGRAM_MAX_VECTOR_ELEMENTS` | elements of a vector type | 4096 |
| `HOLOGRAM_MAX_RANK` | axes of a type | 64 |
| `HOLOGRAM_MAX_CONSTANT_BYTES` | bytes of the constants of a program that have to be written out | 67108864 |
| `HOLOGRAM_MAX_NAME` | characters of the name of a function, kernel or module | 1000 |
| `HOLOGRAM_MAX_OPTIMISED_INSTRUCTIONS` | instructions of a function that LLVM still optimises | 6000 |
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from itertools import count as count_from
from math import prod
from typing import TYPE_CHECKING, NoReturn

from hologram.errors import InputError, UsageError, Where, where_of
from hologram.support.walking import symbol_of

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation

DEFAULTS = {
    "operations": 100_000,
    "nesting": 1_000,
    "digits": 4_000,
    "integer_bits": 8_192,
    "vector_elements": 4_096,
    "rank": 64,
    "constant_bytes": 1 << 26,
    "name": 1_000,
    "optimised_instructions": 6_000,
}
"""The limits by name."""
LARGEST_ARRAY = 1 << 56
"""Bytes. It is no setting: no processor has more addresses, and estimates of work multiply sizes."""
LARGEST_SIZE, WIDEST_INTEGER = (1 << 63) - 1, (1 << 24) - 1
"""The size of an axis and the bits of an integer type that MLIR has at most: no settings either."""
NAMED_LEVELS = 2
"""How deep in a module what has a name stands: functions, and those of a module for a device."""
LONGEST_NAME = 200
"""Characters of a value's name in code for other compilers, which refuse longer ones or cut them off."""
_NUMBER = re.compile(r"(?<![\w.$])(?:0[xX][0-9a-fA-F_]{500,}|[0-9][0-9_]{500,})")
"""Numbers that are worth a look."""
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[(\[{<]|[)\]}>]')


def variable(name: str) -> str:
    """The variable of the environment that sets a limit."""
    return f"HOLOGRAM_MAX_{name.upper()}"


def limit(name: str) -> int:
    """A limit that is in force."""
    text = os.environ.get(variable(name))
    if not text:
        return DEFAULTS[name]
    if not text.isdecimal() or len(text) > 18:
        message = f"{variable(name)} is '{text[:40]}', expected a whole number"
        raise UsageError("setting-limit", message, hint=f"the default is {DEFAULTS[name]}")
    return int(text)


def raised(name: str, more: str = "") -> str:
    """The hint of an error about a limit."""
    return f"the limit is a setting, {variable(name)}={limit(name)}{more and f'; {more}'}"


# Texts


def check_text(text: str, name: str, *, brackets: bool = True) -> None:
    """Refuses a text with numbers of too many digits, or with brackets that nest too deep."""
    most = limit("digits")
    for match in _NUMBER.finditer(text):
        if len(match[0]) > most and not _in_string(text, match.start()):
            raise InputError(
                "limit-digits",
                f"this number has {len(match[0])} digits, and the limit is {most}",
                hint=raised("digits"),
                where=_where(text, name, match.start(), min(len(match[0]), 60)),
            )
        if 0 < sys.get_int_max_str_digits() < len(match[0]):
            # Who raises our limit means Python's, too.
            sys.set_int_max_str_digits(most)
    if brackets:
        _check_brackets(text, name)


def _in_string(text: str, at: int) -> bool:
    """Return whether a quotation is open at a place of a line: data in strings may be long."""
    return text.count('"', text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _check_brackets(text: str, name: str) -> None:
    most = limit("nesting")
    if sum(map(text.count, "([{<")) <= most:
        return
    depth = 0
    for match in _BRACKET.finditer(text):
        token = match[0]
        if token in ")]}>":
            depth = max(0, depth - 1)
        elif token in "([{<":
            depth += 1
            if depth > most:
                refuse_nesting(_where(text, name, match.start(), 1))


def refuse_nesting(where: Where | None) -> NoReturn:
    """Raises the error about a text or IR whose parts nest too deep."""
    raise InputError(
        "limit-nesting",
        f"more than {limit('nesting')} levels are nested here",
        hint=raised("nesting", "split the program into functions or statements"),
        where=where,
    )


def _where(text: str, name: str, at: int, width: int) -> Where:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start : None if end < 0 else end]
    return Where(name, text.count("\n", 0, at) + 1, at - start + 1, width, line)


# IR


def check_operations(count: int, op: Operation | None, what: str) -> None:
    """Refuses a program of too many operations; `what` says what has them."""
    if count > limit("operations"):
        refuse_operations(f"{count} operations", where_of(op) if op is not None else None, what)


def refuse_operations(count: str, where: Where | None, what: str) -> NoReturn:
    """Raises the error about a program of too many operations, or of too much else."""
    raise InputError(
        "limit-operations",
        f"{what} has {count}, and the limit is {limit('operations')}",
        hint=raised("operations", "split the program, or write what repeats as a loop"),
        where=where,
    )


def check_program(root: Operation, when: str) -> None:
    """Refuses IR of too many operations, or with regions that nest too deep; `when` says in which state it is."""
    most, deepest = limit("operations"), limit("nesting")
    count = 0
    level: list[Operation] = [root]
    for depth in count_from(0):
        count += len(level)
        if count > most:
            refuse_operations(f"more than {most} operations", where_of(root), f"the program {when}")
        inner = [o for op in level if op.regions for region in op.regions for block in region.blocks for o in block.ops]
        if depth < NAMED_LEVELS:
            _check_names(inner)
            _check_globals(inner)
        if not inner:
            return
        if depth > deepest:
            refuse_nesting(where_of(inner[0]))
        level = inner


def _check_names(ops: Iterable[Operation]) -> None:
    """Refuses names that objects, devices and other compilers would refuse."""
    most = limit("name")
    for op in ops:
        if (name := symbol_of(op)) is not None and len(name) > most:
            raise InputError(
                "limit-name",
                f"the name '{name[:20]}...' has {len(name)} characters, and the limit is {most}",
                hint=raised("name"),
                where=where_of(op),
            )


def _check_globals(ops: Iterable[Operation]) -> None:
    """Refuses globals whose values are more than can be written out; equal elements are held as one until then."""
    bytes = 0
    for op in ops:
        value = op.properties.get("initial_value") or op.properties.get("value")
        if value is not None and symbol_of(op) is not None:
            bytes = check_dense(getattr(value, "type", value), bytes, where_of(op))


def check_dense(type: Attribute, before: int, where: Where | None) -> int:
    """Refuses the type of a constant whose elements would take too many bytes, with those `before` it; returns how many
    there are then."""
    shape, element = (getattr(type, name, None) for name in ("shape", "element_type"))
    if shape is None:
        return before
    bytes = before + prod(max(n.data, 1) for n in shape) * max(_bits(element) // 8, 1)
    if bytes > (most := limit("constant_bytes")):
        raise InputError(
            "limit-constant",
            f"with this {type}, the constants have {bytes} bytes, and the limit is {most}",
            hint=raised("constant_bytes", "compute it in the program, as hologram.fill does, or pass it in"),
            where=where,
        )
    return bytes


def _bits(element: Attribute | None) -> int:
    """The bits of a number, or 64 of what holds an unknown number of them."""
    width = getattr(getattr(element, "width", None), "data", None)
    return getattr(element, "bitwidth", 64) if width is None else width


def check_type(type: Attribute) -> None:
    """Refuses integers and vectors that are too large for processors, and arrays for memory."""
    shape, element = getattr(type, "shape", None), getattr(type, "element_type", type)
    bits = _bits(element)
    if element.name == "integer_type" and bits > (most := limit("integer_bits")):
        raise InputError(
            "limit-integer", f"{element} is wider than the limit of {most} bits", hint=raised("integer_bits")
        )
    if not isinstance(getattr(shape, "data", None), tuple):
        return
    count = prod(max(n.data, 1) for n in shape.data)  # pyright: ignore
    if type.name == "vector" and count > (most := limit("vector_elements")):
        raise InputError(
            "limit-vector",
            f"{type} has {count} elements, and the limit is {most}",
            hint=raised("vector_elements", "write a loop over shorter vectors"),
        )
    if len(shape.data) > (most := limit("rank")):  # pyright: ignore
        raise InputError(
            "limit-rank",
            f"a type has {len(shape.data)} axes, and the limit is {most}",  # pyright: ignore
            hint=raised("rank"),
        )
    if count * max(bits // 8, 1) >= LARGEST_ARRAY:
        raise InputError(
            "type-beyond-memory",
            f"{type} has {count} elements, more than any memory: an array has less than 2^56 bytes",
            hint="write '?' for sizes that are known when the program runs",
        )
