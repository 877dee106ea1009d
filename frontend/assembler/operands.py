"""Reads operands: registers, addresses, numbers, names, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from hologram.dialects.machine.address import CLASS_BYTES, CLASSES, OBJECTS, PAGE_BYTES
from hologram.dialects.machine.constants import unquoted
from hologram.dialects.machine.listing import Address
from hologram.dialects.machine.registers import PREDICATES, REGISTERS
from hologram.errors import InputError, Where, did_you_mean
from hologram.frontend.assembler.tokens import Token

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

    def accept(self, text: str) -> bool:
        """Goes past the next token if it is this punctuation."""
        found = self.token.kind == "punctuation" and self.token.text == text
        self.position += found
        return found

    def expect(self, text: str, what: str) -> Token:
        """Goes past the punctuation that must come next; `what` says of what it is part."""
        token = self.token
        if not self.accept(text):
            raise InputError("asm-expected", f"expected '{text}' in {what}, found {token}", where=self.at(token))
        return token

    def word(self, what: str) -> Token:
        """The name that must come next."""
        token = self.take()
        if token.kind != "word":
            raise InputError("asm-name", f"expected {what}, found {token}", where=self.at(token))
        return token

    def integer(self, what: str) -> int:
        """The number from 0 up that must come next."""
        token = self.take()
        if token.kind != "number" or len(token.text) > 70 or not _is_integer(token.text):
            raise InputError("asm-integer", f"expected {what}, found {token}", where=self.at(token))
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
            raise InputError(
                "asm-register", f"there is no register {token.text}", where=self.at(token),
                hint=f"a lane has {kind}0 to {kind}{size - 1}",
            )  # fmt: skip

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
                raise InputError("asm-operand", f"expected an operand, found {token}", where=self.at(token))

    def _text(self, token: Token) -> str:
        text = unquoted(token.text)
        if text is None:
            raise InputError(
                "asm-escape", f"{token.text} has a backslash that means nothing", where=self.at(token),
                hint='there are \\", \\\\ and \\u{e9}',
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
                raise InputError(
                    "asm-object", f"'{base}' is no object of memory", where=self.at(token),
                    hint=did_you_mean(base, [f"{o}0" for o in OBJECTS]) or "such as buf0, shared0, local0, pool0, c21",
                )  # fmt: skip
            elif base[0] == "c" and int(base[1:]) >= CLASSES:
                raise InputError(
                    "asm-class", f"there is no class {base[1:]}", where=self.at(token),
                    hint=f"they are c0 to c{CLASSES - 1}",
                )  # fmt: skip
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
            raise InputError("asm-offset", f"the offset {offset} does not fit into 64 bits", where=self.at(token))

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
                raise InputError(
                    "asm-phi-range", f"there is no {part} {number}", hint=f"from 0 to {limit - 1}", where=self.at(token)
                )  # fmt: skip
        self.expect(")", "Φ(class, page, byte)")
        if registers and numbers:
            raise InputError(
                "asm-phi-mixed", "Φ takes three registers or three numbers, found both", where=self.at(start)
            )
        if registers:
            return "phi", tuple(registers), 0
        return f"c{numbers[0]}", (), numbers[1] * PAGE_BYTES + numbers[2]


def _is_integer(text: str) -> bool:
    return text.isdigit() or text[:2].lower() in ("0x", "0b")
