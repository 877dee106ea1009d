"""Reads the body of a program or function: labels, control, and the structured loop with its guard."""

from __future__ import annotations

from dataclasses import dataclass

from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.constants import parse_constant
from hologram.dialects.machine.control import COUNTERS
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import CONTROL, Code, Jump, Line
from hologram.dialects.machine.spelling import is_reserved
from hologram.errors import did_you_mean
from hologram.frontend.assembler.instructions import Piece, Reader, read_line, read_mnemonic, read_operands
from hologram.frontend.assembler.tokens import Token


@dataclass
class _Loop:
    """A structured loop that is open: its bottom, and its labels by number."""

    jump: Jump
    end: int
    token: Token


class CodeReader:
    """Reads lines and labels up to the closing brace."""

    def __init__(self, reader: Reader, code: Code, calls: list[tuple[Token, Jump]]):
        self.reader = reader
        self.code = code
        self.calls = calls
        self.labels: dict[str, int] = {}
        self.positions: list[tuple[int, str]] = []
        """The line and the name of each label by number, in the order of making."""
        self.branches: list[tuple[Token, str, Jump]] = []
        self.loops: list[_Loop] = []

    def read(self) -> None:
        """Reads everything into the code."""
        reader = self.reader
        while True:
            token = reader.take()
            if token.kind == "newline":
                continue
            if token.text == "}" and token.kind == "punctuation":
                if not self.loops:
                    break
                self._close_loop()
                continue
            self._statement(token)
        self._finish(token)

    def _statement(self, token: Token) -> None:
        reader = self.reader
        guard = self._guard() if token.text == "@" else None
        if guard is not None:
            token = reader.take()
        if token.kind != "word":
            reader.fault(
                "asm-statement", token, f"expected an instruction, a label or '}}', found {token}",
                "directives stand at the start of a program or function" if token.kind == "directive" else None,
            )  # fmt: skip
        if guard is None and reader.accept(":"):
            self._label(token)
            return
        candidates, suffixes = read_mnemonic(reader, token)
        name = candidates[0].name
        if guard is not None and name != "bra":
            reader.fault("asm-guard", token, f"'{token.text}' takes no predicate; 'bra' does")
        if name in ARRAY_FORMS:
            reader.fault(
                "asm-array-level", token, f"'{name}' is an array-level instruction",
                "it stands in an array-level program: .arrays name(...) { ... }",
            )  # fmt: skip
        if name in CONTROL:
            self._control(token, name, suffixes, guard)
        else:
            self.code.lines.append(read_line(reader, token, candidates, suffixes))
        if reader.tokens[reader.position - 1].text != "{":
            self._end_statement()

    def _end_statement(self) -> None:
        token = self.reader.token
        if token.kind not in ("newline", "end") and token.text != "}":
            self.reader.fault("asm-after", token, f"expected the end of the line, found {token}")

    def _guard(self) -> tuple[int, bool]:
        """The predicate after `@`."""
        reader = self.reader
        negated = reader.accept("!")
        token = reader.token
        number = reader.register("p")
        if number is None:
            reader.fault("asm-guard-predicate", token, f"expected a predicate such as p0, found {token}")
        return number, negated

    # Labels

    def _label(self, token: Token) -> None:
        if is_reserved(token.text):
            self.reader.fault("asm-label-reserved", token, f"'{token.text}' is a register or an object, not a label")
        if token.text in self.labels:
            self.reader.fault("asm-label-twice", token, f"the label '{token.text}' stands twice")
        self.labels[token.text] = self._new_label(token.text)

    def _new_label(self, name: str = "") -> int:
        """A label before the next line; gives its number."""
        self.positions.append((len(self.code.lines), name))
        return len(self.positions) - 1

    # Control

    def _control(self, token: Token, name: str, suffixes: list[str], guard: tuple[int, bool] | None) -> None:
        reader = self.reader
        pieces = read_operands(reader)
        if suffixes and (name != "loop" or suffixes[1:] or suffixes[0] not in COUNTERS):
            reader.fault(
                "asm-control-suffix", token, f"'{name}' has no suffix '{suffixes[0]}'",
                f"a loop counts in {' or '.join(COUNTERS)}" if name == "loop" else None,
            )  # fmt: skip
        if name == "loop":
            self._loop(token, pieces, suffixes[0] if suffixes else "u32")
            return
        expected = {"bra": 1, "call": 1}.get(name, 0)
        if len(pieces) != expected or any(p.kind != "word" for p in pieces):
            takes = {"bra": "a label", "call": "the name of a function"}.get(name, "no operands")
            hint = "what it takes and gives is in the registers that the function names" if name == "call" else None
            reader.fault("asm-control-operands", token, f"'{name}' takes {takes}{' alone' * (expected > 0)}", hint)
        jump = Jump(name, where=reader.at(token))
        if name == "bra":
            jump.register, jump.negated = guard or (-1, False)
            self.branches.append((pieces[0].token, str(pieces[0].value), jump))
        elif name == "call":
            jump.target = str(pieces[0].value)
            self.calls.append((pieces[0].token, jump))
        elif name == "ret" and not self.code.is_function:
            reader.fault("asm-ret", token, "a program ends in 'exit'; 'ret' returns from a function")
        self.code.lines.append(jump)

    def _loop(self, token: Token, pieces: list[Piece], type: str) -> None:
        """`loop r5, body`, or the structured `loop r5, p0 {` and `loop 10, r5 {`."""
        reader = self.reader
        kinds = "".join(p.kind[0] for p in pieces)
        if reader.accept("{"):
            if kinds not in ("rp", "nr"):
                reader.fault(
                    "asm-loop-structured", token, "a structured loop is 'loop r5, p0 {', or 'loop 10, r5 {'",
                    "the counter and the predicate of its guard, or the number of iterations and the counter",
                )  # fmt: skip
            self._open_loop(token, pieces, type)
            return
        if kinds != "rw":
            reader.fault("asm-loop-operands", token, "'loop' takes a counter and a label: loop r5, body")
        jump = Jump("loop", register=_number(pieces[0]), type=type, where=reader.at(token))
        self.branches.append((pieces[1].token, str(pieces[1].value), jump))
        self.code.lines.append(jump)

    def _open_loop(self, token: Token, pieces: list[Piece], type: str) -> None:
        where = self.reader.at(token)
        lines = self.code.lines
        first, second = pieces
        # The label of the end is numbered first; its place is known when the loop closes.
        end = self._new_label()
        if first.kind == "r":
            counter, predicate = _number(first), _number(second)
            lines.append(Line("cvt", ("",) * len(FORMS["cvt"].modifiers), ("bool", type), (predicate, counter), where))
            lines.append(Jump("bra", end, predicate, True, where=where))
        else:
            counter, count = _number(second), parse_constant(str(first.value), DTYPES[type])
            if count is None:
                self.reader.fault("asm-loop-count", first.token, f"{first} is no number of iterations of type {type}")
            lines.append(Line("mov_imm", (), (type,), (counter, count), where))
            if count == 0:
                lines.append(Jump("bra", end, where=where))
        jump = Jump("loop", self._new_label(), counter, type=type, where=where)
        self.loops.append(_Loop(jump, end, token))

    def _close_loop(self) -> None:
        loop = self.loops.pop()
        self.code.lines.append(loop.jump)
        self.positions[loop.end] = (len(self.code.lines), "")
        self._end_statement()

    # The end

    def _finish(self, brace: Token) -> None:
        code, reader = self.code, self.reader
        lines = code.lines
        if not _ends(lines[-1] if lines else None) or any(line == len(lines) for line, _ in self.positions):
            if code.is_function:
                reader.fault("asm-function-end", brace, f"the function '{code.name}' does not end in 'ret'")
            lines.append(Jump("exit", where=reader.at(brace)))
        for token, label, jump in self.branches:
            if label not in self.labels:
                reader.fault(
                    "asm-label", token, f"there is no label '{label}' in '{code.name}'",
                    did_you_mean(label, self.labels),
                )  # fmt: skip
            jump.target = self.labels[label]
        self._order_labels()

    def _order_labels(self) -> None:
        """Numbers the labels by place, as the listing wants them."""
        order = sorted(range(len(self.positions)), key=lambda n: self.positions[n][0])
        self.code.labels = [self.positions[n] for n in order]
        rank = {old: new for new, old in enumerate(order)}
        for line in self.code.lines:
            if isinstance(line, Jump) and isinstance(line.target, int) and line.target >= 0:
                line.target = rank[line.target]


def _number(piece: Piece) -> int:
    assert isinstance(piece.value, int)
    return piece.value


def _ends(line: Line | Jump | None) -> bool:
    """Return whether control never goes on past a line."""
    return isinstance(line, Jump) and (line.name in ("exit", "ret") or (line.name == "bra" and line.register < 0))
