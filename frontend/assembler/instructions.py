"""Reads one instruction: its mnemonic by the table of spellings, its operands by the form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hologram.dialects.atlas.form import Field, Form
from hologram.dialects.atlas.lanes import SPECIAL_REGISTERS
from hologram.dialects.atlas.types import DTYPES
from hologram.dialects.machine.address import object_of
from hologram.dialects.machine.constants import parse_constant
from hologram.dialects.machine.instruction import SPECIAL_TYPES
from hologram.dialects.machine.listing import Line, Operand
from hologram.dialects.machine.spelling import Spelling, find, spell, spellings
from hologram.dialects.machine.table import FORMS
from hologram.errors import InputError, did_you_mean
from hologram.frontend.assembler.operands import Piece, Reader

if TYPE_CHECKING:
    from hologram.frontend.assembler.tokens import Token


_MIXED = {name.lower(): name for name in DTYPES}
"""Types by their names in small letters: suffixes may be written in any."""


def read_mnemonic(reader: Reader, token: Token) -> tuple[list[Spelling], list[str]]:
    """What a mnemonic may name, and its suffixes."""
    found, suffixes = find(token.text)
    if not found:
        stem = token.text.partition(".")[0]
        near = did_you_mean(token.text, spellings()) or did_you_mean(stem, spellings())
        raise InputError("asm-mnemonic", f"there is no instruction '{token.text}'", hint=near, where=reader.at(token))
    return found, suffixes


def read_operands(reader: Reader) -> list[Piece]:
    """The operands up to the end of the statement."""
    pieces: list[Piece] = []
    while reader.token.kind not in ("newline", "end") and reader.token.text not in ("{", "}"):
        if pieces:
            _comma(reader, pieces[-1])
        pieces.append(reader.operand())
    return pieces


def _comma(reader: Reader, before: Piece) -> None:
    """Goes past the comma between two operands."""
    if before.value in DTYPES and reader.token.text != ",":
        raise InputError(
            "asm-type-place", f"the type {before} stands apart from its instruction", where=reader.at(before.token),
            hint=f"it is joined by a dot: add.{before.value}",
        )  # fmt: skip
    reader.expect(",", "a list of operands")


def read_line(reader: Reader, token: Token, found: Sequence[Spelling], suffixes: Sequence[str]) -> Line:
    """The instruction that a mnemonic and the operands after it make."""
    pieces = read_operands(reader)
    spelling = _choose(found, pieces)
    form = FORMS[spelling.name]
    modifiers, types = _suffixes(reader, token, form, spelling, suffixes)
    if len(pieces) != len(form.fields):
        raise InputError(
            "asm-operand-count",
            f"'{spell(form, modifiers, types)}' takes {_shape(form)}, found {len(pieces)} operands",
            where=reader.at(token),
        )
    named = dict(zip(form.types, types, strict=True))
    operands = tuple(
        _Match(reader, form, named).operand(field, piece) for field, piece in zip(form.fields, pieces, strict=True)
    )
    return Line(spelling.name, tuple(modifiers), tuple(types), operands, reader.at(token))


def _shape(form: Form) -> str:
    """The operands of a form by name, for messages."""
    return f"{len(form.fields)} operands ({', '.join(f.name for f in form.fields)})" if form.fields else "no operands"


def _choose(found: Sequence[Spelling], pieces: Sequence[Piece]) -> Spelling:
    """Of instructions that share a mnemonic, the one whose operands are of the kinds that were written."""
    telling = ("special", "address")

    def fits(spelling: Spelling) -> bool:
        kinds = [f.kind if f.kind in telling else "" for f in FORMS[spelling.name].fields]
        return kinds == [p.kind if p.kind in telling else "" for p in pieces]

    return next((s for s in found if fits(s)), found[0])


def _suffixes(
    reader: Reader, token: Token, form: Form, spelling: Spelling, suffixes: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The modifiers and types of an instruction."""
    joined = dict(spelling.joined)
    rest = [_MIXED.get(s.lower(), s.lower()) for s in suffixes]
    modifiers: list[str] = []
    for modifier in form.modifiers:
        if modifier.name in joined:
            modifiers.append(joined[modifier.name])
        elif rest and rest[0] in modifier.choices:
            modifiers.append(rest.pop(0))
        elif "" in modifier.choices:
            modifiers.append("")
        else:
            raise InputError(
                "asm-modifier",
                f"'{token.text}' needs its {modifier.name}: {' '.join(modifier.choices)}",
                where=reader.at(token),
                hint=did_you_mean(rest[0], modifier.choices) if rest else None,
            )
    for number, allowed in enumerate(form.types.values()):
        given = rest[number] if number < len(rest) else None
        if given is None:
            raise InputError(
                "asm-type-missing", f"'{token.text}' needs a type", where=reader.at(token),
                hint=f"such as '{token.text}.{next(t for t in ('f32', 'u32', *DTYPES) if t in allowed)}'",
            )  # fmt: skip
        if given not in allowed:
            names = [c for m in form.modifiers for c in m.choices if c] if given not in DTYPES else []
            _refuse_suffix(reader, token, form, given, [*names, *(t for t in DTYPES if t in allowed)])
    if len(rest) > len(form.types):
        _refuse_suffix(reader, token, form, rest[len(form.types)], [c for m in form.modifiers for c in m.choices if c])
    return modifiers, rest


