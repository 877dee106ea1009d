"""Reads a whole text: programs, functions and pools, and in them directives, labels and instructions."""

from __future__ import annotations

from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.listing import Array, Arrays, Code, Jump, Listing, Pool, Scalar
from hologram.dialects.machine.registers import SPACES
from hologram.dialects.machine.spelling import is_reserved
from hologram.errors import did_you_mean
from hologram.frontend.assembler.arrays import ArraysReader
from hologram.frontend.assembler.control import CodeReader
from hologram.frontend.assembler.instructions import Reader
from hologram.frontend.assembler.tokens import Token, split

TOP = (".program", ".func", ".arrays", ".pool")
INNER = (".launch", ".shared", ".local")
TEMP = ".temp"
"""The directive of array-level programs."""


def parse_listing(text: str, name: str) -> Listing:
    """The listing of a text, which errors call `name`."""
    return _Parser(Reader(split(text, name), name)).parse()


class _Parser:
    def __init__(self, reader: Reader):
        self.reader = reader
        self.listing: Listing = []
        self.named: dict[str, Token] = {}
        self.calls: list[tuple[Token, Jump]] = []
        self.regions: list[tuple[Token, str]] = []
        self.pools = 0

    def parse(self) -> Listing:
        reader = self.reader
        while (token := reader.take()).kind != "end":
            if token.kind == "newline":
                continue
            match token.text:
                case ".program" | ".func":
                    self.listing.append(self._code(token))
                case ".arrays":
                    self.listing.append(self._arrays(token))
                case ".pool":
                    self._number("pool", self.pools)
                    self.pools += 1
                    self.listing.append(Pool(self._array(), reader.at(token)))
                    self._end_line()
                case _:
                    reader.fault(
                        "asm-top", token, f"expected .program, .func, .arrays or .pool, found {token}",
                        did_you_mean(token.text, TOP) or "instructions stand in .program name() { ... }",
                    )  # fmt: skip
        self._check_calls()
        return self.listing

    def _check_calls(self) -> None:
        functions = {item.name for item in self.listing if isinstance(item, Code) and item.is_function}
        named = [*((token, str(call.target)) for token, call in self.calls), *self.regions]
        for token, name in named:
            if name not in functions:
                self.reader.fault(
                    "asm-function", token, f"there is no function '{name}'", did_you_mean(name, functions)
                )

    def _end_line(self) -> None:
        token = self.reader.take()
        if token.kind not in ("newline", "end"):
            self.reader.fault("asm-line-end", token, f"expected the end of the line, found {token}")

    # Headers

    def _code(self, start: Token) -> Code:
        reader = self.reader
        name = reader.word("a name")
        self._check_name(name)
        code = Code(name.text, start.text == ".func", where=reader.at(start))
        code.parameters = self._parameters(code)
        if reader.accept("->"):
            if not code.is_function:
                reader.fault("asm-program-results", name, "a program gives no values")
            code.outs = [p for p in self._parameters(code) if isinstance(p, Scalar)]
        self._brace()
        self._directives(code)
        body = CodeReader(reader, code, self.calls)
        body.read()
        return code

    def _arrays(self, start: Token) -> Arrays:
        reader = self.reader
        name = reader.word("a name")
        self._check_name(name)
        header = Code(name.text)
        program = Arrays(name.text, self._parameters(header), where=reader.at(start))
        self._brace()
        ArraysReader(reader, program, self.regions).read()
        return program

    def _check_name(self, name: Token) -> None:
        if is_reserved(name.text):
            self.reader.fault("asm-reserved", name, f"'{name.text}' is a register or an object, not a name")
        if name.text in self.named:
            line = self.named[name.text].line
            self.reader.fault("asm-name-twice", name, f"'{name.text}' is defined twice, first in line {line}")
        self.named[name.text] = name

    def _brace(self) -> None:
        while self.reader.token.kind == "newline" and self.reader.token.text:
            self.reader.take()
        self.reader.expect("{", "the header of a program or function")

    def _parameters(self, code: Code) -> list[Scalar | Array]:
        reader = self.reader
        reader.expect("(", "a header such as .program scale(r0: f32, buf0: f32[?])")
        parameters: list[Scalar | Array] = []
        buffers = 0
        while not reader.accept(")"):
            if parameters:
                reader.expect(",", "a list of parameters")
            token = reader.token
            if (register := reader.register()) is not None:
                reader.expect(":", "a parameter such as r0: f32")
                parameters.append(Scalar(self._held(token, code), register))
            elif code.is_function:
                reader.fault(
                    "asm-parameter", token, f"expected a register such as r1, found {token}",
                    "functions take values in registers; a pointer (lea) reaches memory",
                )  # fmt: skip
            else:
                self._number("buf", buffers)
                buffers += 1
                parameters.append(self._array())
        return parameters

    def _held(self, register: Token, code: Code) -> str:
        """The type of what a register holds: an ISA type, or in functions a pointer, `ptr<f32, global>`."""
        reader = self.reader
        if not code.is_function or reader.token.text != "ptr":
            return self._scalar_type(register)
        reader.take()
        reader.expect("<", "a pointer's type such as ptr<f32, global>")
        element = self._scalar_type(None)
        reader.expect(",", "a pointer's type such as ptr<f32, global>")
        space = reader.word("a memory space")
        if space.text not in SPACES:
            reader.fault(
                "asm-space", space, f"there is no memory space '{space.text}'",
                did_you_mean(space.text, SPACES) or f"they are {' '.join(SPACES)}",
            )  # fmt: skip
        reader.expect(">", "a pointer's type such as ptr<f32, global>")
        if register.text[0].lower() == "p":
            reader.fault("asm-pointer-register", register, f"{register.text} holds no pointer")
        return f"ptr<{element}, {space.text}>"

    def _scalar_type(self, register: Token | None) -> str:
        reader = self.reader
        token = reader.word("a type such as f32")
        if token.text not in DTYPES:
            reader.fault("asm-type", token, f"there is no type '{token.text}'", did_you_mean(token.text, DTYPES))
        if register is not None and (token.text == "bool") != (register.text[0].lower() == "p"):
            reader.fault(
                "asm-register-type", register, f"{register.text} holds no {token.text}",
                "bool lies in predicates, p0 to p15, all other types in r0 to r255",
            )  # fmt: skip
        return token.text

    def _number(self, word: str, number: int) -> None:
        """Goes past `word0:`, whose number is the next one."""
        reader = self.reader
        token = reader.word(f"{word}{number}")
        if token.text != f"{word}{number}":
            reader.fault(
                "asm-object-number", token, f"expected {word}{number}, found {token}",
                f"they are counted in order, from {word}0",
            )  # fmt: skip
        reader.expect(":", f"a declaration such as {word}0: f32[64]")

    def _array(self) -> Array:
        reader = self.reader
        token = reader.word("an element type such as f32")
        if token.text not in DTYPES:
            reader.fault(
                "asm-element-type", token, f"there is no type '{token.text}'", did_you_mean(token.text, DTYPES)
            )
        reader.expect("[", "an array's type such as f32[64]")
        return Array(token.text, tuple(reader.listed("]", "an array's sizes", self._size)))

    def _size(self) -> int:
        if self.reader.accept("?"):
            return -1
        token = self.reader.token
        size = self.reader.integer("a size, or ? for one that the launch gives")
        if not 1 <= size < 1 << 63:
            self.reader.fault("asm-size", token, f"a size is from 1 to 2^63 - 1, found {token}")
        return size

    # Directives in a program or function

    def _directives(self, code: Code) -> None:
        reader = self.reader
        counts = {".shared": 0, ".local": 0}
        while reader.token.kind in ("newline", "directive"):
            token = reader.take()
            if token.kind == "newline":
                continue
            if token.text == ".launch" and not code.is_function:
                self._launch(code)
            elif token.text in counts:
                self._number(token.text[1:], counts[token.text])
                counts[token.text] += 1
                code.arrays.append((token.text[1:], self._array()))
            else:
                reader.fault(
                    "asm-directive", token, f"'{token.text}' is no directive here",
                    did_you_mean(token.text, INNER) or f"they are {', '.join(INNER)}",
                )  # fmt: skip
            self._end_line()

    def _launch(self, code: Code) -> None:
        reader = self.reader
        while reader.token.kind == "word":
            token = reader.take()
            match token.text:
                case "block":
                    code.block = self._three()
                case "grid":
                    code.grid = self._three()
                case "shared":
                    reader.expect("(", "shared(bytes)")
                    code.shared = reader.integer("a number of bytes")
                    reader.expect(")", "shared(bytes)")
                case _:
                    reader.fault(
                        "asm-launch", token, f"a launch has block, grid and shared, not '{token.text}'",
                        did_you_mean(token.text, ("block", "grid", "shared")),
                    )  # fmt: skip

    def _three(self) -> tuple[int, int, int]:
        reader, what = self.reader, "three sizes such as (256, 1, 1)"
        sizes: list[int] = []
        for before in "(,,":
            reader.expect(before, what)
            sizes.append(reader.integer("a size"))
        reader.expect(")", what)
        x, y, z = sizes
        return x, y, z
