"""`hologram-run --device interpreter`: outputs that may be omitted are made here, as the runtime makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ContainerType, FunctionType

from hologram.dialects import marks
from hologram.errors import InputError
from hologram.interpreter import interpret
from hologram.lowering.rewriting import entry_record
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument, Entry, parse_entries
from hologram.runtime.launch import checks
from hologram.tools.run.values import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute


def run_module(module: ModuleOp, entry: str | None, args: Sequence[Any]) -> list[Result]:
    """Runs an entry and gives its results by name; without any, the arrays, which it may have changed."""
    function = _function(module, entry)
    if function is None or not _makes_results(function):
        results = interpret(module, entry, args)
        signature = FunctionType.from_lists([], []) if function is None else function.function_type
        given, outputs = ([_wide(t) for t in listed.data] for listed in (signature.inputs, signature.outputs))
        named = [
            Result(f"result{i}" if len(results) > 1 else "result", value, type)
            for i, (value, type) in enumerate(zip(results, outputs, strict=True))
        ]
        changed = [(i, v, t) for i, (v, t) in enumerate(zip(args, given, strict=False)) if hasattr(v, "shape")]
        return named or [Result(f"arg{i}", value, type) for i, value, type in changed]
    record = entry_record.record(function, entry_record.arguments_of(function))
    (described,) = parse_entries(f"[{record}]")
    values = _with_results(described, args)
    interpret(module, entry, values)
    pairs = zip(described.arguments, values, strict=True)
    return [Result(a.name, value, a.dtype) for a, value in pairs if a.result is not None]


def _wide(type: Attribute) -> str:
    """The name of a type's elements, if they are integers of limbs."""
    return entry_record.WIDE.get(type.get_element_type() if isinstance(type, ContainerType) else type, "")  # pyright: ignore


def _function(module: ModuleOp, entry: str | None) -> func.FuncOp | None:
    """The function to run; None where the interpreter is to say what is wrong."""
    public = [op for op in module.body.ops if isinstance(op, func.FuncOp) and entry_record.is_entry(op)]
    wanted = entry or (public[0].sym_name.data if len(public) == 1 else "main")
    return next((f for f in public if f.sym_name.data == wanted), None)


def _makes_results(function: func.FuncOp) -> bool:
    return function.arg_attrs is not None and any(marks.RESULT in a.data for a in function.arg_attrs.data)


def _with_results(entry: Entry, args: Sequence[Any]) -> list[Any]:
    """The arguments, with new arrays for the outputs if those were omitted."""
    given = [a for a in entry.arguments if a.result is None]
    if len(args) != len(given):
        return list(args)
    named = {a.name: _size(a, value) for a, value in zip(given, args, strict=True)}
    rest = iter(args)
    return [_new(entry, i, named) if a.result is not None else next(rest) for i, a in enumerate(entry.arguments)]


def _size(argument: Argument, value: Any) -> Any:
    """Return what expressions may refer to: an array's shape without limbs, or the number."""
    if not hasattr(value, "shape"):
        return value
    return value.shape[:-1] if dtypes.dtype(argument.dtype).limbs else value.shape


def _new(entry: Entry, number: int, named: dict[str, Any]) -> NDArray[Any]:
    argument, expression = entry.arguments[number], entry.result_shapes[number]
    shape: tuple[int, ...] | None = None
    try:
        element, shape = dtypes.dtype(argument.dtype), expression.evaluate(named)
        return np.zeros((*shape, element.limbs), np.uint64) if element.limbs else np.zeros(shape, element.numpy)
    except (ArithmeticError, ValueError, MemoryError, LookupError, TypeError) as error:
        why = str(error) if shape is None else checks.no_room(argument, shape)
        message = f"the output '{argument.name}' of shape '{expression.text}' can't be made: {why}"
        raise InputError("run-interpreter-output", message, hint=f"the signature is {entry.signature}") from None
