"""The example of each array-level operation as a module, from its documentation: for the pages and the tests."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any

_GROUP = re.compile(r"\b(?:ins|outs|finish_ins)\(([^:()]*) : ([^()]*)\)", re.DOTALL)


def example(op: Any) -> str:
    """The lines of an operation's example."""
    return textwrap.dedent((inspect.getdoc(op) or "").partition("Example::")[2]).strip()


def example_function(op: Any) -> str:
    """A function that is the example of an array-level operation on memrefs, named as the operation."""
    lines = example(op)
    arguments: dict[str, str] = {}
    for names, types in _GROUP.findall(lines):
        shown = [t.strip() for t in re.split(r",(?![^<]*>)", types)]
        arguments |= dict(zip((n.strip() for n in names.split(",")), shown, strict=True))
    header = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    name = op.name.removeprefix("atlas.")
    return f"func.func @{name}({header}) {{\n{textwrap.indent(lines, '  ')}\n  func.return\n}}\n"


def array_operations() -> list[Any]:
    """Every array-level operation of the atlas dialect."""
    from hologram.dialects.atlas.arrays.form import array_form
    from hologram.dialects.atlas.dialect import Atlas

    return [op for op in Atlas.operations if array_form(op) is not None]


def machine_module(text: str) -> Any:
    """The module of a text, its functions as array-level programs."""
    from hologram.dialects import make_context
    from hologram.frontend.mlir import parse_module
    from hologram.lowering.machine.assign_registers import AssignRegistersPass

    context = make_context()
    module = parse_module(text, "example.mlir", context)
    AssignRegistersPass().apply(context, module)
    return module


def assembly(op: Any) -> str:
    """The example of an array-level operation as assembly."""
    from hologram import isa

    return isa.disassemble(machine_module(example_function(op)))
