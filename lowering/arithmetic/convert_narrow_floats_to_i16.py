"""Moves f16 and bf16 as 16-bit integers, for targets whose code generator has no such floats."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    DictionaryAttr,
    Float16Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    i16,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.passes import ModulePass

from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module

MOVES = frozenset(
    "llvm." + name
    for name in (
        "load store mlir.constant mlir.undef mlir.poison mlir.zero bitcast select br cond_br switch func call return "
        "mlir.global extractelement insertelement shufflevector extractvalue insertvalue getelementptr alloca freeze "
        "intr.masked.load intr.masked.store intr.masked.gather intr.masked.scatter mlir.addressof"
    ).split()
)
"""What moves values and does not compute with them."""


@dataclass(frozen=True)
class ConvertNarrowFloatsToI16Pass(ModulePass):
    """Gives every f16 and bf16 of a module of the llvm dialect the type i16, in vectors, arrays and functions too.

    Only what moves them may be left: expand-narrow-floats computes in f32. For WebAssembly, for which LLVM can't select
    loads of bf16, and calls a library to convert f16.

    Before::

        %0 = llvm.load %p : !llvm.ptr -> bf16
        %1 = llvm.bitcast %0 : bf16 to i16

    After::

        %1 = llvm.load %p : !llvm.ptr -> i16
    """

    name = "convert-narrow-floats-to-i16"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, RULES, _Narrowing(RULES))


class _Narrowing(Rewriter):
    """A walk in which everything is retyped, and what would compute with such floats is refused."""

    retypes = True

    def retype(self, op: Operation) -> None:
        arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
        known = [*(v.type for v in (*op.results, *arguments)), *op.properties.values()]
        if op.name not in MOVES and any(self.type(attribute) != attribute for attribute in known):
            raise PassError(
                op,
                "narrow-float-computed",
                f"'{op.name}' computes with 16-bit floats, which can only be moved here",
                hint="run expand-narrow-floats{f16=false} before: it computes in f32",
            )
        super().retype(op)


def _converted(attribute: Attribute) -> Sequence[Attribute] | None:
    retyped = _made(attribute)
    return None if retyped == attribute else (retyped,)


RULES = Rules([_converted])


@RULES.on("llvm.bitcast")
def _bitcast(rw: Rewriter, op: Operation) -> None:
    (source,), (result,) = op.operands, op.results
    if rw.type(source.type) == rw.type(result.type):
        rw.define(result, rw.value(source))
    else:
        rw.retype(op)


def _made(attribute: Attribute) -> Attribute:
    if isinstance(attribute, Float16Type | BFloat16Type):
        return i16
    if isinstance(attribute, FloatAttr):
        number = cast("FloatAttr[Any]", attribute)
        if isinstance(number.type, Float16Type | BFloat16Type):
            return IntegerAttr(_bits(number.value.data, number.type), i16)
        return number
    if isinstance(attribute, ParametrizedAttribute):
        parameters = [_made(p) for p in attribute.parameters]
        return attribute if parameters == list(attribute.parameters) else type(attribute).new(parameters)
    if isinstance(attribute, ArrayAttr):
        return ArrayAttr([_made(item) for item in cast("ArrayAttr[Attribute]", attribute)])
    if isinstance(attribute, DictionaryAttr):
        return DictionaryAttr({name: _made(value) for name, value in attribute.data.items()})
    return attribute


def _bits(value: float, type: Attribute) -> int:
    """The bits of a number that the type has, as a signed integer."""
    if isinstance(type, Float16Type):
        (pattern,) = struct.unpack("<h", struct.pack("<e", value))
        return pattern
    # bf16 is the upper half of f32.
    (pattern,) = struct.unpack("<i", struct.pack("<f", value))
    return pattern >> 16
