"""Writes atomic operations: a function of the language, or exchanges until nobody else was faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hologram.errors import PassError
from hologram.lowering.rewriting.atomic_kinds import KINDS
from hologram.lowering.targets.text.kinds import FLOATS, element_kind, space_of
from hologram.lowering.targets.text.printer import RULES, Printer, index_text, read
from hologram.lowering.targets.text.scalars import EXTREMES, INTEGER, extreme_function

_INTEGER_NAMES = {"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui"}

_MEMORY = {"memref.atomic_rmw": 1, "memref.generic_atomic_rmw": 0}
"""The number of the operand that is the buffer, of operations that have one."""

Replace = Callable[[str], str]
"""The new element as an expression of the old one, after the statements that it needs."""


def check_width(p: Printer, op: Any, kind: str) -> None:
    """Refuses the widths that there are no atomics of."""
    bits = p.language.bits(kind)
    if bits < 32:
        raise PassError(
            op,
            "device-refuses-narrow-atomics",
            f"{op.name} works on elements of {bits} bits",
            hint="isa.md section 7: atomics of 8 and 16 bits are refused on every device; use elements of 32 bits",
        )
    buffer = op.operands[_MEMORY[op.name]] if op.name in _MEMORY else None
    if bits == 64 and not p.language.has_wide_atomics(p, buffer):
        raise PassError(
            op,
            "device-refuses-wide-atomics",
            f"{op.name} works on elements of 64 bits, and {p.language.name} has no such atomics on this device",
            hint="isa.md section 7: a device may refuse atomics of 64 bits; use elements of 32 bits",
        )


@RULES.on("memref.atomic_rmw")
def write_rmw(p: Printer, op: Any) -> None:
    """Write an atomic update, by the language's function where it has one."""
    name, kind = KINDS[int(op.kind.value.data)], element_kind(op.memref.type, op)
    check_width(p, op, kind)
    index, operand = index_text(p, op.indices, op), p.value(op.value)
    place, space = p.language.place(p, op.memref, index), space_of(op.memref.type)
    word = f"i{p.language.bits(kind)}"
    if (direct := fetched(p, name, kind, word, space, place, operand)) is None:
        _retry_element(p, op, kind, index, lambda old: replacement(p, name, kind, old, operand))
    else:
        read(p, op.result, kind, direct)


def fetched(p: Printer, name: str, kind: str, word: str, space: str, place: str, operand: str) -> str | None:
    """One call, of integers; floats can only be exchanged."""
    if kind not in FLOATS:
        return p.language.fetch(name, space, word, place, operand)
    if name != "assign":
        return None
    call = p.language.fetch(name, space, word, place, p.language.reinterpret(operand, kind, word))
    return None if call is None else p.language.reinterpret(call, word, kind)


def replacement(p: Printer, name: str, kind: str, old: str, operand: str) -> str:
    """The new element."""
    if name == "assign":
        return operand
    if name in ("addf", "mulf"):
        return f"{old} {'+' if name == 'addf' else '*'} {operand}"
    if f"arith.{name}" in EXTREMES:
        return f"{extreme_function(p, name.removesuffix('f'), kind)}({old}, {operand})"
    return INTEGER[f"arith.{_INTEGER_NAMES.get(name, name)}"](p.language, kind, old, operand)


@RULES.on("memref.generic_atomic_rmw")
def write_generic(p: Printer, op: Any) -> None:
    """The region is written in the loop."""
    kind = element_kind(op.memref.type, op)
    check_width(p, op, kind)
    block = op.atomic_body.block

    def replace(old: str) -> str:
        p.alias(block.args[0], old)
        p.block(block)
        return p.value(block.last_op.operands[0])

    _retry_element(p, op, kind, index_text(p, op.indices, op), replace)


def _retry_element(p: Printer, op: Any, kind: str, index: str, replace: Replace) -> None:
    old = p.declare(op.result, p.language.literal(kind, 0))
    with p.guarded():
        place, before = p.language.place(p, op.memref, index), p.language.atomic_load(p, op.memref, kind, index)
        retry(p, space_of(op.memref.type), place, before, kind, old, replace)


def retry(p: Printer, space: str, place: str, before: str, kind: str, old: str, replace: Replace) -> None:
    """Computes, and exchanges if nobody else wrote meanwhile; `before` gives the bits of the element, `old` is the
    variable of what it was."""
    lang = p.language
    word = f"i{lang.bits(kind)}"
    found = p.fresh("found")
    p.line(lang.variable(word, found, before))
    p.open("while (true)")
    seen = p.fresh("seen")
    p.line(lang.constant(word, seen, found))
    p.line(f"{old} = {lang.reinterpret(seen, word, kind)};")
    new = replace(old)
    for line in lang.exchange(p, space, word, place, found, seen, lang.reinterpret(new, kind, word)):
        p.line(line)
    p.close()
