"""Operations (`hologram.operation`) as functions that kernels call, with their constraints.

Operations that are circuits, as functions that kernels call.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hologram.dialects.sigil.syntax import VARIANTS
from hologram.dialects.sigil.tiles import MOVES
from hologram.frontend.circuits.steps import ClassProgram, ClassStep, class_program
from hologram.frontend.kernels.outside import Found, Helper, Name, Scope, Source

OPTIONS = ("circuit", "constraints", "outputs")


def read_operation(helper: Helper) -> Helper:
    """A function of a file that is not run, as what its decorator makes of it."""
    for decorator in helper.node.decorator_list:
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", getattr(decorator.func, "id", "")) == (
            "operation"
        ):
            return as_operation(helper, **_options(decorator, helper.source))
    return helper


def _options(decorator: ast.Call, source: Source) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for keyword in decorator.keywords:
        if keyword.arg not in OPTIONS:
            source.fault("python-operation", keyword, f"'operation' takes {', '.join(OPTIONS)}, not '{keyword.arg}'")
        try:
            options[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError:
            source.fault("python-operation-value", keyword, f"'{keyword.arg}' is a literal in files that are not run")
    return options


def as_operation(helper: Helper, circuit: str | None = None, constraints: Any = (), outputs: Any = None) -> Helper:
    """A function with the constraints of an operation; with a circuit, the function that this is."""
    texts = (constraints,) if isinstance(constraints, str) else tuple(constraints)
    if circuit is None:
        return replace(helper, constraints=texts)
    # Circuits need xDSL, which kernels whose code is found do without.

    return of_circuit(helper, circuit, texts, outputs)


def of_circuit(
    helper: Helper, circuit: str, constraints: tuple[str, ...], outputs: int | Sequence[int] | None
) -> Helper:
    """The function that a circuit is, of the parameters of another."""
    node, source = helper.node, helper.source
    numbers = None if outputs is None else [outputs] if isinstance(outputs, int) else list(outputs)
    program = class_program(circuit, len(node.args.args), numbers, f"<circuit of {node.name}>")
    if len(program.outputs) > 1:
        source.fault(
            "python-operation-results", node, f"'{node.name}' has {len(program.outputs)} results, and kernels take one",
            "in tensor functions it may have several",
        )  # fmt: skip
    within = replace(source, scope=_Language(source.scope))
    return replace(helper, node=_function(node, program), source=within, constraints=constraints)


class _Language:
    """The scope of a circuit: the functions of its variants, and behind them what stands around it."""

    def __init__(self, around: Scope):
        self.around = around

    def find(self, name: str) -> Found | None:
        """Return what a name means."""
        return Name(name) if name in _FUNCTIONS else self.around.find(name)

    def holds(self, name: str) -> bool:
        """Return whether there is something of a name."""
        return name in _FUNCTIONS or self.around.holds(name)

    def member(self, module: str, name: str) -> Found | None:
        """Return what a name of a module means."""
        return self.around.member(module, name)


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_FUNCTIONS = {variant for variants in VARIANTS.values() for variant in variants} - _OPERATORS.keys()


def _function(node: ast.FunctionDef, program: ClassProgram) -> ast.FunctionDef:
    """The function that a circuit is, of the parameters of another, whose place it has."""
    names = {number: argument.arg for number, argument in enumerate(node.args.args)}
    lines = [f"def {node.name}({', '.join(names.values())}):"]
    for number, step in enumerate(program.steps):
        lines += [f"    {line}" for line in _lines(step, names, number)]
    lines.append(f"    return {names[program.outputs[0]]}")
    (function,) = ast.parse("\n".join(lines)).body
    assert isinstance(function, ast.FunctionDef)
    for inner in ast.walk(function):
        if hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return function


def _lines(step: ClassStep, names: dict[int, str], number: int) -> list[str]:
    """Assignments of a step. Each gives its class a new name, for a variable keeps its type and a class need not."""
    given = [names[c] for c in step.ins]
    names |= {c: f"c{c}_{number}" for c in step.outs}
    new = [names[c] for c in step.outs]
    if step.instruction in MOVES:
        return [f"{target} = {source}" for target, source in zip(new, given, strict=True)]
    if step.instruction in _OPERATORS:
        return [f"{new[0]} = {given[0]} {_OPERATORS[step.instruction]} {given[1]}"]
    return [f"{new[0]} = {step.instruction}({', '.join(given)})"]
