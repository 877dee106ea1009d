"""Moves f16 and bf16 as 16-bit integers, for targets whose code generator has no such floats."""

from __future__ import annotations

import struct
from collections.abc import Mapping
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
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.errors import PassError
from hologram.walking import operations

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
        known: dict[Attribute, Attribute] = {}
        for nested in list(operations(op)):
            _convert(nested, known)
        for nested in list(operations(op)):
            if nested.name == "llvm.bitcast" and nested.operands[0].type == nested.results[0].type:
                Rewriter.replace_op(nested, [], [nested.operands[0]])


def _convert(op: Operation, known: dict[Attribute, Attribute]) -> None:
    """One operation: its results, its blocks' arguments, its properties."""
    values: list[SSAValue] = [
        *op.results,
        *(arg for region in op.regions for block in region.blocks for arg in block.args),
    ]
    changed = [v for v in values if _replaced(v.type, known) != v.type]
    properties = {name: _replaced(value, known) for name, value in op.properties.items()}
    if not changed and properties == op.properties:
        return
    if op.name not in MOVES:
        raise PassError(
            op,
            "narrow-float-computed",
            f"'{op.name}' computes with 16-bit floats, which can only be moved here",
            hint="run expand-narrow-floats{f16=false} before: it computes in f32",
        )
    op.properties = properties
    for value in changed:
        Rewriter.replace_value_with_new_type(value, _replaced(value.type, known))


def _replaced(attribute: Attribute, known: dict[Attribute, Attribute]) -> Attribute:
    if (found := known.get(attribute)) is None:
        found = known[attribute] = _made(attribute, known)
    return found


def _made(attribute: Attribute, known: dict[Attribute, Attribute]) -> Attribute:
    if isinstance(attribute, Float16Type | BFloat16Type):
        return i16
    if isinstance(attribute, FloatAttr):
        number = cast("FloatAttr[Any]", attribute)
        if isinstance(number.type, Float16Type | BFloat16Type):
            return IntegerAttr(_bits(number.value.data, number.type), i16)
        return number
    if isinstance(attribute, ParametrizedAttribute):
        parameters = [_replaced(p, known) for p in attribute.parameters]
        return attribute if parameters == list(attribute.parameters) else type(attribute).new(parameters)
    if isinstance(attribute, ArrayAttr):
        items = cast("ArrayAttr[Attribute]", attribute).data
        return ArrayAttr([_replaced(item, known) for item in items])
    if isinstance(attribute, DictionaryAttr):
        entries: Mapping[str, Attribute] = attribute.data
        return DictionaryAttr({name: _replaced(value, known) for name, value in entries.items()})
    return attribute


def _bits(value: float, type: Attribute) -> int:
    """The bits of a number that the type has, as a signed integer."""
    if isinstance(type, Float16Type):
        (found,) = struct.unpack("<h", struct.pack("<e", value))
        return found
    # bf16 is the upper half of f32.
    (found,) = struct.unpack("<i", struct.pack("<f", value))
    return found >> 16
