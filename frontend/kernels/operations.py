"""Operations (`hologram.operation`) as functions that kernels call, with their constraints."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from hologram.frontend.kernels.outside import Helper, Source

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
    found: dict[str, Any] = {}
    for keyword in decorator.keywords:
        if keyword.arg not in OPTIONS:
            source.fault("python-operation", keyword, f"'operation' takes {', '.join(OPTIONS)}, not '{keyword.arg}'")
        try:
            found[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError:
            source.fault("python-operation-value", keyword, f"'{keyword.arg}' is a literal in files that are not run")
    return found


def as_operation(helper: Helper, circuit: str | None = None, constraints: Any = (), outputs: Any = None) -> Helper:
    """A function with the constraints of an operation; with a circuit, the function that this is."""
    texts = (constraints,) if isinstance(constraints, str) else tuple(constraints)
    if circuit is None:
        return replace(helper, constraints=texts)
    # Circuits need xDSL, which kernels whose code is found do without.
    from hologram.frontend.kernels.operation_circuits import of_circuit

    return of_circuit(helper, circuit, texts, outputs)
