"""Calls in kernels: the functions of the language, casts, and functions of the document."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import UnitAttr

from hologram.dialects.atlas.instructions.composites import COMPOSITES
from hologram.dialects.atlas.instructions.composites import ROWS as COMPOSITION_ROWS
from hologram.dialects.atlas.instructions.declaration import from_outside
from hologram.dialects.atlas.instructions.instruction import CONTRACT, Instruction
from hologram.dialects.atlas.instructions.scalar import MadOp
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS, ROWS
from hologram.dialects.atlas.instructions.types import DTYPES, DType, Space
from hologram.dialects.atlas.lanes.atomics import ATOMICS
from hologram.dialects.atlas.lanes.control import BarSyncOp
from hologram.dialects.atlas.lanes.memory import space_of
from hologram.dialects.atlas.lanes.programs import AXES, SpecialOp
from hologram.dialects.hologram import kernels as form
from hologram.errors import did_you_mean
from hologram.frontend.kernels import advice, model
from hologram.frontend.kernels.building import Builder, Memory, composed
from hologram.frontend.kernels.values import BOOL, F32, I64, Operand, Typed, alone, promoted
from hologram.plugins import discover
from hologram.plugins.tables import Row

Built = Callable[[Builder, model.Call], "Operand | None"]
TYPES = tuple(t for t in model.Dtype.__args__)  # pyright: ignore[reportAttributeAccessIssue]
"""The types that casts name."""
MATH = {i.word: i for i in (*ROWS, *COMPOSITION_ROWS) if i.word}
"""The functions of numbers by their words."""


def _from_outside(instruction: Instruction, row: Row) -> None:
    if instruction.word:
        MATH[instruction.word] = instruction


from_outside(_from_outside)
ATOMIC = {f"atomic_{cls.name.rpartition('.')[2]}": cls for cls in ATOMICS}
_REGISTERS = {
    "lane_id": "lane", "block_id": "block", "block_size": "lanes", "grid_size": "grid",
    "get_local_id": "lane", "get_group_id": "block", "get_local_size": "lanes", "get_num_groups": "grid",
}  # fmt: skip


def call(on: Builder, e: model.Call) -> Operand | None:
    """Builds a call; its value, if it has one."""
    if e.function in on.program.functions:
        return _own(on, e)
    if e.function in TYPES:
        (argument,) = _arguments(on, e, 1)
        value, dtype = on.of(argument), DTYPES[e.function]
        # Integers are cut off of literals as of other floats.
        whole = isinstance(value, float) and math.isfinite(value) and not dtype.is_float and dtype is not BOOL
        return on.cast(int(value) if whole else value, dtype, e.at)  # pyright: ignore[reportArgumentType]
    if _is_math(e.function):
        return _math(on, e)
    if e.function in ATOMIC:
        return _atomic(on, e)
    if e.function in _REGISTERS:
        return _special(on, f"{_REGISTERS[e.function]}.{AXES[_axis(on, e)]}", "u32", e)
    if e.function in _FORMS:
        return _FORMS[e.function](on, e)
    known = [*on.program.functions, *TYPES, *MATH, *ATOMIC, *_REGISTERS, *_FORMS, "len", "int", "float", "range"]
    return on.fault(
        "kernel-function",
        e.at,
        f"there is no function '{e.function}' in kernels",
        advice.word(e.function) or did_you_mean(e.function, known),
    )


def is_pure(function: str) -> bool:
    """Return whether a function of the language only computes something."""
    known = function in TYPES or function in _REGISTERS or function in _FORMS.keys() - {"barrier"}
    return known or _is_math(function)


def _is_math(function: str) -> bool:
    """Return whether it is a function of numbers, of an installed plug-in too."""
    is_ours = function in TYPES or function in ATOMIC or function in _REGISTERS or function in _FORMS
    if function not in MATH and not is_ours:
        discover()
    return function in MATH


def _arguments(on: Builder, e: model.Call, *counts: int) -> Sequence[model.Expression]:
    if len(e.arguments) not in counts:
        wanted = " or ".join(map(str, counts)) + (" argument" if counts[-1] == 1 else " arguments")
        on.fault("kernel-call-count", e.at, f"'{e.function}' takes {wanted}, and is given {len(e.arguments)}")
    return e.arguments


# Numbers


def _math(on: Builder, e: model.Call) -> Typed:
    declared = MATH[e.function]
    dtype, values = _operands(on, e, declared)
    if declared.name in COMPOSITES:
        return composed(on, declared, dtype, values, e.at)
    return on.instruction(declared.name, dtype, values, e.at)


def _muladd(on: Builder, e: model.Call) -> Typed:
    """a * b + c, rounded once or twice as is faster."""
    dtype, values = _operands(on, e, INSTRUCTIONS["mad"])
    op = MadOp(dtype, *(v.value for v in values))
    if dtype.is_float:
        op.attributes[CONTRACT] = UnitAttr()
    return Typed(on.emit(op, e.at), dtype)


def _operands(on: Builder, e: model.Call, instruction: Instruction) -> tuple[DType, list[Typed]]:
    """The operands of an instruction, in the type that they are brought to; predicates are bool."""
    given = [on.of(a) for a in _arguments(on, e, len(instruction.operands))]
    kinds = instruction.operands.values()
    values = [v for v, kind in zip(given, kinds, strict=True) if kind == "T"]
    dtype: DType | None = None
    for value in values:
        if isinstance(value, Typed):
            dtype = value.dtype if dtype is None else promoted(dtype, value.dtype)
            if dtype is None:
                on.fault("kernel-call-types", e.at, f"the arguments of '{e.function}' have no common type")
    if dtype is None:
        dtype = F32 if any(isinstance(v, float) for v in values) else alone(values[0])  # pyright: ignore[reportArgumentType]
    if any(isinstance(v, float) for v in values) and not dtype.is_float:
        dtype = F32
    if dtype is BOOL and "bool" not in instruction.types and "i64" in instruction.types:
        dtype = I64
    if not dtype.is_float and dtype.name not in instruction.types and "f32" in instruction.types:
        dtype = F32
    return dtype, [on.cast(v, t, e.at) for v, t in zip(given, instruction.operand_types(dtype), strict=True)]


# Lanes


def _axis(on: Builder, e: model.Call) -> int:
    if not _arguments(on, e, 0, 1):
        return 0
    axis = on.of(e.arguments[0])
    if isinstance(axis, Typed) or axis not in (0, 1, 2):
        on.fault("kernel-axis", e.at, "an axis is 0, 1 or 2", "write it as a number")
    return int(axis)  # pyright: ignore[reportArgumentType]


def _special(on: Builder, register: str, dtype: str, e: model.Call) -> Typed:
    value = on.emit(SpecialOp(register), e.at)
    return on.cast(Typed(value, DTYPES[dtype]), I64, e.at)


def _global_id(on: Builder, e: model.Call) -> Typed:
    """The lane's number in the grid, or along an axis of it."""
    if not e.arguments:
        return Typed(on.emit(SpecialOp("gid"), e.at), I64)
    axis = AXES[_axis(on, e)]
    block, size, lane = (_special(on, f"{r}.{axis}", "u32", e) for r in ("block", "lanes", "lane"))
    first = on.instruction("mul", I64, [block, size], e.at)
    return on.instruction("add", I64, [first, lane], e.at)


