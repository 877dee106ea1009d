"""What stands outside of the functions of Python kernels: the names they may use, and the text they stand in."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Protocol, TypeAlias

from hologram.errors import Where, refuse_at
from hologram.frontend.kernels import model

MODULES = ("language", "math")
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
    """Where the names of a function outside of it are found."""

    def find(self, name: str) -> Found | None:
        """What a name means; None if it is not there, or nothing that kernels know."""
        ...


@dataclass
class Source:
    """The text that functions stand in."""

    file: str
    scope: Scope
    first: int = 0
    """Lines before the text in the file, and columns before its lines."""
    indent: int = 0

    def at(self, node: Any) -> model.At:
        """The place of a node of the tree."""
        end = node.end_col_offset if node.end_lineno == node.lineno else node.col_offset + 1
        return model.At(node.lineno + self.first, node.col_offset + self.indent + 1, max(end - node.col_offset, 1))

    def fault(self, code: str, node: Any, message: str, hint: str | None = None) -> NoReturn:
        """Raises an error at a node."""
        at = self.at(node)
        refuse_at(code, message, hint, Where(self.file, at.line, at.column, at.width))

    def found(self, node: ast.expr) -> Found | None:
        """What a name outside of the function means; `hl.f32` is one, where `hl` is the language."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self.scope.find(node.value.id)
            if isinstance(owner, Element):
                return replace(owner, wide=True) if node.attr == "wide" else None
            return Name(node.attr) if isinstance(owner, Name) and owner.name in MODULES else None
        return self.scope.find(node.id) if isinstance(node, ast.Name) else None

    def language(self, node: ast.expr) -> str | None:
        """The name of the language that an expression is, if it is one."""
        found = self.found(node)
        return found.name if isinstance(found, Name) else None
