"""The words by which rows say what operands, results and properties are, and which traits an operation has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TypeAlias

from xdsl import traits
from xdsl.dialects import builtin as b
from xdsl.irdl import AnyAttr, AnyOf, AttrConstraint, EqAttrConstraint, base
from xdsl.traits import OpTrait

Kinds: TypeAlias = Mapping[str, AttrConstraint]


@cache
def kinds_of(module: str) -> Kinds:
    """The kinds that rows of a module may name: those of all, and its own."""
    own = getattr(import_module(module), "own_kinds", dict)
    return {**_kinds(), **own()}


@cache
def _kinds() -> Kinds:
    integer = AnyOf((base(b.IntegerType), base(b.IndexType)))
    return {
        "any": AnyAttr(),
        # Attributes.
        "affine_map": base(b.AffineMapAttr), "array": base(b.ArrayAttr), "bool": base(b.BoolAttr),
        "dense": base(b.DenseIntOrFPElementsAttr), "dict": base(b.DictionaryAttr), "float_attr": base(b.FloatAttr),
        "int_attr": base(b.IntegerAttr), "str": base(b.StringAttr), "symbol": base(b.SymbolRefAttr),
        "symbol_name": b.SymbolNameConstraint(), "unit": base(b.UnitAttr),
        "i32_attr": b.IntegerAttr.constr(b.i32), "i64_attr": b.IntegerAttr.constr(b.i64),
        "index_attr": b.IntegerAttr.constr(b.IndexType()),
        "i1_array": b.DenseArrayBase.constr(b.i1), "i32_array": b.DenseArrayBase.constr(b.i32),
        "i64_array": b.DenseArrayBase.constr(b.i64),
        # Types.
        "i1": EqAttrConstraint(b.i1), "i8": EqAttrConstraint(b.i8), "i32": EqAttrConstraint(b.i32),
        "i64": EqAttrConstraint(b.i64), "index": base(b.IndexType), "integer": integer,
        "int": base(b.IntegerType), "float": b.AnyFloatConstr, "complex": base(b.ComplexType),
        "function": base(b.FunctionType),
        "memref": AnyOf((base(b.MemRefType), base(b.UnrankedMemRefType))), "ranked_memref": base(b.MemRefType),
        "tensor": AnyOf((base(b.TensorType), base(b.UnrankedTensorType))), "ranked_tensor": base(b.TensorType),
        "vector": base(b.VectorType), "mask": b.VectorBaseTypeConstraint(b.i1),
    }  # fmt: skip


_TRAITS = {
    "pure": traits.Pure, "reads": traits.MemoryReadEffect, "writes": traits.MemoryWriteEffect,
    "allocates": traits.MemoryAllocEffect, "frees": traits.MemoryFreeEffect, "commutes": traits.Commutative,
    "effects_within": traits.RecursiveMemoryEffect, "ends_block": traits.IsTerminator,
    "isolated": traits.IsolatedFromAbove, "open_block": traits.NoTerminator, "symbol": traits.SymbolOpInterface,
    "symbol_table": traits.SymbolTable, "one_type": traits.SameOperandsAndResultType, "returns": traits.ReturnLike,
}  # fmt: skip


def trait(word: str) -> OpTrait:
    """The trait that a word names: of `_TRAITS`, `ends:NAME` for a terminator that may be left out, `in:NAME,NAME` for
    the operations that it must be in."""
    name, _, operations = word.partition(":")
    if not operations:
        return _TRAITS[name]()
    from hologram.dialects.custom.rows import operation

    found = [operation(n) for n in operations.split(",")]
    return traits.SingleBlockImplicitTerminator(found[0]) if name == "ends" else traits.HasParent(*found)
