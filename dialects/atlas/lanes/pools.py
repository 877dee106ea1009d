"""Pools (isa.md section 3): memory of constant size that a launch has, declared in the module, for streaming."""

from __future__ import annotations

from typing import ClassVar, cast

from xdsl.dialects.builtin import MemRefType, StringAttr, SymbolNameConstraint, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import (
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)

from hologram.dialects.atlas.instructions.form import Form
from hologram.dialects.atlas.instructions.types import Space, dtype_of
from hologram.dialects.atlas.lanes.branches import FuncOp
from hologram.dialects.atlas.lanes.memory import PoolLoadOp, PoolStoreOp, space_of
from hologram.dialects.atlas.lanes.programs import ProgramOp
from hologram.dialects.shapes import is_dense_layout, is_memref
from hologram.errors import VerifyError, did_you_mean
from hologram.support.walking import enclosing, symbols_around


@irdl_op_definition
class PoolOp(IRDLOperation):
    """Declares a pool: typed memory of constant size. Each launch has one of its own, which all of its lanes share
    under the rules of global memory for races and fences; it begins uninitialised and ends with the launch.

    Example::

        atlas.pool @ring : memref<1024xf32, #atlas.space<pool>>
    """

    name = "atlas.pool"
    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(MemRefType)
    assembly_format = "$sym_name attr-dict `:` $type"
    traits = traits_def(SymbolOpInterface())

    def __init__(self, name: str, type: MemRefType[Attribute]):
        super().__init__(properties={"sym_name": StringAttr(name), "type": type})

    def verify_(self) -> None:
        type = self.type
        sized = type.has_static_shape() and type.get_num_dims() > 0 and 0 not in type.get_shape()
        known = is_memref(type) and dtype_of(type.element_type) is not None and is_dense_layout(type)
        if not (sized and known and space_of(type) is Space.pool):
            raise VerifyError(
                "atlas-pool-type",
                f"a pool has a type of the ISA and constant sizes, found {type}",
                hint="such as memref<1024xf32, #atlas.space<pool>>",
            )


class _PoolSymbol(SymbolUserOpInterface):
    """Checks that the pool is declared, with the type that is asked for."""

    def verify(self, op: Operation) -> None:
        named = cast("PoolAllocOp | PoolFreeOp", op).pool
        pool = SymbolTable.lookup_symbol(op, named)
        if not isinstance(pool, PoolOp):
            names = symbols_around(op, PoolOp.name)
            raise VerifyError(
                "atlas-pool-symbol",
                f"there is no atlas.pool {named}",
                hint=did_you_mean(named.string_value(), names) or "declare it: atlas.pool @name : memref<...>",
            )
        if enclosing(op, ProgramOp, FuncOp) is None:
            raise VerifyError(
                "atlas-pool-place", f"'{op.name}' is for lanes: a launch has its pools while it runs",
                hint="use it in an atlas.program or an atlas.func",
            )  # fmt: skip
        if isinstance(op, PoolAllocOp) and op.result.type != pool.type:
            raise VerifyError(
                "atlas-pool-result", f"the pool {named} is a {pool.type}, not a {op.result.type}",
                hint="'atlas.pool.alloc' gives the pool as it is declared",
            )  # fmt: skip


@irdl_op_definition
class PoolAllocOp(IRDLOperation):
    """Gives the launch's pool of a name. It is the same memory wherever, and however often, a lane asks for it.

    Example::

        %ring = atlas.pool.alloc @ring : memref<1024xf32, #atlas.space<pool>>
    """

    name = "atlas.pool.alloc"
    FORM: ClassVar[Form] = Form("pool.alloc", "pool:pool")
    pool = prop_def(SymbolRefAttr)
    result = result_def(MemRefType)
    assembly_format = "$pool attr-dict `:` type($result)"
    traits = traits_def(Pure(), _PoolSymbol())

    def __init__(self, pool: str, type: MemRefType[Attribute]):
        super().__init__(result_types=[type], properties={"pool": SymbolRefAttr(pool)})


@irdl_op_definition
class PoolFreeOp(IRDLOperation):
    """Says that what a pool holds is needed no more: all of it is uninitialised from here on, until it is stored to
    again. The memory stays with the launch. No other lane may be about to read it.

    Example::

        atlas.pool.free @ring
    """

    name = "atlas.pool.free"
    FORM: ClassVar[Form] = Form("pool.free", "pool:pool")
    pool = prop_def(SymbolRefAttr)
    assembly_format = "$pool attr-dict"
    traits = traits_def(MemoryWriteEffect(), _PoolSymbol())

    def __init__(self, pool: str):
        super().__init__(properties={"pool": SymbolRefAttr(pool)})


OPS: tuple[type[Operation], ...] = (PoolOp, PoolAllocOp, PoolLoadOp, PoolStoreOp, PoolFreeOp)
