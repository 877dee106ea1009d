"""Shape expressions of the entry record: integers over the shapes of arguments, evaluated without `eval`.

    (a[0], b[1] * 2)          a result's shape
    a[0] == b[0]              a constraint

`name[i]` is the size of axis i of a buffer, `name` alone the value of a scalar. Operators `+ - * // %`, comparisons
`== != < <= > >=`, calls `min(..)` and `max(..)`, parentheses. An expression is kept as code for a stack machine, which
runs here and, with machine integers, in the compiled launcher.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, cast

from hologram.errors import InputError
from hologram.support.digits import whole_number
from hologram.support.record import Record

Environment = Mapping[str, "tuple[int, ...] | int"]
Step = tuple[str, Any]
"""One step of the stack machine: `constant` with its value, `size` with (name, axis), `scalar` with its name, `negate`,
or an operator or call that takes two values and leaves one."""
Code = tuple[Step, ...]

TOKEN = re.compile(r"\d+|[\w$.]+|//|[=!<>]=|\S")
"""What the grammar has no use for is a token too, which the parser refuses."""
COMPARE = frozenset(("==", "!=", "<", "<=", ">", ">="))
ADD = frozenset(("+", "-"))
MULTIPLY = frozenset(("*", "//", "%"))
CALLS = frozenset(("min", "max"))
FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda left, right: left // right,
    "%": operator.mod,
    "min": min,
    "max": max,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
MAX_DEPTH = 50
MAX_NUMBER = (1 << 128) - 1


class Expression(Record):
    """A parsed expression: its text, the argument names in it, and its parts (one for a constraint, one an axis)."""

    text: str
    names: tuple[str, ...]
    parts: tuple[Code, ...]

    def evaluate(self, environment: Environment) -> tuple[int, ...]:
        """The value of each part. A division by zero raises ZeroDivisionError."""
        return tuple(_run(part, environment) for part in self.parts)


def _run(code: Code, environment: Environment) -> int:
    stack: list[Any] = []
    for step, operand in code:
        if step == "size":
            name, axis = operand
            stack.append(cast("tuple[int, ...]", environment[name])[axis])
        elif step == "constant":
            stack.append(operand)
        elif step == "scalar":
            stack.append(cast("int", environment[operand]))
        elif step == "negate":
            stack.append(-stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(int(FUNCTIONS[step](left, right)))
    return stack.pop()


def parse_shape(text: str, ranks: Mapping[str, int | None]) -> Expression:
    """Parses a tuple of sizes. `ranks` gives the rank of each buffer argument, None for a scalar."""
    parser = _Parser(text, ranks)
    parts = parser.tuple()
    return Expression(text, tuple(parser.names), parts)


def parse_constraint(text: str, ranks: Mapping[str, int | None]) -> Expression:
    """Parses a comparison; its one part is 1 where it holds and 0 where it does not."""
    parser = _Parser(text, ranks)
    part = parser.compare()
    parser.end()
    return Expression(text, tuple(parser.names), (part,))


class _Parser:
    """Recursive descent; each method gives code."""

    def __init__(self, text: str, ranks: Mapping[str, int | None]):
        self.text = text
        self.ranks = ranks
        self.names: dict[str, None] = {}
        self.position = 0
        self.depth = 0
        self.tokens: list[str] = TOKEN.findall(text)

    def fail(self, reason: str) -> NoReturn:
        """Raises: the record is the compiler's, so this is a foreign or damaged one."""
        message = f"the shape expression '{self.text}' of the entry record can't be read: {reason}"
        raise InputError("entry-expression", message, hint="compile the program again with this version")

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if (actual := self.next()) != token:
            self.fail(f"expected '{token}', found '{actual or 'the end'}'")

    def end(self) -> None:
        if self.peek():
            self.fail(f"unexpected '{self.peek()}'")

    def tuple(self) -> tuple[Code, ...]:
        self.expect("(")
        parts: list[Code] = []
        while self.peek() != ")":
            parts.append(self.binary(ADD))
            if self.peek() != ")":
                self.expect(",")
        self.expect(")")
        self.end()
        return tuple(parts)

    def compare(self) -> Code:
        left = self.binary(ADD)
        if (token := self.next()) not in COMPARE:
            self.fail(f"expected a comparison, found '{token or 'the end'}'")
        return (*left, *self.binary(ADD), (token, None))

    def binary(self, level: frozenset[str]) -> Code:
        """One level of left-associative operators."""
        tighter = self.unary if level is MULTIPLY else lambda: self.binary(MULTIPLY)
        left = tighter()
        while self.peek() in level:
            token = self.next()
            left = (*left, *tighter(), (token, None))
        return left

    def unary(self) -> Code:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("it is nested too deeply")
        try:
            if self.peek() != "-":
                return self.primary()
            self.next()
            return (*self.unary(), ("negate", None))
        finally:
            self.depth -= 1

    def primary(self) -> Code:
        token = self.next()
        if token.isdecimal():
            constant = whole_number(token, MAX_NUMBER)
            if constant is None:
                self.fail("a number in it is larger than any size")
            return (("constant", constant),)
        if token == "(":
            inner = self.binary(ADD)
            self.expect(")")
            return inner
        if token in CALLS and self.peek() == "(":
            return self.call(token)
        return self.argument(token)

    def call(self, function: str) -> Code:
        self.expect("(")
        code = self.binary(ADD)
        while self.peek() == ",":
            self.next()
            code = (*code, *self.binary(ADD), (function, None))
        self.expect(")")
        return code

    def argument(self, name: str) -> Code:
        if name not in self.ranks:
            self.fail(f"no argument is named '{name}'" if name else "it ends too early")
        rank = self.ranks[name]
        self.names[name] = None
        if rank is None:
            return (("scalar", name),)
        self.expect("[")
        token = self.next()
        axis = whole_number(token, rank - 1)
        if axis is None:
            self.fail(f"'{name}' of rank {rank} has no axis '{token}'")
        self.expect("]")
        return (("size", (name, axis)),)
