"""The parameters of Python kernels, and of the functions that they call."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from hologram.errors import did_you_mean
from hologram.frontend.kernels import advice, model
from hologram.frontend.kernels.outside import Helper, Source, number_of
from hologram.language import WORDS


class Reader(Protocol):
    """A reader that knows the types of numbers."""

    def dtype(self, node: ast.expr, source: Source) -> model.Element | None: ...


@dataclass
class Signature:
    """Reads the parameters of a function."""

    reader: Reader
    source: Source

    def parameters(self, function: ast.FunctionDef, typed: bool) -> Iterable[model.Parameter]:
        """The parameters of a function; those of a kernel have types."""
        arguments = function.args
        odd = [a for a in (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.posonlyargs) if a]
        if odd:
            hint = "give each argument a parameter of its own, without * and /"
            self.source.fault("python-parameter-kind", odd[0], "kernels have plain parameters alone", hint)
        plain = arguments.args
        defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
        for argument, default in zip(plain, defaults, strict=True):
            type = None if argument.annotation is None else self.type(argument.annotation)
            if type is None and typed:
                is_self = argument.arg == "self" and argument is plain[0]
                self.source.fault(
                    "python-parameter-type", argument, f"parameter '{argument.arg}' has no type",
                    "a kernel is no method: define it outside of the class"
                    if is_self
                    else "write one, such as Array[f32] or u32",
                )  # fmt: skip
            if default is not None and typed:
                type = self._default(type, default)
            elif default is not None and number_of(default, self.source.scope.find) is None:
                hint = "give it in each call"
                self.source.fault("python-function-default", default, "defaults of functions are numbers", hint)
            yield model.Parameter(argument.arg, type, self.source.at(argument))

    def _default(self, type: model.Type | None, default: ast.expr) -> model.Type:
        value = number_of(default, self.source.scope.find)
        if not isinstance(type, model.Constant) or value is None:
            hint = "give it in each call, or make it a Constant, as in n: Constant = 4"
            self.source.fault(
                "python-default", default, "only constants of kernels have defaults, which are numbers", hint
            )
        return model.Constant(value)

    def result(self, function: ast.FunctionDef, is_kernel: bool) -> model.Element | None:
        """The type that a function says it returns."""
        annotation = function.returns
        if annotation is None or (isinstance(annotation, ast.Constant) and annotation.value is None):
            return None
        if is_kernel:
            self.source.fault("python-returns", annotation, "a kernel gives no value back", "store it in an array")
        if (dtype := self.reader.dtype(annotation, self.source)) is None:
            self.need_import(annotation)
            self.source.fault(
                "python-result", annotation, f"'{ast.unparse(annotation)}' is no type that functions return",
                "they return numbers, of a type such as f32",
            )  # fmt: skip
        return dtype

    def type(self, annotation: ast.expr) -> model.Type:
        """The type that an annotation names."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                inner = ast.parse(annotation.value, mode="eval").body
            except (SyntaxError, ValueError):
                self.source.fault("python-annotation-text", annotation, f"'{annotation.value}' is no expression")
            for node in ast.walk(inner):
                ast.copy_location(node, annotation)
            return self.type(inner)
        if isinstance(annotation, ast.Subscript):
            return self._generic(annotation)
        if (dtype := self.reader.dtype(annotation, self.source)) is not None:
            return model.Scalar(dtype)
        if self.source.language(annotation) == "Constant":
            return model.Constant()
        self.need_import(annotation)
        text = ast.unparse(annotation)
        self.source.fault(
            "python-annotation", annotation, f"'{text}' is no type of kernels", advice.annotation(annotation)
        )

    def need_import(self, node: ast.expr) -> None:
        """Refuses the names of the language in an expression that nothing of the file means."""
        names = dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in WORDS)
        missing = [name for name in names if not self.source.scope.holds(name)]
        if missing:
            message = f"'{missing[0]}' is a name of hologram.language, and is not imported"
            hint = f"write from hologram.language import {', '.join(missing)}"
            self.source.fault("python-not-imported", node, message, hint)

    def _generic(self, annotation: ast.Subscript) -> model.Type:
        name = self.source.language(annotation.value)
        inner = annotation.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        dtype = self.reader.dtype(parts[0], self.source)
        rank = number_of(parts[1], self.source.scope.find) if len(parts) > 1 else 1
        fits = isinstance(rank, int) and not isinstance(rank, bool) and 1 <= rank <= model.LARGEST_RANK
        if name in ("Array", "StridedArray") and dtype is not None and fits and len(parts) <= 2:
            return model.DeviceArray(dtype, int(rank or 1), name == "StridedArray")
        if name == "Pointer" and dtype is not None and len(parts) == 1:
            return model.Pointer(dtype)
        if name == "Constant" and len(parts) == 1:
            return model.Constant()
        self.need_import(annotation)
        self.source.fault(
            "python-generic", annotation, f"'{ast.unparse(annotation)}' is no type of kernels",
            "write Array[f32], Array[f32, 2], StridedArray[f32, 2], Pointer[f32] or Constant",
        )  # fmt: skip


def arguments_of(node: ast.Call, helper: Helper, source: Source) -> list[ast.expr]:
    """The arguments of a call of a user's function in the order of its parameters, with defaults as literals."""
    name, parameters = helper.node.name, helper.node.args.args
    names = [a.arg for a in parameters]
    for argument in (*node.args, *node.keywords):
        if isinstance(argument, ast.Starred) or (isinstance(argument, ast.keyword) and argument.arg is None):
            hint = "write all of them"
            source.fault("python-call-star", node, "calls in kernels have plain arguments, without * and **", hint)
    given = dict(zip(names, node.args, strict=False))
    for keyword in node.keywords:
        word = keyword.arg or ""
        if word not in names or word in given:
            message = f"'{name}' is given '{word}' twice" if word in given else f"'{name}' has no parameter '{word}'"
            hint = did_you_mean(word, names) or f"its parameters are {', '.join(names) or 'none'}"
            source.fault("python-call-keyword", keyword, message, hint)
        given[word] = keyword.value
    for parameter, default in zip(reversed(parameters), reversed(helper.node.args.defaults), strict=False):
        number = number_of(default, helper.source.scope.find)
        if number is not None:
            given.setdefault(parameter.arg, ast.copy_location(ast.Constant(number), node))
    missing = [n for n in names if n not in given]
    if missing and not node.keywords:
        return node.args  # Whoever counts them says how many there are.
    if missing:
        source.fault("python-call-missing", node, f"'{name}' is given no '{missing[0]}'", "it has no default")
    return [*(given[n] for n in names), *node.args[len(names) :]]
