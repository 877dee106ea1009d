"""Variables, loads and stores, composites, atomics and barriers of the spirv dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from hologram.dialects.families import defined, member
from hologram.dialects.spirv.enums import MemoryAccessAttr, MemorySemanticsAttr, ScopeAttr, StorageClassAttr
from hologram.dialects.spirv.operation import MarkerOp, SpirvOp
from hologram.dialects.spirv.types import PointerType
from hologram.errors import VerifyError


def _verify_pointee(op: Operation, pointer: Any, type: Any) -> None:
    if pointer.pointee != type:
        raise VerifyError("spirv-pointee", f"{op.name} has a value of type {type}, but the pointer is a {pointer}")


@irdl_op_definition
class VariableOp(MarkerOp):
    """Memory that each invocation has of its own."""

    name = "spirv.Variable"

    storage_class = prop_def(StorageClassAttr)
    initializer = opt_operand_def()
    pointer = result_def(PointerType)

    def __init__(self, type: PointerType, initializer: SSAValue | None = None):
        super().__init__(
            operands=[initializer], properties={"storage_class": StorageClassAttr("Function")}, result_types=[type]
        )


@irdl_op_definition
class LoadOp(SpirvOp):
    """The value that a pointer leads to."""

    name = "spirv.Load"
    OPCODE: ClassVar[int] = 61

    ptr = operand_def(PointerType)
    memory_access = opt_prop_def(MemoryAccessAttr)
    alignment = opt_prop_def(IntegerAttr)
    value = result_def()

    def verify_(self) -> None:
        _verify_pointee(self, self.ptr.type, self.value.type)


@irdl_op_definition
class StoreOp(SpirvOp):
    """Puts a value where a pointer leads to."""

    name = "spirv.Store"
    OPCODE: ClassVar[int] = 62

    ptr = operand_def(PointerType)
    value = operand_def()
    memory_access = opt_prop_def(MemoryAccessAttr)
    alignment = opt_prop_def(IntegerAttr)

    def verify_(self) -> None:
        _verify_pointee(self, self.ptr.type, self.value.type)


@irdl_op_definition
class AccessChainOp(SpirvOp):
    """A pointer to a member of a struct or an element of an array. The index of a member is a constant."""

    name = "spirv.AccessChain"
    OPCODE: ClassVar[int] = 65

    base_ptr = operand_def(PointerType)
    indices = var_operand_def()
    component_ptr = result_def(PointerType)

    traits = traits_def(Pure())
    assembly_format = (
        "$base_ptr `[` $indices `]` attr-dict `:` type($base_ptr) `,` type($indices) `->` type($component_ptr)"
    )


@irdl_op_definition
class SelectOp(SpirvOp):
    """The second operand where the condition holds, else the third."""

    name = "spirv.Select"
    OPCODE: ClassVar[int] = 169

    T: ClassVar = VarConstraint("T", AnyAttr())
    condition = operand_def()
    true_value = operand_def(T)
    false_value = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$condition `,` $true_value `,` $false_value attr-dict `:` type($condition) `,` type($result)"


@irdl_op_definition
class CompositeConstructOp(SpirvOp):
    """A vector, array or struct of its parts."""

    name = "spirv.CompositeConstruct"
    OPCODE: ClassVar[int] = 80

    constituents = var_operand_def()
    result = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class CompositeExtractOp(SpirvOp):
    """A part of a composite."""

    name = "spirv.CompositeExtract"
    OPCODE: ClassVar[int] = 81

    composite = operand_def()
    indices = prop_def(ArrayAttr[IntegerAttr])
    component = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class CompositeInsertOp(SpirvOp):
    """A composite with another part in place of one of its."""

    name = "spirv.CompositeInsert"
    OPCODE: ClassVar[int] = 82

    object = operand_def()
    composite = operand_def()
    indices = prop_def(ArrayAttr[IntegerAttr])
    result = result_def()

    traits = traits_def(Pure())


@irdl_op_definition
class ControlBarrierOp(SpirvOp):
    """Waits for the invocations of a scope; accesses to the memory that the semantics name are ordered by it."""

    name = "spirv.ControlBarrier"
    OPCODE: ClassVar[int] = 224

    execution_scope = prop_def(ScopeAttr)
    memory_scope = prop_def(ScopeAttr)
    memory_semantics = prop_def(MemorySemanticsAttr)


@irdl_op_definition
class MemoryBarrierOp(SpirvOp):
    """Orders this invocation's accesses to the memory that the semantics name."""

    name = "spirv.MemoryBarrier"
    OPCODE: ClassVar[int] = 225

    memory_scope = prop_def(ScopeAttr)
    memory_semantics = prop_def(MemorySemanticsAttr)


class AtomicOp(SpirvOp):
    """Replaces the value behind a pointer in one step; the result is the value from before."""

    WORDS: ClassVar[tuple[str, ...]] = ("pointer", "memory_scope", "semantics", "value")

    pointer = operand_def(PointerType)
    memory_scope = prop_def(ScopeAttr)
    semantics = prop_def(MemorySemanticsAttr)
    value = operand_def()
    result = result_def()

    def verify_(self) -> None:
        for value in (*self.operands[1:], self.result):
            _verify_pointee(self, self.pointer.type, value.type)


@irdl_op_definition
class AtomicCompareExchangeOp(SpirvOp):
    """Stores the value where the comparator is found; the result is the value from before."""

    name = "spirv.AtomicCompareExchange"
    OPCODE: ClassVar[int] = 230
    WORDS: ClassVar[tuple[str, ...]] = (
        "pointer", "memory_scope", "equal_semantics", "unequal_semantics", "value", "comparator",
    )  # fmt: skip

    pointer = operand_def(PointerType)
    memory_scope = prop_def(ScopeAttr)
    equal_semantics = prop_def(MemorySemanticsAttr)
    unequal_semantics = prop_def(MemorySemanticsAttr)
    value = operand_def()
    comparator = operand_def()
    result = result_def()

    def verify_(self) -> None:
        for value in (*self.operands[1:], self.result):
            _verify_pointee(self, self.pointer.type, value.type)


ATOMICS: Mapping[str, int] = {
    "AtomicExchange": 229, "AtomicIAdd": 234, "AtomicISub": 235, "AtomicSMin": 236, "AtomicUMin": 237,
    "AtomicSMax": 238, "AtomicUMax": 239, "AtomicAnd": 240, "AtomicOr": 241, "AtomicXor": 242,
    "EXT.AtomicFAdd": 6035,
}  # fmt: skip

OPERATIONS: list[type[Operation]] = [
    *defined(globals(), Operation),
    *(
        member(AtomicOp, f"{name.removeprefix('EXT.')}Op", {"name": f"spirv.{name}", "OPCODE": number}, ())
        for name, number in ATOMICS.items()
    ),
]
