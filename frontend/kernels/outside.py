"""The surroundings of the functions of Python kernels: the names they may use, and the text they stand in."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Protocol, TypeAlias

from hologram.errors import Where, refuse_at
from hologram.frontend.kernels import model
from hologram.support.promotion import FOLDED, is_large

WORDS_OF_MATH = {"fabs": "abs", "degrees": "rad2deg", "radians": "deg2rad"}
"""What functions of `math` are in kernels, where the names differ."""
WORDS_OF_NUMPY = {
    **{n: n for n in "sign floor ceil trunc sqrt exp exp2 expm1 log log2 log10 log1p pow".split()},
    **{n: n for n in "sin cos tan atan atan2 tanh asin acos asinh acosh atanh sinh cosh cbrt hypot square".split()},
    **{n: n for n in "logaddexp logaddexp2 signbit deg2rad rad2deg".split()},
    **{f"arc{n}": f"a{n}" for n in "sin cos sinh cosh tanh".split()}, "degrees": "rad2deg", "radians": "deg2rad",
    "abs": "abs", "absolute": "abs", "fabs": "abs", "power": "pow", "arctan": "atan", "arctan2": "atan2",
    "rint": "round", "maximum": "max_nan", "minimum": "min_nan", "bool": "bool", "bool_": "bool",
    "float16": "f16", "half": "f16", "float32": "f32", "single": "f32", "float64": "f64", "double": "f64",
    **{f"{word}int{bits}": f"{word or 'i'}{bits}" for word in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
"""What functions and types of numpy are in kernels: those that mean the same."""
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "euler_gamma": 0.5772156649015329}
"""The numbers of numpy."""
MODULES = ("language", "math", "numpy")
"""The modules whose names kernels know."""


@dataclass(frozen=True)
class Name:
    """A name of the language: `f32`, `exp`, `Array`, `shared`."""

    name: str


@dataclass(frozen=True)
class Helper:
    """A function of the user's that kernels may call."""

    node: ast.FunctionDef
    source: Source
    constraints: tuple[str, ...] = ()
    """What must hold of its parameters, of an operation."""
    unread: ast.expr | None = None
    """A decorator that would have to be run, in a file that is not."""

    def check(self) -> None:
        """Raises an error if what stands there is not what the function is."""
        if self.unread is not None:
            self.source.fault(
                "python-decorated", self.unread,
                f"what '@{ast.unparse(self.unread)}' makes of '{self.node.name}' is known only where the file is run",
                "leave it out, or import the file and compile the kernel from there",
            )  # fmt: skip


@dataclass(frozen=True)
class Element:
    """A type of elements that each compilation picks."""

    name: str
    dtypes: tuple[model.Dtype, ...]
    wide: bool = False
    """Whether it is the type that sums of it are taken in."""


Found: TypeAlias = Name | Element | Helper | bool | int | float
"""What a name outside of a function may be."""


class Scope(Protocol):
    """The place where names from outside of a function are looked up."""

    def find(self, name: str) -> Found | None:
        """Return what a name means; None if it is not there, or nothing that kernels know."""
        ...

    def holds(self, name: str) -> bool:
        """Return whether there is something of a name, known or not."""
        ...

    def member(self, module: str, name: str) -> Found | None:
        """Return what a name of a module means: of the language, `math` or `numpy`."""
        ...


@dataclass
class Source:
    """The text that functions stand in."""

    file: str
    scope: Scope
    first: int = 0
    """Lines before the text in the file."""
    lines: Sequence[str] = ()

    def at(self, node: Any) -> model.At:
        """The place of a node of the tree."""
        start = self._column(node.lineno, node.col_offset)
        end = self._column(node.lineno, node.end_col_offset) if node.end_lineno == node.lineno else start + 1
        return model.At(node.lineno + self.first, start + 1, max(end - start, 1))

    def _column(self, line: int, offset: int) -> int:
        """A place in a line in characters: Python counts the bytes of UTF-8."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))

    def fault(self, code: str, node: Any, message: str, hint: str | None = None) -> NoReturn:
        """Raises an error at a node."""
        at = self.at(node)
        refuse_at(code, message, hint, Where(self.file, at.line, at.column, at.width))

    def found(self, node: ast.expr) -> Found | None:
        """Return what a name outside of the function means; `hl.f32` is one, where `hl` is the language."""
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "hologram.language":
            return Name(node.attr) if self.scope.find("hologram") == Name("hologram") else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self.scope.find(node.value.id)
            if isinstance(owner, Element):
                return replace(owner, wide=True) if node.attr == "wide" else None
            return (
                self.scope.member(owner.name, node.attr) if isinstance(owner, Name) and owner.name in MODULES else None
            )
        return self.scope.find(node.id) if isinstance(node, ast.Name) else None

    def language(self, node: ast.expr) -> str | None:
        """The name of the language that an expression is, if it is one."""
        binding = self.found(node)
        return binding.name if isinstance(binding, Name) else None


def plain_number(value: Any) -> Any:
    """A number of numpy as one of Python's; all else as it is."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value


def number_of(node: ast.expr, find: Callable[[str], Found | None]) -> bool | int | float | None:
    """The number that an expression outside of functions is: a literal, or one made of other numbers by operators."""
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name):
            binding = find(name)
            return binding if isinstance(binding, bool | int | float) else None
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            value = number_of(operand, find)
            return None if value is None else -value if isinstance(node.op, ast.USub) else +value
        case ast.BinOp(left=left, op=op, right=right):
            return computed(op, number_of(left, find), number_of(right, find))
        case _:
            return None


def computed(op: ast.operator, a: float | None, b: float | None) -> bool | int | float | None:
    """Two numbers under an operator; None if that is no number."""
    word = OPERATORS.get(type(op))
    if word is None or a is None or b is None:
        return None
    if isinstance(a, int) and isinstance(b, int) and is_large(word, a, b):
        return None
    try:
        result = FOLDED[word](a, b)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return None if isinstance(result, complex) else result


OPERATORS: dict[type[ast.operator], model.AssignOperator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
