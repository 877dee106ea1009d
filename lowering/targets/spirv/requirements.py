"""The needs of a SPIR-V module: capabilities and extensions, inferred from its types and operations."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import Float16Type, Float64Type, IntegerType, VectorType
from xdsl.ir import Attribute, Operation

from hologram.dialects import spirv
from hologram.errors import PassError
from hologram.lowering.targets.spirv.build import PHYSICAL

VERSION = "v1.5"
"""The version that Vulkan 1.2 takes. Storage of 8 and 16 bits, and controls of floats, are part of it."""
_STORED = {
    (8, "StorageBuffer"): "StorageBuffer8BitAccess", (16, "StorageBuffer"): "StorageBuffer16BitAccess",
    (8, "PushConstant"): "StoragePushConstant8", (16, "PushConstant"): "StoragePushConstant16",
}  # fmt: skip
_IMAGES = {("Buffer", "NeedSampler"): {"SampledBuffer"}, ("Buffer", "NoSampler"): {"ImageBuffer"}}
_INTEGERS = {8: "Int8", 16: "Int16", 64: "Int64"}


def triple_of(module: spirv.ModuleOp) -> spirv.TripleAttr:
    """Version, capabilities and extensions, in the order of upstream's enumeration."""
    needed = {"Shader"}
    extensions: set[str] = set()
    for op in module.walk():
        for type in _types(op):
            if (width := type.bitwidth if isinstance(type, IntegerType) else 0) > 64:
                raise PassError(
                    op,
                    "spirv-width",
                    f"'{op.name}' gives an integer of {width} bits, and SPIR-V has at most 64",
                    hint="run expand-wide-integers before convert-gpu-to-spirv",
                )
            needed |= _of_type(type)
        needed |= _of_operation(op)
        if op.name == "spirv.EXT.AtomicFAdd":
            extensions.add("SPV_EXT_shader_atomic_float_add")
    capabilities = [name for name in spirv.CAPABILITIES if name in needed]
    return spirv.TripleAttr.of(VERSION, capabilities, sorted(extensions))


def _types(op: Operation) -> Iterable[Attribute]:
    yield from (r.type for r in op.results)
    if isinstance(op, spirv.GlobalVariableOp):
        yield op.type


def _of_type(type: Attribute) -> set[str]:
    match type:
        case spirv.PointerType() if isinstance(type.pointee, spirv.ImageType):
            return _of_type(type.pointee)
        case spirv.ImageType():
            return _of_type(type.element) | _IMAGES.get((type.dimension, type.sampler), set())
        case spirv.PointerType() if type.storage_class.data == PHYSICAL:
            return _stored(type.pointee, "StorageBuffer") | {"PhysicalStorageBufferAddresses"}
        case spirv.PointerType():
            return _stored(type.pointee, type.storage_class.data)
        case VectorType():
            return _of_type(spirv.element_of(type))
        case IntegerType():
            width = type.width.data
            return {_INTEGERS[width]} if width in _INTEGERS else set()
        case Float16Type():
            return {"Float16"}
        case Float64Type():
            return {"Float64"}
        case _:
            return set()


def _stored(type: Attribute, storage: str) -> set[str]:
    """The needs of a type in a storage class: of 8 and 16 bits in buffers only that it can be stored there."""
    match type:
        case spirv.StructType():
            return {name for member in type.members for name in _stored(member, storage)}
        case spirv.ArrayType() | spirv.RuntimeArrayType():
            return _stored(type.element, storage)
        case VectorType():
            return _stored(spirv.element_of(type), storage)
        case _:
            size = 8 * spirv.size_of(type)
            return {_STORED[size, storage]} if (size, storage) in _STORED else _of_type(type)


def _of_operation(op: Operation) -> set[str]:
    if op.name.startswith("spirv.Atomic") and spirv.size_of(op.results[0].type) == 8:
        return {"Int64Atomics"}
    if op.name == "spirv.EXT.AtomicFAdd":
        return {f"AtomicFloat{8 * spirv.size_of(op.results[0].type)}AddEXT"}
    if isinstance(op, spirv.ExecutionModeOp) and op.execution_mode.data in spirv.CAPABILITIES:
        return {op.execution_mode.data}
    return set()
