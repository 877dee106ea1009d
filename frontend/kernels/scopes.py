"""Where Python kernels find names: in the objects around a function, or in the text of a module that is not run."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import textwrap
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

from hologram.errors import InputError, Where, register_source
from hologram.frontend.kernels.imports import imported_contents, imported_file, is_of_file
from hologram.frontend.kernels.operations import read_operation
from hologram.frontend.kernels.outside import Element, Found, Helper, Name, Source

LANGUAGE = "hologram.language"


class ObjectScope:
    """The globals and the closure of a function."""

    def __init__(self, function: FunctionType):
        names = function.__code__.co_freevars
        cells = function.__closure__ or ()
        self.closure = {n: c.cell_contents for n, c in zip(names, cells, strict=True) if _is_full(c)}
        self.globals = function.__globals__

    def find(self, name: str) -> Found | None:
        """What a name means."""
        found = self.closure.get(name, self.globals.get(name, getattr(builtins, name, None)))
        if isinstance(found, bool | int | float):
            return found
        if (word := getattr(found, "hologram_word", None)) is not None:
            dtypes = getattr(found, "dtypes", None)
            return Name(word) if dtypes is None else Element(word, dtypes, getattr(found, "is_wide", False))
        if isinstance(found, ModuleType) and found.__name__ in (LANGUAGE, "math"):
            return Name(found.__name__.rpartition(".")[2])
        if isinstance(found, BuiltinFunctionType) and found.__module__ == "math":
            return Name(found.__name__)
        if (as_helper := getattr(found, "kernel_helper", None)) is not None:
            return as_helper()
        plain = getattr(found, "function", found)
        return helper(plain) if isinstance(plain, FunctionType) else None


def _is_full(cell: Any) -> bool:
    try:
        return cell.cell_contents is not _NOTHING
    except ValueError:
        return False


_NOTHING = object()


@cache
def helper(function: FunctionType) -> Helper:
    """The text of a function. Raises InputError if there is none: it was typed at a prompt, say."""
    try:
        lines, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function) or "<python>"
    except (OSError, TypeError):
        raise InputError(
            "python-source", f"the text of '{function.__name__}' can't be read",
            hint="kernels stand in files: what is typed at a prompt has no text that could be compiled",
            where=Where(function.__code__.co_filename, function.__code__.co_firstlineno),
        ) from None  # fmt: skip
    text = "".join(lines)
    flat = textwrap.dedent(text)
    source = Source(file, ObjectScope(function), first - 1, len(lines[0]) - len(lines[0].lstrip()))
    tree = ast.parse(flat).body[0]
    if not isinstance(tree, ast.FunctionDef):
        source.fault("python-function", tree, "a kernel is a function that 'def' makes")
    return Helper(tree, source)


class ModuleScope:
    """The text of a module: its functions, its numbers, what it imports of the language, and of other files of
    functions: those beside it (`from .sums import total`) and those of the library. Nothing is run."""

    def __init__(self, tree: ast.Module, file: str):
        self.source = Source(file, self)
        self.names: dict[str, Found] = {}
        self.imports: dict[str, tuple[ast.ImportFrom, str]] = {}
        """What comes from other files, which are read when it is looked for: the statement, and its name there."""
        self.replaced: list[Helper] = []
        """Functions that another one of the same name stands behind."""
        for node in tree.body:
            self._take(node)

    def find(self, name: str) -> Found | None:
        """What a name means."""
        # It is taken out meanwhile: files that import a name of each other have it nowhere.
        if (imported := self.imports.pop(name, None)) is not None:
            node, original = imported
            found = None
            try:
                found = self._module(node).find(original)
            finally:
                if found is None:
                    self.imports[name] = imported
            if found is None:
                self.source.fault("python-import", node, f"there is no function or number '{original}' in that file")
            self.names[name] = found
        return self.names.get(name)

    def _module(self, node: ast.ImportFrom) -> ModuleScope:
        """The scope of the file that an import names."""
        file = imported_file(node, self.source.file)
        try:
            data = Path(file).read_bytes()
            return _module_of(data.decode("utf-8-sig"), file, tuple(imported_contents(data, file)))
        except (OSError, UnicodeDecodeError) as error:
            is_there = not isinstance(error, FileNotFoundError)
            message = f"the file '{file}' can't be read as text" if is_there else f"there is no file '{file}'"
            self.source.fault("python-import-file", node, message)

    def _take(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                if isinstance(before := self.names.get(node.name), Helper):
                    self.replaced.append(before)
                self.names[node.name] = read_operation(Helper(node, self.source))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if self.source.language(call.func) == "Element":
                    self.names[name] = self._element(call)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as value):
                if isinstance(element := self.source.found(value), Element):
                    self.names[name] = element
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                number = _number(value, self.find)
                if number is not None:
                    self.names[name] = number
            case ast.Import(names=names):
                for alias in names:
                    if alias.name in (LANGUAGE, "math") and (alias.asname or alias.name == "math"):
                        self.names[alias.asname or alias.name] = Name(alias.name.rpartition(".")[2])
            case ast.ImportFrom():
                self._import(node)
            case _:
                pass

    def _element(self, call: ast.Call) -> Element:
        """The element type that a call makes of literals."""
        values = [a.value if isinstance(a, ast.Constant) else a for a in call.args]
        wrong = "an element type is made of its name and its types, as literals"
        if values and not call.keywords and not any(isinstance(v, ast.AST) for v in values):
            from hologram.language import wrong_element

            wrong = wrong_element(values[0], values[1:])
        if wrong is not None:
            self.source.fault("python-element", call, wrong, 'write T = Element("T", "f32", "f64")')
        return Element(cast("Any", values[0]), cast("Any", tuple(values[1:])))

    def _import(self, node: ast.ImportFrom) -> None:
        module = "" if node.level else node.module
        for alias in node.names:
            name = alias.asname or alias.name
            if module == LANGUAGE and alias.name == "*":
                from hologram import language

                self.names |= {n: Name(n) for n in language.__all__}
            elif module == LANGUAGE:
                self.names[name] = Name(alias.name)
            elif module == "hologram" and alias.name == "language":
                self.names[name] = Name("language")
            elif module == "math":
                value = getattr(math, alias.name, None)
                self.names[name] = value if isinstance(value, float) else Name(alias.name)
            elif is_of_file(node):
                self.imports[name] = node, alias.name


def _number(node: ast.expr, find: Callable[[str], Found | None]) -> bool | int | float | None:
    """The number that an expression of a module is: a literal, or one made of other numbers by operators."""
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name):
            found = find(name)
            return found if isinstance(found, bool | int | float) else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = _number(operand, find)
            return None if value is None else -value
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _number(left, find), _number(right, find)
            function = _ARITHMETIC.get(type(op))
            return None if a is None or b is None or function is None else function(a, b)
        case _:
            return None


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else None,
}


@lru_cache(maxsize=256)
def _module_of(text: str, file: str, imported: tuple[bytes, ...]) -> ModuleScope:
    """The scope of a file that others import, which is one for all of them as long as what it imports is the same."""
    return module_scope(text, file)


def module_scope(text: str, file: str) -> ModuleScope:
    """The scope of a module's text. Raises InputError if it is no Python."""
    register_source(file, text)
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        where = Where(file, error.lineno or 0, error.offset or 0)
        raise InputError("python-syntax", f"this is no Python: {error.msg}", where=where) from None
    return ModuleScope(tree, file)
