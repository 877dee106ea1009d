"""Accesses whose object is not known when a program is compiled: addresses that are numbers, and lead back to memory.

Where arrays of several spaces have their addresses taken, the two highest bits of an address say which space it is in.

Atomic operations are written here too: as a function of the language, or as exchanges until nobody else was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue

from hologram.dialects.custom.atomic_kinds import KINDS
from hologram.dialects.llvm.enums import ATOMIC_OPERATIONS
from hologram.errors import PassError
from hologram.lowering.rewriting.atomic_kinds import OF_WORD
from hologram.lowering.targets.text.kinds import FLOATS, element_kind, space_of
from hologram.lowering.targets.text.language import PointerLanguage
from hologram.lowering.targets.text.printer import RULES, Printer, index_text, read
from hologram.lowering.targets.text.scalars import EXTREMES, INTEGER, extreme_function
from hologram.support.walking import operations

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
    current = p.fresh("found")
    p.line(lang.variable(word, current, before))
    p.open("while (true)")
    seen = p.fresh("seen")
    p.line(lang.constant(word, seen, current))
    p.line(f"{old} = {lang.reinterpret(seen, word, kind)};")
    new = replace(old)
    for line in lang.exchange(p, space, word, place, current, seen, lang.reinterpret(new, kind, word)):
        p.line(line)
    p.close()


_NUMBERS = {"workgroup": 1, "private": 2, "global": 0}
"""The highest bits of an address, by the space that they mean."""
_SHIFT = 62
Access = Callable[[PointerLanguage, str, str], None]
"""Writes the statements that access a place of a space."""


def spaces_in(module: Operation) -> Sequence[str]:
    """The spaces of the arrays whose addresses are taken."""
    taken = [o for o in operations(module) if isinstance(o, memref.ExtractAlignedPointerAsIndexOp)]
    spaces = {space_of(o.source.type) for o in taken}
    return [space for space in _NUMBERS if space in spaces]


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
    old, wanted, value = p.fresh("found"), p.value(op.cmp), p.value(op.val)
    p.line(p.language.variable(kind, old, p.language.literal(kind, 0)))
    p.alias(op.res, old)

    def access(lang: PointerLanguage, space: str, place: str) -> None:
        if space == "private":
            p.line(f"{old} = {place};")
            p.line(f"{place} = {lang.choose(f'{old} == {wanted}', value, old)};")
        else:
            p.line(f"{old} = {lang.compare_exchange(space, kind, place, wanted, value)};")

    _each_space(p, op, op.ptr, kind, access)


@RULES.on("llvm.extractvalue")
def extract(p: Printer, op: Any) -> None:
    """Give a part of the result of a comparison and exchange."""
    _language(p, op)
    old = p.value(op.container)
    if op.position.get_values()[0] == 0:
        p.alias(op.res, old)
    else:
        p.define(op.res, f"{old} == {p.value(op.container.owner.cmp)}")
