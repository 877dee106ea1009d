"""Reads one instruction: its mnemonic by the table of spellings, its operands by the form.

Operands are registers, addresses, numbers and names, each with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias, TypeVar

from hologram.dialects.atlas.instructions.form import Field, Form
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
from hologram.dialects.machine.address import CLASS_BYTES, CLASSES, OBJECTS, PAGE_BYTES, object_of
from hologram.dialects.machine.constants import parse_constant, unquoted
from hologram.dialects.machine.instruction import FORMS, SPECIAL_TYPES
from hologram.dialects.machine.listing import Address, Line, Operand
from hologram.dialects.machine.registers import PREDICATES, REGISTERS
from hologram.dialects.machine.spelling import Spelling, find, spell, spellings
from hologram.errors import Where, did_you_mean, refuse_at
from hologram.frontend.assembler.tokens import Token
from hologram.plugins import discover

T = TypeVar("T")
_REGISTER = re.compile(r"([rRpP])(\d+)$")
_OBJECT = re.compile(r"(buf|shared|local|pool|c)(\d{1,6})$")
_PHI = ("Φ", "φ", "phi", "Phi", "PHI")


@dataclass(frozen=True, slots=True)
class Piece:
    """An operand as it was written: `kind` is `r` or `p` (a register), `address`, `number`, `special`, `text`,
    `word`."""

    kind: str
    value: Value
    token: Token

    def __str__(self) -> str:
        text = self.value if isinstance(self.value, str) else self.token.text
        return {"r": f"the register {text}", "p": f"the predicate {text}", "address": "an address"}.get(
            self.kind, f"'{text}'"
        )


Value: TypeAlias = int | str | Address


class Reader:
    """Walks the tokens of a text."""

    def __init__(self, tokens: list[Token], name: str):
        self.tokens = tokens
        self.name = name
        self.position = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    def take(self) -> Token:
        """The next token, and goes past it."""
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def at(self, token: Token) -> Where:
        """The place of a token."""
        return Where(self.name, token.line, token.column, max(1, len(token.text)) if token.kind != "newline" else 1)

    def fault(self, code: str, token: Token, message: str, hint: str | None = None) -> NoReturn:
        """Raise an InputError at a token."""
        refuse_at(code, message, hint, self.at(token))

    def accept(self, text: str) -> bool:
        """Goes past the next token if it is this punctuation."""
        accepted = self.token.kind == "punctuation" and self.token.text == text
        self.position += accepted
        return accepted

    def expect(self, text: str, what: str) -> Token:
        """Goes past the punctuation that must come next; `what` says of what it is part."""
        token = self.token
        if not self.accept(text):
            self.fault("asm-expected", token, f"expected '{text}' in {what}, found {token}")
        return token

    def listed(self, end: str, what: str, one: Callable[[], T]) -> list[T]:
        """Read what `one` reads, with commas between, up to the punctuation that ends the list."""
        items: list[T] = []
        while not self.accept(end):
            if items:
                self.expect(",", what)
            items.append(one())
        return items

    def word(self, what: str) -> Token:
        """The name that must come next."""
        token = self.take()
        if token.kind != "word":
            self.fault("asm-name", token, f"expected {what}, found {token}")
        return token

    def integer(self, what: str) -> int:
        """The number from 0 up that must come next."""
        token = self.take()
        if token.kind != "number" or len(token.text) > 70 or not _is_integer(token.text):
            self.fault("asm-integer", token, f"expected {what}, found {token}")
        return int(token.text, 10 if token.text.isdigit() else 0)

    # Operands

    def register(self, kinds: str = "rp") -> int | None:
        """The number of the register that comes next; None if none of these kinds does."""
        token = self.token
        match = _REGISTER.match(token.text) if token.kind == "word" else None
        if match is None or match[1].lower() not in kinds:
            return None
        self.check_register(match[1].lower(), match[2], token)
        self.take()
        return int(match[2])

    def check_register(self, kind: str, digits: str, token: Token) -> None:
        """Refuses a register that a lane has not."""
        size = REGISTERS if kind == "r" else PREDICATES
        if len(digits) > 6 or int(digits) >= size:
            self.fault(
                "asm-register", token, f"there is no register {token.text}", f"a lane has {kind}0 to {kind}{size - 1}"
            )

    def operand(self) -> Piece:
        """Any operand."""
        token = self.token
        if (number := self.register()) is not None:
            return Piece(token.text[0].lower(), number, token)
        self.take()
        match token.kind:
            case "punctuation" if token.text == "[":
                return Piece("address", self._address(), token)
            case "punctuation" if token.text == "@" and self.token.kind == "word":
                return Piece("word", self.take().text, token)
            case "punctuation" if token.text == "-" and self.token.kind in ("number", "word"):
                return Piece("number", "-" + self.take().text, token)
            case "number":
                return Piece("number", token.text, token)
            case "special":
                return Piece("special", token.text[1:], token)
            case "text":
                return Piece("text", self._text(token), token)
            case "word":
                return Piece("word", token.text, token)
            case _:
                self.fault("asm-operand", token, f"expected an operand, found {token}")

    def _text(self, token: Token) -> str:
        text = unquoted(token.text)
        if text is None:
            self.fault(
                "asm-escape", token, f"{token.text} has a backslash that means nothing",
                'there are \\", \\\\ and \\u{e9}',
            )  # fmt: skip
        return text

    def _address(self) -> Address:
        token = self.token
        register = self.register("r")
        offset, registers = 0, () if register is None else (register,)
        base = "reg"
        if register is None:
            base = self.word("an object such as buf0 or a register").text
            if base in _PHI:
                base, registers, offset = self._phi(token)
            elif _OBJECT.match(base) is None:
                self.fault(
                    "asm-object", token, f"'{base}' is no object of memory",
                    did_you_mean(base, [f"{o}0" for o in OBJECTS]) or "such as buf0, shared0, local0, pool0, c21",
                )  # fmt: skip
            elif base[0] == "c" and int(base[1:]) >= CLASSES:
                self.fault("asm-class", token, f"there is no class {base[1:]}", f"they are c0 to c{CLASSES - 1}")
        index = None
        while not self.accept("]"):
            sign = self.token
            if not self.accept("-"):
                self.expect("+", "an address such as [buf0 + r1 + 64]")
            if sign.text == "+" and index is None and (index := self.register("r")) is not None:
                continue
            amount = self.integer("a number of bytes or one register")
            offset += -amount if sign.text == "-" else amount
        self._check_offset(offset, token)
        return Address(base, registers, index, offset)

    def _check_offset(self, offset: int, token: Token) -> None:
        if not -(1 << 63) <= offset < 1 << 63:
            self.fault("asm-offset", token, f"the offset {offset} does not fit into 64 bits")

    def _phi(self, start: Token) -> tuple[str, tuple[int, ...], int]:
        """The arguments of Φ(class, page, byte): three registers, or three numbers, which say a class and an offset."""
        self.expect("(", "Φ(class, page, byte)")
        registers: list[int] = []
        numbers: list[int] = []
        for part, limit in (("class", CLASSES), ("page", CLASS_BYTES // PAGE_BYTES), ("byte", PAGE_BYTES)):
            if part != "class":
                self.expect(",", "Φ(class, page, byte)")
            token = self.token
            if (register := self.register("r")) is not None:
                registers.append(register)
                continue
            numbers.append(number := self.integer(f"a register or the number of a {part}"))
            if number >= limit:
                self.fault("asm-phi-range", token, f"there is no {part} {number}", f"from 0 to {limit - 1}")
        self.expect(")", "Φ(class, page, byte)")
        if registers and numbers:
            self.fault("asm-phi-mixed", start, "Φ takes three registers or three numbers, found both")
        if registers:
            return "phi", tuple(registers), 0
        return f"c{numbers[0]}", (), numbers[1] * PAGE_BYTES + numbers[2]


def _is_integer(text: str) -> bool:
    return text.isdigit() or text[:2].lower() in ("0x", "0b")


_MIXED = {name.lower(): name for name in DTYPES}
"""Types by their names in small letters: suffixes may be written in any."""


def read_mnemonic(reader: Reader, token: Token) -> tuple[list[Spelling], list[str]]:
    """Return the instructions that a mnemonic may name, and its suffixes."""
    candidates, suffixes = find(token.text)
    if not candidates and discover():
        candidates, suffixes = find(token.text)
    if not candidates:
        stem = token.text.partition(".")[0]
        near = did_you_mean(token.text, spellings()) or did_you_mean(stem, spellings())
        reader.fault("asm-mnemonic", token, f"there is no instruction '{token.text}'", near)
    return candidates, suffixes


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
        reader.fault(
            "asm-type-place", before.token, f"the type {before} stands apart from its instruction",
            f"it is joined by a dot: add.{before.value}",
        )  # fmt: skip
    reader.expect(",", "a list of operands")


def read_line(reader: Reader, token: Token, candidates: Sequence[Spelling], suffixes: Sequence[str]) -> Line:
    """The instruction that a mnemonic and the operands after it make."""
    pieces = read_operands(reader)
    spelling = _choose(candidates, pieces)
    form = FORMS[spelling.name]
    modifiers, types = _suffixes(reader, token, form, spelling, suffixes)
    if len(pieces) != len(form.fields):
        reader.fault(
            "asm-operand-count", token,
            f"'{spell(form, modifiers, types)}' takes {_shape(form)}, found {len(pieces)} operands",
        )  # fmt: skip
    named = dict(zip(form.types, types, strict=True))
    operands = tuple(
        _Match(reader, form, named).operand(field, piece) for field, piece in zip(form.fields, pieces, strict=True)
    )
    return Line(spelling.name, tuple(modifiers), tuple(types), operands, reader.at(token))


def _shape(form: Form) -> str:
    """The operands of a form by name, for messages."""
    return f"{len(form.fields)} operands ({', '.join(f.name for f in form.fields)})" if form.fields else "no operands"


def _choose(candidates: Sequence[Spelling], pieces: Sequence[Piece]) -> Spelling:
    """Return the instruction, of those that share a mnemonic, whose operands are of the kinds that were written."""
    telling = ("special", "address")

    def fits(spelling: Spelling) -> bool:
        kinds = [f.kind if f.kind in telling else "" for f in FORMS[spelling.name].fields]
        return kinds == [p.kind if p.kind in telling else "" for p in pieces]

    return next((s for s in candidates if fits(s)), candidates[0])


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
            reader.fault(
                "asm-modifier", token, f"'{token.text}' needs its {modifier.name}: {' '.join(modifier.choices)}",
                did_you_mean(rest[0], modifier.choices) if rest else None,
            )  # fmt: skip
    for number, allowed in enumerate(form.types.values()):
        given = rest[number] if number < len(rest) else None
        if given is None:
            reader.fault(
                "asm-type-missing", token, f"'{token.text}' needs a type",
                f"such as '{token.text}.{next(t for t in ('f32', 'u32', *DTYPES) if t in allowed)}'",
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
    reader.fault("asm-suffix", token.part(given), f"'{form.name}' {what} '{given}'", hint)


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
            self.reader.fault(
                "asm-operand-kind", piece.token, f"'{field.name}' of '{self.form.name}' is {example}, found {piece}",
                _register_hint(piece, kind),
            )  # fmt: skip
        return piece.value

    def _immediate(self, field: Field, piece: Piece) -> Operand:
        value = parse_constant(str(piece.value), DTYPES["u64"]) if piece.kind == "number" else None
        if value is None or value >> 63:
            self.reader.fault(
                "asm-immediate", piece.token,
                f"'{field.name}' of '{self.form.name}' is a number from 0 up, found {piece}",
            )  # fmt: skip
        return value

    def _constant(self, piece: Piece) -> Operand:
        dtype = DTYPES[self.types["type"]]
        bits = parse_constant(str(piece.value), dtype) if piece.kind in ("number", "word") else None
        if bits is None:
            self.reader.fault(
                "asm-constant", piece.token, f"{piece} is no constant of type {dtype.name}",
                None if dtype.is_float or dtype.kind == "bool" else f"from {dtype.least} to {dtype.greatest}",
            )  # fmt: skip
        return bits

    def _special(self, piece: Piece) -> Operand:
        if piece.kind != "special" or piece.value not in SPECIAL_REGISTERS:
            self.reader.fault(
                "asm-special", piece.token, f"there is no special register {piece}",
                did_you_mean(str(piece.value), SPECIAL_REGISTERS) or "they are " + " ".join(SPECIAL_REGISTERS),
            )  # fmt: skip
        return piece.value

    def _other(self, field: Field, piece: Piece) -> Operand:
        wanted = {"address": "address", "pool": "word", "text": "text"}[field.kind]
        if piece.kind != wanted or (field.kind == "pool" and not _is_pool(piece)):
            example = "an address such as [buf0 + r1]" if field.kind == "address" else "a pool such as pool0"
            self.reader.fault(
                "asm-place", piece.token, f"'{field.name}' of '{self.form.name}' is {example}, found {piece}"
            )
        return piece.value


def _is_pool(piece: Piece) -> bool:
    parts = object_of(str(piece.value))
    return parts is not None and parts[0] == "pool"


def _register_hint(piece: Piece, kind: str) -> str:
    """Return what to write in place of what is no register of a kind."""
    if piece.kind == "number":
        return "put a constant into a register with mov_imm"
    if piece.kind == "address":
        return "load it into a register first: ldg, lds, ldl"
    if piece.kind == "special":
        return f"read it into a register first: mov.{SPECIAL_TYPES.get(str(piece.value), 'u32')} r1, %{piece.value}"
    return "conditions and bool lie in predicates, p0 to p15" if kind == "p" else "all but bool lies in r0 to r255"