def _global_size(on: Builder, e: model.Call) -> Typed:
    axis = AXES[_axis(on, e)]
    return on.instruction("mul", I64, [_special(on, f"{r}.{axis}", "u32", e) for r in ("lanes", "grid")], e.at)


def _barrier(on: Builder, e: model.Call) -> None:
    _arguments(on, e, 0)
    on.emit(BarSyncOp(), e.at)


# Arrays


def _name(on: Builder, e: model.Call) -> str:
    first = e.arguments[0] if e.arguments else None
    if not isinstance(first, model.Var):
        on.fault("kernel-call-array", e.at, f"'{e.function}' takes an array first")
    assert isinstance(first, model.Var)
    return first.name


def _dim(on: Builder, e: model.Call) -> Operand:
    """Emit the number of elements that an array has along an axis."""
    _arguments(on, e, 1, 2)
    name = _name(on, e)
    memory = on.body.array(name, e.at)
    axis = on.of(e.arguments[1]) if len(e.arguments) > 1 else 0
    if isinstance(axis, Typed) or not 0 <= axis < memory.rank:
        axes = "axis 0 alone" if memory.rank == 1 else f"axes 0 to {memory.rank - 1}"
        on.fault("kernel-dim-axis", e.at, f"'{name}' has {axes}", "write the axis as a number")
    if not memory.sized:
        on.fault("kernel-dim-pointer", e.at, f"'{name}' is a pointer, whose size is not known", "pass it beside")
    return on.size(memory.value, int(axis), e.at)  # pyright: ignore[reportArgumentType]


