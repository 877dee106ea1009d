"""The `spirv` dialect as upstream MLIR 22 has it: what compute programs for Vulkan need of it.

Names, types, properties and generic form are upstream's, so that the real `mlir-opt` and `mlir-translate` read what is
printed. Operations of families come from the tables in `families`; `build` makes one by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Dialect, Operation, SSAValue

from hologram.dialects.spirv.enums import (
    ATTRIBUTES,
    BUILT_INS,
    CAPABILITIES,
    DECORATIONS,
    FLAGS,
    STORAGE_CLASSES,
    AddressingModelAttr,
    EnumAttr,
    ExecutionModeAttr,
    ExecutionModelAttr,
    FunctionControlAttr,
    LoopControlAttr,
    MemoryAccessAttr,
    MemoryModelAttr,
    MemorySemanticsAttr,
    ScopeAttr,
    SelectionControlAttr,
    StorageClassAttr,
)
from hologram.dialects.spirv.families import OPERATIONS as FAMILIES
from hologram.dialects.spirv.images import OPERATIONS as IMAGES
from hologram.dialects.spirv.images import TEXELS, ImageFetchOp, ImageType
from hologram.dialects.spirv.memory import (
    OPERATIONS as MEMORY,
)
from hologram.dialects.spirv.memory import (
    AccessChainOp,
    AtomicCompareExchangeOp,
    CompositeConstructOp,
    CompositeExtractOp,
    ControlBarrierOp,
    LoadOp,
    MemoryBarrierOp,
    SelectOp,
    StoreOp,
    VariableOp,
)
from hologram.dialects.spirv.operation import EXTENDED, MarkerOp, SpirvOp
from hologram.dialects.spirv.structure import (
    OPERATIONS as STRUCTURE,
)
from hologram.dialects.spirv.structure import (
    AddressOfOp,
    BranchConditionalOp,
    BranchOp,
    ConstantOp,
    EntryPointOp,
    ExecutionModeOp,
    FuncOp,
    FunctionCallOp,
    GlobalVariableOp,
    LoopOp,
    MergeOp,
    ModuleOp,
    ReferenceOfOp,
    ReturnOp,
    ReturnValueOp,
    SelectionOp,
    SpecConstantOp,
    UndefOp,
    UnreachableOp,
    i32_array,
)
from hologram.dialects.spirv.types import (
    TYPES,
    ArrayType,
    PointerType,
    RuntimeArrayType,
    StructType,
    TripleAttr,
    element_of,
    is_bool,
    is_float,
    is_integer,
    size_of,
)

__all__ = [
    "BUILT_INS",
    "CAPABILITIES",
    "DECORATIONS",
    "EXTENDED",
    "FLAGS",
    "OPERATIONS",
    "STORAGE_CLASSES",
    "TEXELS",
    "AccessChainOp",
    "AddressOfOp",
    "AddressingModelAttr",
    "ArrayType",
    "AtomicCompareExchangeOp",
    "BranchConditionalOp",
    "BranchOp",
    "CompositeConstructOp",
    "CompositeExtractOp",
    "ConstantOp",
    "ControlBarrierOp",
    "EntryPointOp",
    "EnumAttr",
    "ExecutionModeAttr",
    "ExecutionModeOp",
    "ExecutionModelAttr",
    "FuncOp",
    "FunctionCallOp",
    "FunctionControlAttr",
    "GlobalVariableOp",
    "ImageFetchOp",
    "ImageType",
    "LoadOp",
    "LoopControlAttr",
    "LoopOp",
    "MarkerOp",
    "MemoryAccessAttr",
    "MemoryBarrierOp",
    "MemoryModelAttr",
    "MemorySemanticsAttr",
    "MergeOp",
    "ModuleOp",
    "PointerType",
    "ReferenceOfOp",
    "ReturnOp",
    "ReturnValueOp",
    "RuntimeArrayType",
    "ScopeAttr",
    "SelectOp",
    "SelectionControlAttr",
    "SelectionOp",
    "SpecConstantOp",
    "Spirv",
    "SpirvOp",
    "StorageClassAttr",
    "StoreOp",
    "StructType",
    "TripleAttr",
    "UndefOp",
    "UnreachableOp",
    "VariableOp",
    "build",
    "element_of",
    "i32_array",
    "is_bool",
    "is_float",
    "is_integer",
    "size_of",
]

OPERATIONS: Mapping[str, type[Operation]] = {
    op.name.removeprefix("spirv."): op for op in (*STRUCTURE, *MEMORY, *IMAGES, *FAMILIES)
}
"""The operations by their names without the dialect's."""

Spirv = Dialect("spirv", [*OPERATIONS.values()], [*TYPES, ImageType, *ATTRIBUTES])


def build(
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> Operation:
    """An operation by its name without the dialect's: `build("FAdd", (a, b), (f32,))`."""
    return OPERATIONS[name].create(
        operands=operands, result_types=results, properties=dict(properties or {}), attributes=dict(attributes or {})
    )
