"""Python kernels find names in the objects around a function, or in the text of a module that is not run.

Which names of a body are values: those that no place reads after it may have been assigned anew.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

from hologram.errors import InputError, Where, at_text, register_source
from hologram.errors.limits import check_text
from hologram.frontend.kernels import functions, model
from hologram.frontend.kernels.imports import imported_contents, imported_file, is_of_file
from hologram.frontend.kernels.operations import read_operation
from hologram.frontend.kernels.outside import (
    CONSTANTS,
    MODULES,
    WORDS_OF_MATH,
    WORDS_OF_NUMPY,
    Element,
    Found,
    Helper,
    Name,
    Source,
    computed,
    number_of,
    plain_number,
)
from hologram.support.regular_files import read_file

LANGUAGE = "hologram.language"


class ObjectScope:
    """The globals and the closure of a function."""

    def __init__(self, function: FunctionType):
        names = function.__code__.co_freevars
        cells = function.__closure__ or ()
        self.closure = {n: c.cell_contents for n, c in zip(names, cells, strict=True) if _is_full(c)}
        self.globals = function.__globals__

    def member(self, module: str, name: str) -> Found | None:
        """Return what a name of a module means."""
        return member(module, name)

    def holds(self, name: str) -> bool:
        """Return whether there is something of a name."""
        return name in self.closure or name in self.globals or hasattr(builtins, name)

    def find(self, name: str) -> Found | None:
        """Return what a name means."""
        value = plain_number(self.closure.get(name, self.globals.get(name, getattr(builtins, name, None))))
        if isinstance(value, bool | int | float):
            return value
        if (word := getattr(value, "hologram_word", None)) is not None:
            dtypes = getattr(value, "dtypes", None)
            return Name(word) if dtypes is None else Element(word, dtypes, getattr(value, "is_wide", False))
        if isinstance(value, ModuleType) and value.__name__ in (LANGUAGE, "hologram", "math", "numpy"):
            return Name(value.__name__.rpartition(".")[2])
        if isinstance(value, BuiltinFunctionType) and value.__module__ == "math":
            return member("math", value.__name__)
        if "numpy" in (getattr(value, "__module__", ""), type(value).__module__):
            return member("numpy", getattr(value, "__name__", ""))
        if (as_helper := getattr(value, "kernel_helper", None)) is not None:
            return as_helper()
        if hasattr(value, "hologram_operation"):
            return None  # An operation of tensor functions.
        plain = getattr(value, "function", value)
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
        # The code's lines: a function that stands for another, such as functools.wraps makes, is not the other.
        lines, first = inspect.getsourcelines(function.__code__)
        file = inspect.getsourcefile(function.__code__) or "<python>"
    except (OSError, TypeError):
        raise _without_text(function) from None
    # In a block of its own the text keeps its columns, and lines of comments or texts may stand left of it.
    tree: Any = None
    with suppress(SyntaxError):
        tree = ast.parse("if 1:\n" + "".join(lines) if lines[0][:1].isspace() else "\n" + "".join(lines)).body[0]
    tree = tree.body[0] if isinstance(tree, ast.If) else tree
    if function.__code__.co_name not in ("<lambda>", getattr(tree, "name", "")):
        # The file was changed since, or is another's of that name: what Python's `-c` and exec run is in "<string>".
        raise _without_text(function)
    if not isinstance(tree, ast.FunctionDef):
        where = Where(file, first, len(lines[0]) - len(lines[0].lstrip()) + 1)
        raise InputError("python-function", "a kernel is a function that 'def' makes", where=where)
    return Helper(tree, Source(file, ObjectScope(function), first - 2, ["", *lines]))


def _without_text(function: FunctionType) -> InputError:
    return InputError(
        "python-source", f"the text of '{function.__name__}' can't be read",
        hint="kernels stand in files: what is typed at a prompt has no text that could be compiled",
        where=None if function.__code__.co_filename.startswith("<")
        else Where(function.__code__.co_filename, function.__code__.co_firstlineno),
    )  # fmt: skip


def member(module: str, name: str) -> Found | None:
    """Return what a name of a module means in kernels."""
    if module == "language":
        return Name(name)
    is_math = module == "math"
    if (own := (functions.MATH if is_math else functions.NUMPY).get(name)) is not None:
        return helper(cast("FunctionType", own))
    if is_math:
        value = getattr(math, name, None)
        return value if isinstance(value, float) else Name(WORDS_OF_MATH.get(name, name))
    word = WORDS_OF_NUMPY.get(name)
    return CONSTANTS.get(name) if word is None else Name(word)


class ModuleScope:
    """The text of a module: its functions, its numbers, what it imports of the language, and of other files of
    functions: those beside it (`from .sums import total`) and those of the library. Nothing is run."""

    def __init__(self, tree: ast.Module, file: str, lines: Sequence[str] = ()):
        self.tree = tree
        self.source = Source(file, self, lines=lines)
        self.names: dict[str, Found] = {}
        self.imports: dict[str, tuple[ast.ImportFrom, str]] = {}
        """What comes from other files, which are read when it is looked for: the statement, and its name there."""
        self.replaced: list[Helper] = []
        """Functions that another one of the same name stands behind."""
        self.unknown: set[str] = set()
        """Names of what only a run of the file would know."""
        for node in tree.body:
            self._take(node)

    def member(self, module: str, name: str) -> Found | None:
        """Return what a name of a module means."""
        return member(module, name)

    def holds(self, name: str) -> bool:
        """Return whether there is something of a name."""
        return name in self.names or name in self.imports or name in self.unknown or hasattr(builtins, name)

    def find(self, name: str) -> Found | None:
        """Return what a name means."""
        # It is taken out meanwhile: files that import a name of each other have it nowhere.
        if (imported := self.imports.pop(name, None)) is not None:
            node, original = imported
            binding = None
            try:
                binding = self._module(node).find(original)
            finally:
                if binding is None:
                    self.imports[name] = imported
            if binding is None:
                self.source.fault("python-import", node, f"there is no function or number '{original}' in that file")
            self.names[name] = binding
        return self.names.get(name)

    def _set(self, name: str, binding: Found | None) -> None:
        """Gives a name what it means from here on; None is what only a run would know."""
        self.imports.pop(name, None)
        self.unknown.discard(name)
        self.names.pop(name, None)
        if binding is None:
            self.unknown.add(name)
        else:
            self.names[name] = binding

    def _module(self, node: ast.ImportFrom) -> ModuleScope:
        """The scope of the file that an import names."""
        file = imported_file(node, self.source.file)
        try:
            data = read_file(file)
            return _module_of(data.decode("utf-8-sig"), file, tuple(imported_contents(data, file)))
        except (OSError, UnicodeDecodeError) as error:
            is_there = not isinstance(error, FileNotFoundError)
            message = f"the file '{file}' can't be read as text" if is_there else f"there is no file '{file}'"
            self.source.fault("python-import-file", node, message)

    def _take(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                helper = Helper(node, self.source, unread=next(filter(_is_unread, node.decorator_list), None))
                if isinstance(before := self.names.get(node.name), Helper):
                    self.replaced.append(before)
                self._set(node.name, read_operation(helper))
            case ast.Assign(targets=targets, value=value) if all(isinstance(t, ast.Name) for t in targets):
                for target in targets:
                    self._set(cast("ast.Name", target).id, self._value(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._set(name, self._value(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                known = number_of(ast.Name(name), self.find)
                self._set(name, computed(op, known, number_of(value, self.find)))
            case ast.Import(names=names):
                for alias in names:
                    known = alias.name in (LANGUAGE, "hologram", "math", "numpy") and (
                        alias.asname or "." not in alias.name
                    )
                    name = alias.asname or alias.name.partition(".")[0]
                    self._set(name, Name(alias.name.rpartition(".")[2]) if known else None)
            case ast.ImportFrom():
                self._import(node)
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                pass  # That is for those who run the file.
            case _:
                for name in _stored(node):
                    self._set(name, None)

    def _value(self, node: ast.expr) -> Found | None:
        """Return what an expression outside of functions is, as far as kernels know it."""
        if isinstance(node, ast.Call):
            return self._element(node) if self.source.language(node.func) == "Element" else None
        if isinstance(node, ast.Attribute):
            element = self.source.found(node)
            return element if isinstance(element, Element) else None
        return number_of(node, self.find)

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

                for word in language.__all__:
                    self._set(word, Name(word))
            elif module == "hologram" and alias.name == "language":
                self._set(name, Name("language"))
            elif (known := (module or "").rpartition(".")[2]) in MODULES and module in (LANGUAGE, known):
                self._set(name, member(known, alias.name))
            else:
                self._set(name, None)
                if is_of_file(node):
                    self.imports[name] = node, alias.name


_READ = ("kernel", "operation", "jit")
"""The decorators whose meaning is known without a run."""


def _is_unread(decorator: ast.expr) -> bool:
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(name, "attr", getattr(name, "id", "")) not in _READ


def _stored(node: ast.stmt) -> Iterator[str]:
    """The names that a statement may give another meaning, without those inside of functions and classes."""
    waiting: list[ast.AST] = [node]
    while waiting:
        inner = waiting.pop()
        match inner:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias():
                yield inner.asname or inner.name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case _:
                pass
        waiting += ast.iter_child_nodes(inner)


@lru_cache(maxsize=256)
def _module_of(text: str, file: str, imported: tuple[bytes, ...]) -> ModuleScope:
    """The scope of a file that others import, which is one for all of them as long as what it imports is the same."""
    return module_scope(text, file)


def module_scope(text: str, file: str) -> ModuleScope:
    """The scope of a module's text. Raises InputError if it is no Python."""
    register_source(file, text)
    check_text(text, file, brackets=False)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        where = at_text(Where(file, getattr(error, "lineno", 0) or 0, getattr(error, "offset", 0) or 0), text)
        raise InputError("python-syntax", f"this is no Python: {getattr(error, 'msg', error)}", where=where) from None
    except (RecursionError, MemoryError):
        raise InputError("python-depth", "the file nests too deep for Python", where=Where(file)) from None
    return ModuleScope(tree, file, text.split("\n"))