def _atomic(on: Builder, e: model.Call) -> Typed:
    """An atomic operation on an element: the array, its indices, and the values."""
    cls: Any = ATOMIC[e.function]
    name = _name(on, e)
    memory = on.body.array(name, e.at)
    if space_of(memory.value.type) is Space.local:
        message = f"'{name}' is the lane's own, and '{e.function}' is for arrays that lanes share"
        on.fault("kernel-atomic-local", e.at, message, f"write {name}[...] = ... to change an element of it")
    _arguments(on, e, 1 + memory.rank + cls.VALUES)
    _, indices = on.body.place(model.Index(name, e.arguments[1 : 1 + memory.rank], e.at))
    if memory.dtype.name not in cls.TYPES:
        on.fault(
            "kernel-atomic-type", e.at, f"'{e.function}' is not defined for {memory.dtype.name}",
            "it takes " + ", ".join(sorted(cls.TYPES)),
        )  # fmt: skip
    given = [on.of(a) for a in e.arguments[1 + memory.rank :]]
    for value in given:
        on.body.check_fits(name, memory.dtype, value, e.at)
    numbers = [on.cast(value, memory.dtype, e.at).value for value in given]
    return Typed(on.emit(cls(memory.dtype, *numbers, memory.value, indices), e.at), memory.dtype)


# Functions of the document


def _own(on: Builder, e: model.Call) -> Operand | None:
    function = on.program.functions[e.function]
    _arguments(on, e, len(function.params))
    given = [_given(on, p, a) for p, a in zip(function.params, e.arguments, strict=True)]
    built = on.program.function(function, given, e.at)
    values = [v.value for v in given if not isinstance(v, bool | int | float)]
    values += [on.body.declared(type, e.at) for type in built.shared]
    result = on.emit(form.CallOp(built.name, values, [] if built.dtype is None else [built.dtype.ir]), e.at)
    return None if built.dtype is None else Typed(result, built.dtype)


def _given(on: Builder, parameter: model.Parameter, argument: model.Expression) -> Memory | Operand:
    """Return the argument of a call for a parameter, which may say what it takes."""
    if isinstance(argument, model.Var) and on.body.is_array(argument.name):
        memory = on.body.array(argument.name, argument.at)
        if not _takes(parameter.type, memory):
            axes = "1 axis" if memory.rank == 1 else f"{memory.rank} axes"
            _refuse(on, parameter, argument, f"an array of {memory.dtype.name} with {axes}")
        return memory
    value = on.of(argument)
    if isinstance(parameter.type, model.Scalar):
        on.body.check_fits(parameter.name, DTYPES[parameter.type.dtype], value, argument.at)
        return on.cast(value, DTYPES[parameter.type.dtype], argument.at)
    if isinstance(parameter.type, model.DeviceArray | model.Pointer):
        _refuse(on, parameter, argument, "a number")
    if isinstance(parameter.type, model.Constant) and isinstance(value, Typed):
        _refuse(on, parameter, argument, "a number that is not known when the kernel is compiled")
    return value


def _takes(type: model.Type | None, memory: Memory) -> bool:
    if isinstance(type, model.DeviceArray):
        return (DTYPES[type.dtype], type.rank) == (memory.dtype, memory.rank)
    if isinstance(type, model.Pointer):
        return (DTYPES[type.dtype], 1) == (memory.dtype, memory.rank)
    return type is None


def _refuse(on: Builder, parameter: model.Parameter, argument: model.Expression, what: str) -> NoReturn:
    on.fault(
        "kernel-argument", argument.at, f"this is {what}, which '{parameter.name}' does not take",
        "the type of the parameter says what it takes; one without a type takes anything",
    )  # fmt: skip


_FORMS: dict[str, Built] = {
    "get_global_id": _global_id,
    "get_global_size": _global_size,
    "barrier": _barrier,
    "muladd": _muladd,
    "dim": _dim,
}
