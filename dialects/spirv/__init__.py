"""The `spirv` dialect as upstream MLIR 22 has it: what compute programs for Vulkan need of it.

Names, types, properties and generic form are upstream's, so that the real `mlir-opt` and `mlir-translate` read what is
printed. Operations of families come from the tables in `families`; `build` makes one by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.spirv.enums import ATTRIBUTES
from hologram.dialects.spirv.enums import BUILT_INS as BUILT_INS
from hologram.dialects.spirv.enums import CAPABILITIES as CAPABILITIES
from hologram.dialects.spirv.enums import DECORATIONS as DECORATIONS
from hologram.dialects.spirv.enums import FLAGS as FLAGS
from hologram.dialects.spirv.enums import STORAGE_CLASSES as STORAGE_CLASSES
from hologram.dialects.spirv.enums import AddressingModelAttr as AddressingModelAttr
from hologram.dialects.spirv.enums import EnumAttr as EnumAttr
from hologram.dialects.spirv.enums import ExecutionModeAttr as ExecutionModeAttr
from hologram.dialects.spirv.enums import ExecutionModelAttr as ExecutionModelAttr
from hologram.dialects.spirv.enums import FunctionControlAttr as FunctionControlAttr
from hologram.dialects.spirv.enums import LoopControlAttr as LoopControlAttr
from hologram.dialects.spirv.enums import MemoryAccessAttr as MemoryAccessAttr
from hologram.dialects.spirv.enums import MemoryModelAttr as MemoryModelAttr
from hologram.dialects.spirv.enums import MemorySemanticsAttr as MemorySemanticsAttr
from hologram.dialects.spirv.enums import ScopeAttr as ScopeAttr
from hologram.dialects.spirv.enums import SelectionControlAttr as SelectionControlAttr
from hologram.dialects.spirv.families import OPERATIONS as FAMILIES
from hologram.dialects.spirv.images import TEXELS as TEXELS
from hologram.dialects.spirv.images import ImageFetchOp as ImageFetchOp
from hologram.dialects.spirv.images import ImageType as ImageType
from hologram.dialects.spirv.memory import OPERATIONS as MEMORY
from hologram.dialects.spirv.memory import ControlBarrierOp as ControlBarrierOp
from hologram.dialects.spirv.memory import MemoryBarrierOp as MemoryBarrierOp
from hologram.dialects.spirv.memory import VariableOp as VariableOp
from hologram.dialects.spirv.operation import EXTENDED as EXTENDED
from hologram.dialects.spirv.operation import SpirvOp as SpirvOp
from hologram.dialects.spirv.structure import OPERATIONS as STRUCTURE
from hologram.dialects.spirv.structure import AddressOfOp as AddressOfOp
from hologram.dialects.spirv.structure import BranchConditionalOp as BranchConditionalOp
from hologram.dialects.spirv.structure import BranchOp as BranchOp
from hologram.dialects.spirv.structure import ConstantOp as ConstantOp
from hologram.dialects.spirv.structure import EntryPointOp as EntryPointOp
from hologram.dialects.spirv.structure import ExecutionModeOp as ExecutionModeOp
from hologram.dialects.spirv.structure import FuncOp as FuncOp
from hologram.dialects.spirv.structure import FunctionCallOp as FunctionCallOp
from hologram.dialects.spirv.structure import GlobalVariableOp as GlobalVariableOp
from hologram.dialects.spirv.structure import LoopOp as LoopOp
from hologram.dialects.spirv.structure import MergeOp as MergeOp
from hologram.dialects.spirv.structure import ModuleOp as ModuleOp
from hologram.dialects.spirv.structure import ReferenceOfOp as ReferenceOfOp
from hologram.dialects.spirv.structure import ReturnOp as ReturnOp
from hologram.dialects.spirv.structure import SelectionOp as SelectionOp
from hologram.dialects.spirv.structure import SpecConstantOp as SpecConstantOp
from hologram.dialects.spirv.structure import i32_array as i32_array
from hologram.dialects.spirv.types import TYPES
from hologram.dialects.spirv.types import ArrayType as ArrayType
from hologram.dialects.spirv.types import PointerType as PointerType
from hologram.dialects.spirv.types import RuntimeArrayType as RuntimeArrayType
from hologram.dialects.spirv.types import StructType as StructType
from hologram.dialects.spirv.types import TripleAttr as TripleAttr
from hologram.dialects.spirv.types import element_of as element_of
from hologram.dialects.spirv.types import is_bool as is_bool
from hologram.dialects.spirv.types import is_float as is_float
from hologram.dialects.spirv.types import is_integer as is_integer
from hologram.dialects.spirv.types import size_of as size_of

OPERATIONS: Mapping[str, type[Operation]] = {
    op.name.removeprefix("spirv."): op for op in (*STRUCTURE, *MEMORY, ImageFetchOp, *FAMILIES)
}
"""The operations by their names without the dialect's."""

Spirv = RowDialect(
    "spirv", [*OPERATIONS.values()], [*TYPES, ImageType, *ATTRIBUTES], rows="hologram.dialects.spirv.rows"
)


def build(
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> Operation:
    """Build an operation by its name without the dialect's: `build("FAdd", (a, b), (f32,))`."""
    return OPERATIONS[name].create(
        operands=operands, result_types=results, properties=dict(properties or {}), attributes=dict(attributes or {})
    )