_Branch = tuple[int, ...]
"""Where a statement stands: the numbers of the bodies around it, the outermost first."""


def changing(params: Sequence[model.Parameter], body: Sequence[model.Statement]) -> set[str]:
    """The names that are variables: assigned again where they have a value, or read outside of the body of a statement
    that assigned them. All others hold one value wherever they are read, which stands before in the same bodies."""
    names = _Names()
    for parameter in params:
        names.assign(parameter.name, ())
    names.statements(body, ())
    return names.found


def assigned(body: Sequence[model.Statement]) -> set[str]:
    """The names that a body assigns."""
    names = _Names()
    names.statements(body, ())
    return set(names.places)


class _Names:
    """Goes through a body in the order of its text."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.places: dict[str, list[_Branch]] = {}
        """Where each name is assigned, the last place last."""
        self.bodies = 0

    def assign(self, name: str, path: _Branch) -> None:
        places = self.places.setdefault(name, [])
        if any(path[: len(p)] == p for p in places):
            self.found.add(name)
        places.append(path)

    def read(self, name: str, path: _Branch) -> None:
        last = self.places.get(name, [None])[-1]
        if last is None or path[: len(last)] != last:
            self.found.add(name)

    def statements(self, body: Sequence[model.Statement], path: _Branch) -> None:
        for statement in body:
            self._statement(statement, path)

    def _inside(self, path: _Branch) -> _Branch:
        self.bodies += 1
        return (*path, self.bodies)

    def _statement(self, s: model.Statement, path: _Branch) -> None:
        match s:
            case model.Let():
                self.expression(s.value, path)
                self.assign(s.name, path)
            case model.Assign(target=model.Var(name=name)):
                self.expression(s.value, path)
                self.assign(name, path)
                self.found.add(name)
            case model.If():
                self.expression(s.condition, path)
                self.statements(s.then, self._inside(path))
                self.statements(s.otherwise, self._inside(path))
            case model.For():
                for bound in (s.start, s.stop, s.step):
                    self.expression(bound, path)
                inside = self._inside(path)
                self.assign(s.variable, inside)
                self.statements(s.body, inside)
            case model.While():
                self.expression(s.condition, path)
                self.statements(s.body, self._inside(path))
            case _:
                self.expression(s, path)

    def expression(self, value: Any, path: _Branch) -> None:
        """Reads the names in a part of a document that holds expressions alone."""
        if isinstance(value, model.Var):
            self.read(value.name, path)
        elif isinstance(value, tuple | list):
            for part in cast("Sequence[Any]", value):
                self.expression(part, path)
        elif is_dataclass(value) and not isinstance(value, model.At):
            for field in fields(value):
                self.expression(getattr(value, field.name), path)
