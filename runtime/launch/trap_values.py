"""Raises the error of a trap record, with its values as text by what the site says of them."""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from hologram.errors import LaunchError, TrapError, Where, later
from hologram.lowering.rewriting.traps import MOST_BYTES, NO_MEMORY
from hologram.runtime.native import RECORD_WORDS, TIMED_OUT

if TYPE_CHECKING:
    from hologram.runtime.entry import Entry

TRAP_WORDS = 8
TrapRecord = ctypes.c_int64 * RECORD_WORDS
_SITE = re.compile(r"^(.*); at (.*):(\d+):(\d+)$", re.DOTALL)
_TYPES = re.compile(r"^(.*); values ((?:\w+:\d+ ?)+)$", re.DOTALL)
_FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


def raise_trap(entry: Entry, record: list[int]) -> NoReturn:
    """Says what the trap record holds: site, lane and values."""
    if record[0] == TIMED_OUT:
        from hologram.runtime.launch.watch import timed_out

        timed_out(entry.name)
    site = record[0] - 1
    text = entry.sites[site] if 0 <= site < len(entry.sites) else f"trap site {site}"
    match = _SITE.match(text)
    # Of an operation that is called by itself the place is that of the call, and not in the text that it is made of.
    is_placed = match is not None and not match[2].startswith("<hologram.jit ")
    where = later(Where(match[2], int(match[3]), int(match[4])), entry.source) if match and is_placed else None
    reason = match[1] if match else text
    if reason.startswith(NO_MEMORY):
        message = f"program '{entry.name}': {reason}, which needs {_bytes(record[2])}"
        hint = "pass smaller arrays or free memory; what the call had taken is given back, and it can be made again"
        raise LaunchError("launch-memory", message, hint=hint, where=where)
    reason, values = told(reason, record[2:])
    message = f"program '{entry.name}' trapped in lane {record[1]}: {filled(reason, values)}"
    hint = "the arrays it had written before keep what was written; the kernel can be called again"
    hint = _index_hint(reason, record) + hint
    raise TrapError("program-trap", message, hint=hint, where=where)


def filled(reason: str, values: Sequence[str]) -> str:
    """A reason with its values: each in the place of a pair of braces, or all of them behind it."""
    first, *rest = reason.split("{}")
    if not rest or len(rest) > len(values):
        return f"{reason} (values {', '.join(values)})"
    return first + "".join(value + part for value, part in zip(values, rest, strict=False))


def _index_hint(reason: str, record: Sequence[int]) -> str:
    """What to do about an index, of which the record tells the lane, its value and the end."""
    if not reason.endswith("index out of range"):
        return ""
    if record[2] < 0:
        return "indices count from 0, also backwards; "
    of_lanes = " " in reason.partition(": ")[0]
    if record[2] == record[1] and of_lanes:
        return "a launch has whole blocks, so lanes past the end are kept out by a condition, as 'if i < len(x):'; "
    return ""


def told(text: str, words: Sequence[int]) -> tuple[str, list[str]]:
    """Return what a site says without the types of its values, and the values that the record's words hold.

    The text of a site ends in `; values u256:4 f32:1`, each type with the words that it has, where there is other than
    signed integers of up to 64 bits. Of a value with fewer words than its type the text gives the bits that there are.
    """
    match = _TYPES.match(text)
    if match is None:
        return text, [str(w) for w in (words if any(words[2:]) else words[:2])]
    values: list[str] = []
    at = 0
    for part in match[2].split():
        type, _, count = part.partition(":")
        end = at + int(count)
        values.append(_value(type, [w & 0xFFFF_FFFF_FFFF_FFFF for w in words[at:end]]))
        at = end
    return match[1], values


def _value(type: str, words: Sequence[int]) -> str:
    bits = sum(w << 64 * n for n, w in enumerate(words))
    if type == "bf16":
        return str(struct.unpack("<f", struct.pack("<I", bits << 16 & 0xFFFF_FFFF))[0])
    if type in _FLOATS:
        code = _FLOATS[type]
        size = struct.calcsize(code)
        return str(struct.unpack(f"<{code}", bits.to_bytes(8, "little")[:size])[0])
    width = int(type[1:])
    held = 64 * len(words)
    if width > held:
        return f"{bits:#x}, the low {held} of {width} bits"
    signed = type[0] == "i" and bits >> (held - 1)
    value = bits - (1 << held) if signed else bits
    # Longer ones are easier to read by their digits of 4 bits.
    return str(value) if width <= 64 or abs(value) < 1 << 64 else f"{value:#x}"


def _bytes(count: int) -> str:
    """A number of bytes, with a prefix that can be read at once."""
    power = max(0, (count.bit_length() - 1) // 10)
    least = "at least " if count >= MOST_BYTES else ""
    return f"{least}{count} bytes ({count / 1024**power:.1f} {['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'][power]})"
