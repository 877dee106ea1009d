"""The composition of the `llvm` dialect."""

from __future__ import annotations

from types import ModuleType
from typing import TypeVar

from xdsl.dialects import llvm as stock
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import IRDLOperation

from hologram.dialects.llvm import (
    accesses,
    arithmetic,
    atomics,
    attributes,
    control,
    intrinsics,
    memory,
    memory_intrinsics,
    symbols,
    types,
    values,
    vector_intrinsics,
)

T = TypeVar("T")

_OURS = (
    accesses,
    arithmetic,
    atomics,
    attributes,
    control,
    intrinsics,
    memory,
    memory_intrinsics,
    symbols,
    types,
    values,
    vector_intrinsics,
)

_STOCK_OPERATIONS: list[type[Operation]] = [
    stock.AShrOp,
    stock.AndOp,
    stock.BitcastOp,
    stock.FAddOp,
    stock.FDivOp,
    stock.FMulOp,
    stock.FNegOp,
    stock.FPExtOp,
    stock.FPTruncOp,
    stock.FRemOp,
    stock.FSubOp,
    stock.InlineAsmOp,
    stock.InsertElementOp,
    stock.LShrOp,
    stock.OrOp,
    stock.ReturnOp,
    stock.SDivOp,
    stock.SExtOp,
    stock.SIToFPOp,
    stock.SRemOp,
    stock.ShuffleVectorOp,
    stock.StackRestoreOp,
    stock.StackSaveOp,
    stock.UDivOp,
    stock.URemOp,
    stock.UnreachableOp,
    stock.XOrOp,
    stock.ZExtOp,
]

_STOCK_ATTRIBUTES: list[type[Attribute]] = [
    stock.FastMathAttr,
    stock.FramePointerKindAttr,
    stock.LLVMPointerType,
    stock.LLVMVoidType,
    stock.LinkageAttr,
    stock.OverflowAttr,
    stock.TailCallKindAttr,
    stock.TargetFeaturesAttr,
]


def _defined(module: ModuleType, base: type[T]) -> list[type[T]]:
    """The named definitions that a module makes."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        # Not by `issubclass`, which asks every subclass of an abstract class in turn.
        and base in value.__mro__
        and value.__module__ == module.__name__
        and isinstance(getattr(value, "name", None), str)
    ]


Llvm = Dialect(
    "llvm",
    [*_STOCK_OPERATIONS, *[op for module in _OURS for op in _defined(module, IRDLOperation)]],
    [*_STOCK_ATTRIBUTES, *[a for module in _OURS for a in _defined(module, ParametrizedAttribute)]],
)
