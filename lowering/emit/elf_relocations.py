"""What relocations do to the bytes of a section: x86-64 and aarch64, for position-independent code.

The rules are those of the processor supplements of the System V ABI. S is where the symbol lies, A the addend, P the
place that changes, GOT the slot that holds the symbol's address at run time, and Page(x) is x with 12 low bits cleared.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

X86_64, AARCH64 = 62, 183
Patch = Callable[[bytearray, int, int], None]
"""`(section bytes, offset, value)`."""


@dataclass(frozen=True)
class Rule:
    """How one kind of relocation is computed and where its value goes."""

    base: str
    """`S` the symbol, `GOT` its slot, `PLT` code that jumps to it if another object has it, `absolute` an address that
    is only known when the object is loaded."""
    relative: str
    """`P`, `page` (Page(S + A) - Page(P)), `low` (the low 12 bits), or empty."""
    patch: Patch


def _word(code: str) -> Patch:
    form = struct.Struct("<" + code)
    return form.pack_into


def _field(low: int, bits: int, shift: int) -> Patch:
    """A field of an aarch64 instruction: `value >> shift`, put at bit `low`."""

    def patch(data: bytearray, offset: int, value: int) -> None:
        (word,) = struct.unpack_from("<I", data, offset)
        mask = ((1 << bits) - 1) << low
        struct.pack_into("<I", data, offset, word & ~mask | (value >> shift) << low & mask)

    return patch


def _page(data: bytearray, offset: int, value: int) -> None:
    """ADRP: the two low bits of the page number stand apart from the 19 others."""
    _field(29, 2, 12)(data, offset, value)
    _field(5, 19, 14)(data, offset, value)


_low = {size: _field(10, 12, size) for size in range(5)}

RULES: dict[int, dict[int, Rule]] = {
    X86_64: {
        1: Rule("absolute", "", _word("Q")),
        2: Rule("S", "P", _word("i")),
        4: Rule("PLT", "P", _word("i")),
        9: Rule("GOT", "P", _word("i")),
        24: Rule("S", "P", _word("q")),
        41: Rule("GOT", "P", _word("i")),
        42: Rule("GOT", "P", _word("i")),
    },
    AARCH64: {
        257: Rule("absolute", "", _word("Q")),
        260: Rule("S", "P", _word("q")),
        261: Rule("S", "P", _word("i")),
        275: Rule("S", "page", _page),
        277: Rule("S", "low", _low[0]),
        278: Rule("S", "low", _low[0]),
        284: Rule("S", "low", _low[1]),
        285: Rule("S", "low", _low[2]),
        286: Rule("S", "low", _low[3]),
        299: Rule("S", "low", _low[4]),
        282: Rule("PLT", "P", _field(0, 26, 2)),
        283: Rule("PLT", "P", _field(0, 26, 2)),
        311: Rule("GOT", "page", _page),
        312: Rule("GOT", "low", _low[3]),
    },
}
LOAD_SYMBOL = {X86_64: 6, AARCH64: 1025}
"""GLOB_DAT: the loader writes the address of a symbol."""
LOAD_ABSOLUTE = {X86_64: 1, AARCH64: 257}
"""The loader writes the address of a symbol and an addend."""
LOAD_BASE = {X86_64: 8, AARCH64: 1027}
"""RELATIVE: the loader writes where the object starts, and an addend."""


def jump_through(machine: int, place: int, slot: int) -> bytes:
    """Sixteen bytes of code at `place` that jump to the address in `slot`."""
    if machine == X86_64:
        return b"\xff\x25" + struct.pack("<i", slot - place - 6) + b"\xcc" * 10
    code = bytearray(struct.pack("<4I", 0x90000010, 0xF9400211, 0xD61F0220, 0xD503201F))
    _page(code, 0, (slot & -4096) - (place & -4096))
    _low[3](code, 4, slot & 4095)
    return bytes(code)
