"""Turns the headers of machine code, memory and parameters, into types and attributes of lane programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import marks
from hologram.dialects.atlas.instructions.types import DTypeAttr, Space, SpaceAttr
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.dialects.machine.directives import DYNAMIC, ArrayTypeAttr, PoolOp
from hologram.dialects.machine.registers import Register

GRID = "machine.grid"
"""The attribute of a lifted program that says the grid which its header fixes."""


def memref_of(array: ArrayTypeAttr, space: Space | None, bytes: int | None) -> MemRefType[Attribute]:
    """The type of an array; `bytes` sizes a shared one without a length, where the program's header says them."""
    shape = list(array.shape)
    if space is Space.shared and DYNAMIC in shape:
        shape = [DYNAMIC if bytes is None else bytes // (max(array.dtype.bits, 8) // 8)]
    sizes = [DYNAMIC_INDEX if n == DYNAMIC else n for n in shape]
    return MemRefType(array.dtype.ir, sizes, NoneAttr(), NoneAttr() if space is None else SpaceAttr(space))


def pool_type(pool: PoolOp) -> MemRefType[Attribute]:
    """The type of a declared pool."""
    return memref_of(pool.array, Space.pool, None)


def described(parameters: Iterable[Attribute], scalars: Iterable[SSAValue]) -> ArrayAttr[DictionaryAttr]:
    """The name of each parameter in assembly, and its type where the SSA type does not say it. The scalars arrive in
    the registers of `scalars`."""
    arrived = iter(scalars)
    buffers = 0
    arg_attrs: list[DictionaryAttr] = []
    for parameter in parameters:
        if isinstance(parameter, ArrayTypeAttr):
            name, dtype = f"buf{buffers}", parameter.dtype
            buffers += 1
        else:
            register = cast("Register", next(arrived).type)
            name = f"{register.LETTER}{register.number}"
            dtype = cast("DTypeAttr", parameter).dtype
        words: dict[str, Attribute] = {marks.NAME: StringAttr(name)}
        if dtype.kind == "unsigned":
            words[marks.TYPE] = StringAttr(dtype.name)
        arg_attrs.append(DictionaryAttr(words))
    return ArrayAttr(arg_attrs)


def parameter_types(program: ProgramOp) -> list[str]:
    """The ISA type of each parameter of a lane program, as `described` says it; empty where its SSA type tells it."""
    args = program.body.blocks[0].args
    known = [] if program.arg_attrs is None else [d.data.get(marks.TYPE) for d in program.arg_attrs.data]
    types = [given.data if isinstance(given, StringAttr) else "" for given in known]
    return [*types, *[""] * (len(args) - len(types))]


def fixed_grid(program: ProgramOp) -> tuple[int, int, int] | None:
    """The grid that a lifted program is launched on, if it says so."""
    grid = program.attributes.get(GRID)
    if grid is None:
        return None
    x, y, z = cast("DenseArrayBase[I64]", grid).get_values()
    return x, y, z
