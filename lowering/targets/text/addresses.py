"""Accesses whose object is not known when a program is compiled: addresses that are numbers, and lead back to memory.

Where arrays of several spaces have their addresses taken, the two highest bits of an address say which space it is in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from hologram.dialects.llvm.enums import ATOMIC_OPERATIONS
from hologram.errors import PassError
from hologram.lowering.rewriting.atomic_kinds import OF_WORD
from hologram.lowering.targets.text.atomics import check_width, fetched, replacement, retry
from hologram.lowering.targets.text.kinds import space_of
from hologram.lowering.targets.text.language import PointerLanguage
from hologram.lowering.targets.text.printer import RULES, Printer
from hologram.support.walking import operations

_NUMBERS = {"workgroup": 1, "private": 2, "global": 0}
"""The highest bits of an address, by the space that they mean."""
_SHIFT = 62
Access = Callable[[PointerLanguage, str, str], None]
"""Writes the statements that access a place of a space."""


def spaces_in(module: Operation) -> Sequence[str]:
    """The spaces of the arrays whose addresses are taken."""
    taken = [o for o in operations(module) if isinstance(o, memref.ExtractAlignedPointerAsIndexOp)]
    found = {space_of(o.source.type) for o in taken}
    return [space for space in _NUMBERS if space in found]


def _language(p: Printer, op: Any) -> PointerLanguage:
    if isinstance(p.language, PointerLanguage):
        return p.language
    raise PassError(
        op,
        "device-refuses-addresses",
        f"{op.name} works on an address whose buffer is not known, which {p.language.name} has no pointers for",
        hint="isa.md section 7: this device refuses pointers across objects; use a pointer into one buffer",
    )


@RULES.on("memref.extract_aligned_pointer_as_index")
def address_of(p: Printer, op: Any) -> None:
    """A number, with that of its space."""
    lang = _language(p, op)
    text, number = lang.cast(lang.type("index"), p.value(op.source)), _NUMBERS[space_of(op.source.type)]
    if number and len(p.spaces) > 1:
        text = f"{text} | {lang.literal('index', number << _SHIFT)}"
    p.define(op.aligned_pointer, text)


@RULES.on("llvm.inttoptr")
def pointer(p: Printer, op: Any) -> None:
    """The number."""
    _language(p, op)
    p.alias(op.res, p.value(op.arg))


def _each_space(p: Printer, op: Any, pointer: SSAValue, kind: str, access: Access) -> None:
    """An access, for each space that the address may be in."""
    lang, address = _language(p, op), p.value(pointer)

    def access_in(space: str) -> None:
        bits = address
        if _NUMBERS[space] and len(p.spaces) > 1:
            bits = f"{address} & {lang.literal('index', (1 << _SHIFT) - 1)}"
        access(lang, space, lang.at(space, kind, bits))

    *others, last = p.spaces
    with p.guarded():
        for number, space in enumerate(others):
            test = f"{address} >> {_SHIFT} == {p.language.literal('index', _NUMBERS[space])}"
            if number:
                p.depth -= 1
            p.open(f"{'} else ' if number else ''}if ({test})")
            access_in(space)
        if others:
            p.open_else()
        access_in(last)
        if others:
            p.close()


@RULES.on("llvm.load")
def load(p: Printer, op: Any) -> None:
    """Zero where the lane may have ended."""
    kind = p.kind(op.res)
    name = p.declare(op.res, p.language.literal(kind, 0))
    _each_space(p, op, op.addr, kind, lambda _, space, place: p.line(f"{name} = {place};"))


@RULES.on("llvm.store")
def store(p: Printer, op: Any) -> None:
    """Nothing where the lane may have ended."""
    value = p.value(op.value)
    _each_space(p, op, op.addr, p.kind(op.value), lambda _, space, place: p.line(f"{place} = {value};"))


@RULES.on("llvm.atomicrmw")
def atomic(p: Printer, op: Any) -> None:
    """Write an update as that of an element; in memory that one lane alone sees, as a load and a store."""
    kind, lang = p.kind(op.res), p.language
    check_width(p, op, kind)
    word, name = f"i{lang.bits(kind)}", OF_WORD[ATOMIC_OPERATIONS[op.bin_op.value.data]]
    old, operand = p.declare(op.res, lang.literal(kind, 0)), p.value(op.val)

    def access(_: PointerLanguage, space: str, place: str) -> None:
        if space == "private":
            p.line(f"{old} = {lang.reinterpret(place, word, kind)};")
            p.line(f"{place} = {lang.reinterpret(replacement(p, name, kind, old, operand), kind, word)};")
        elif (direct := fetched(p, name, kind, word, space, place, operand)) is not None:
            p.line(f"{old} = {direct};")
        else:
            retry(p, space, place, place, kind, old, lambda seen: replacement(p, name, kind, seen, operand))

    _each_space(p, op, op.ptr, word, access)


@RULES.on("llvm.cmpxchg")
def compare_exchange(p: Printer, op: Any) -> None:
    """Give the old value; whether it was replaced is asked for by extractvalue."""
    kind = p.kind(op.cmp)
    check_width(p, op, kind)
    found, wanted, value = p.fresh("found"), p.value(op.cmp), p.value(op.val)
    p.line(p.language.variable(kind, found, p.language.literal(kind, 0)))
    p.alias(op.res, found)

    def access(lang: PointerLanguage, space: str, place: str) -> None:
        if space == "private":
            p.line(f"{found} = {place};")
            p.line(f"{place} = {lang.choose(f'{found} == {wanted}', value, found)};")
        else:
            p.line(f"{found} = {lang.compare_exchange(space, kind, place, wanted, value)};")

    _each_space(p, op, op.ptr, kind, access)


@RULES.on("llvm.extractvalue")
def extract(p: Printer, op: Any) -> None:
    """Give a part of the result of a comparison and exchange."""
    _language(p, op)
    found = p.value(op.container)
    if op.position.get_values()[0] == 0:
        p.alias(op.res, found)
    else:
        p.define(op.res, f"{found} == {p.value(op.container.owner.cmp)}")