def _refuse_suffix(reader: Reader, token: Token, form: Form, given: str, allowed: list[str]) -> None:
    hint = did_you_mean(given, allowed) or (f"it takes {' '.join(allowed)}" if allowed else None)
    what = "is not defined for" if given in DTYPES and form.types else "has no suffix"
    column = token.column + token.text.lower().rindex(given.lower())
    where = reader.at(token).changed(column=column, width=max(1, len(given)))
    raise InputError("asm-suffix", f"'{form.name}' {what} '{given}'", hint=hint, where=where)


class _Match:
    """Holds operands against the fields of a form."""

    def __init__(self, reader: Reader, form: Form, types: dict[str, str]):
        self.reader = reader
        self.form = form
        self.types = types

    def operand(self, field: Field, piece: Piece) -> Operand:
        match field.kind:
            case "register":
                return self._register(field, piece)
            case "immediate":
                return self._immediate(field, piece)
            case "constant":
                return self._constant(piece)
            case "special":
                return self._special(piece)
            case _:
                return self._other(field, piece)

    def _register(self, field: Field, piece: Piece) -> Operand:
        dtype = field.type_under(self.types)
        kind, example = ("p", "a predicate such as p0") if dtype == "bool" else ("r", "a register such as r1")
        if piece.kind != kind:
            raise InputError(
                "asm-operand-kind", f"'{field.name}' of '{self.form.name}' is {example}, found {piece}",
                hint=_register_hint(piece, kind), where=self.reader.at(piece.token),
            )  # fmt: skip
        return piece.value

    def _immediate(self, field: Field, piece: Piece) -> Operand:
        value = parse_constant(str(piece.value), DTYPES["u64"]) if piece.kind == "number" else None
        if value is None or value >> 63:
            raise InputError(
                "asm-immediate", f"'{field.name}' of '{self.form.name}' is a number from 0 up, found {piece}",
                where=self.reader.at(piece.token),
            )  # fmt: skip
        return value

    def _constant(self, piece: Piece) -> Operand:
        dtype = DTYPES[self.types["type"]]
        bits = parse_constant(str(piece.value), dtype) if piece.kind in ("number", "word") else None
        if bits is None:
            raise InputError(
                "asm-constant", f"{piece} is no constant of type {dtype.name}", where=self.reader.at(piece.token),
                hint=None if dtype.is_float or dtype.kind == "bool" else f"from {dtype.least} to {dtype.greatest}",
            )  # fmt: skip
        return bits

    def _special(self, piece: Piece) -> Operand:
        if piece.kind != "special" or piece.value not in SPECIAL_REGISTERS:
            raise InputError(
                "asm-special", f"there is no special register {piece}", where=self.reader.at(piece.token),
                hint=did_you_mean(str(piece.value), SPECIAL_REGISTERS) or "they are " + " ".join(SPECIAL_REGISTERS),
            )  # fmt: skip
        return piece.value

    def _other(self, field: Field, piece: Piece) -> Operand:
        wanted = {"address": "address", "pool": "word", "text": "text"}[field.kind]
        if piece.kind != wanted or (field.kind == "pool" and not _is_pool(piece)):
            example = "an address such as [buf0 + r1]" if field.kind == "address" else "a pool such as pool0"
            raise InputError(
                "asm-place", f"'{field.name}' of '{self.form.name}' is {example}, found {piece}",
                where=self.reader.at(piece.token),
            )  # fmt: skip
        return piece.value


def _is_pool(piece: Piece) -> bool:
    found = object_of(str(piece.value))
    return found is not None and found[0] == "pool"


def _register_hint(piece: Piece, kind: str) -> str:
    """What to write in place of what is no register of a kind."""
    if piece.kind == "number":
        return "put a constant into a register with mov_imm"
    if piece.kind == "address":
        return "load it into a register first: ldg, lds, ldl"
    if piece.kind == "special":
        return f"read it into a register first: mov.{SPECIAL_TYPES.get(str(piece.value), 'u32')} r1, %{piece.value}"
    return "conditions and bool lie in predicates, p0 to p15" if kind == "p" else "all but bool lies in r0 to r255"
