"""Shape expressions of the entry record: integers over the shapes of arguments, evaluated without `eval`.

    (a[0], b[1] * 2)          a result's shape
    a[0] == b[0]              a constraint

`name[i]` is the size of axis i of a buffer, `name` alone the value of a scalar. Operators `+ - * // %`, comparisons
`== != < <= > >=`, calls `min(..)` and `max(..)`, parentheses.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from hologram.errors import InputError

Environment = Mapping[str, "tuple[int, ...] | int"]
Evaluate = Callable[[Environment], int]

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_$.][\w$.]*)|(//|==|!=|<=|>=|[-+*%(),\[\]<>]))")
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ADD: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub}
MULTIPLY: dict[str, Callable[[int, int], int]] = {"*": operator.mul, "//": lambda a, b: a // b, "%": operator.mod}
CALLS: dict[str, Callable[..., int]] = {"min": min, "max": max}
MAX_DEPTH = 50


@dataclass(frozen=True)
class Expression:
    """A parsed expression: its text, the argument names in it, and its parts (one for a constraint, one an axis)."""

    text: str
    names: tuple[str, ...]
    parts: tuple[Evaluate, ...]

    def evaluate(self, environment: Environment) -> tuple[int, ...]:
        """The value of each part. A division by zero raises ZeroDivisionError."""
        return tuple(part(environment) for part in self.parts)


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
    """Recursive descent; each method gives a function of the environment."""

    def __init__(self, text: str, ranks: Mapping[str, int | None]):
        self.text = text
        self.ranks = ranks
        self.names: dict[str, None] = {}
        self.position = 0
        self.depth = 0
        self.tokens = self._tokenize()

    def _tokenize(self) -> list[str]:
        tokens: list[str] = []
        position, text = 0, self.text.rstrip()
        while position < len(text):
            if (match := TOKEN.match(text, position)) is None:
                self.fail(f"unexpected '{text[position:].strip()[:1]}'")
            tokens.append(match.group().strip())
            position = match.end()
        return tokens

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
        if (found := self.next()) != token:
            self.fail(f"expected '{token}', found '{found or 'the end'}'")

    def end(self) -> None:
        if self.peek():
            self.fail(f"unexpected '{self.peek()}'")

    def tuple(self) -> tuple[Evaluate, ...]:
        self.expect("(")
        parts: list[Evaluate] = []
        while self.peek() != ")":
            parts.append(self.binary(ADD))
            if self.peek() != ")":
                self.expect(",")
        self.expect(")")
        self.end()
        return tuple(parts)

    def compare(self) -> Evaluate:
        left = self.binary(ADD)
        function = COMPARE.get(token := self.next())
        if function is None:
            self.fail(f"expected a comparison, found '{token or 'the end'}'")
        right = self.binary(ADD)
        return lambda env: int(function(left(env), right(env)))

    def binary(self, level: dict[str, Callable[[int, int], int]]) -> Evaluate:
        """One level of left-associative operators."""
        tighter = self.unary if level is MULTIPLY else lambda: self.binary(MULTIPLY)
        left = tighter()
        while (function := level.get(self.peek())) is not None:
            self.next()
            left = _apply(function, left, tighter())
        return left

    def unary(self) -> Evaluate:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("it is nested too deeply")
        try:
            if self.peek() != "-":
                return self.primary()
            self.next()
            inner = self.unary()
            return lambda env: -inner(env)
        finally:
            self.depth -= 1

    def primary(self) -> Evaluate:
        token = self.next()
        if token.isdecimal():
            value = int(token)
            return lambda env: value
        if token == "(":
            inner = self.binary(ADD)
            self.expect(")")
            return inner
        if token in CALLS and self.peek() == "(":
            return self.call(CALLS[token])
        return self.argument(token)

    def call(self, function: Callable[..., int]) -> Evaluate:
        self.expect("(")
        values = [self.binary(ADD)]
        while self.peek() == ",":
            self.next()
            values.append(self.binary(ADD))
        self.expect(")")
        return lambda env: function([value(env) for value in values])

    def argument(self, name: str) -> Evaluate:
        if name not in self.ranks:
            self.fail(f"no argument is named '{name}'" if name else "it ends too early")
        rank = self.ranks[name]
        self.names[name] = None
        if rank is None:
            return lambda env: cast("int", env[name])
        self.expect("[")
        token = self.next()
        if not token.isdecimal() or int(token) >= rank:
            self.fail(f"'{name}' of rank {rank} has no axis '{token}'")
        axis = int(token)
        self.expect("]")
        return lambda env: cast("tuple[int, ...]", env[name])[axis]


def _apply(function: Callable[[int, int], int], left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda env: function(left(env), right(env))
