"""The enumerations of SPIR-V that compute programs need, by upstream's names, and the attributes that hold them.

An attribute is printed as upstream prints it: `#spirv.scope<Workgroup>`, flags as `#spirv.memory_semantics<A|B>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.families import defined
from hologram.errors import did_you_mean, parse_error

STORAGE_CLASSES: Mapping[str, int] = {
    "UniformConstant": 0, "Input": 1, "Uniform": 2, "Output": 3, "Workgroup": 4, "CrossWorkgroup": 5, "Private": 6,
    "Function": 7, "Generic": 8, "PushConstant": 9, "AtomicCounter": 10, "Image": 11, "StorageBuffer": 12,
    "CallableDataKHR": 5328, "IncomingCallableDataKHR": 5329, "RayPayloadKHR": 5338, "HitAttributeKHR": 5339,
    "IncomingRayPayloadKHR": 5342, "ShaderRecordBufferKHR": 5343, "TaskPayloadWorkgroupEXT": 5402,
    "PhysicalStorageBuffer": 5349,
}  # fmt: skip
BUILT_INS: Mapping[str, int] = {
    "NumWorkgroups": 24, "WorkgroupSize": 25, "WorkgroupId": 26, "LocalInvocationId": 27, "GlobalInvocationId": 28,
    "LocalInvocationIndex": 29, "SubgroupSize": 36, "NumSubgroups": 38, "SubgroupId": 40,
    "SubgroupLocalInvocationId": 41,
}  # fmt: skip
CAPABILITIES: Mapping[str, int] = {
    "Matrix": 0, "Shader": 1, "Addresses": 4, "Linkage": 5, "Kernel": 6, "Float16": 9, "Float64": 10, "Int64": 11,
    "Int64Atomics": 12, "Int16": 22, "Int8": 39, "SampledBuffer": 46, "ImageBuffer": 47, "GroupNonUniform": 61,
    "GroupNonUniformVote": 62, "GroupNonUniformArithmetic": 63, "GroupNonUniformBallot": 64,
    "GroupNonUniformShuffle": 65,
    "StorageBuffer16BitAccess": 4433, "UniformAndStorageBuffer16BitAccess": 4434, "StoragePushConstant16": 4435,
    "VariablePointersStorageBuffer": 4441, "VariablePointers": 4442, "StorageBuffer8BitAccess": 4448,
    "UniformAndStorageBuffer8BitAccess": 4449, "StoragePushConstant8": 4450, "DenormPreserve": 4464,
    "DenormFlushToZero": 4465, "SignedZeroInfNanPreserve": 4466, "RoundingModeRTE": 4467, "RoundingModeRTZ": 4468,
    "VulkanMemoryModel": 5345, "VulkanMemoryModelDeviceScope": 5346,
    "PhysicalStorageBufferAddresses": 5347, "AtomicFloat32AddEXT": 6033,
    "AtomicFloat64AddEXT": 6034, "AtomicFloat16AddEXT": 6095,
    "Geometry": 2, "Tessellation": 3, "Vector16": 7, "Float16Buffer": 8, "ImageBasic": 13, "ImageReadWrite": 14,
    "ImageMipmap": 15, "Pipes": 17, "Groups": 18, "DeviceEnqueue": 19, "LiteralSampler": 20, "AtomicStorage": 21,
    "TessellationPointSize": 23, "GeometryPointSize": 24, "ImageGatherExtended": 25, "StorageImageMultisample": 27,
    "UniformBufferArrayDynamicIndexing": 28, "SampledImageArrayDynamicIndexing": 29,
    "StorageBufferArrayDynamicIndexing": 30, "StorageImageArrayDynamicIndexing": 31, "ClipDistance": 32,
    "CullDistance": 33, "ImageCubeArray": 34, "SampleRateShading": 35, "ImageRect": 36, "SampledRect": 37,
    "GenericPointer": 38, "InputAttachment": 40, "SparseResidency": 41, "MinLod": 42, "Sampled1D": 43, "Image1D": 44,
    "SampledCubeArray": 45, "ImageMSArray": 48, "StorageImageExtendedFormats": 49, "ImageQuery": 50,
    "DerivativeControl": 51, "InterpolationFunction": 52, "TransformFeedback": 53, "GeometryStreams": 54,
    "StorageImageReadWithoutFormat": 55, "StorageImageWriteWithoutFormat": 56, "MultiViewport": 57,
    "SubgroupDispatch": 58, "NamedBarrier": 59, "PipeStorage": 60, "GroupNonUniformShuffleRelative": 66,
    "GroupNonUniformClustered": 67, "GroupNonUniformQuad": 68, "ShaderLayer": 69, "ShaderViewportIndex": 70,
    "UniformDecoration": 71, "SubgroupBallotKHR": 4423, "DrawParameters": 4427, "SubgroupVoteKHR": 4431,
    "DeviceGroup": 4437, "MultiView": 4439, "AtomicStorageOps": 4445, "SampleMaskPostDepthCoverage": 4447,
    "ShaderNonUniform": 5301, "RuntimeDescriptorArray": 5302, "MeshShadingEXT": 5283,
    "CooperativeMatrixKHR": 6022, "DotProductInputAll": 6016, "DotProductInput4x8Bit": 6017,
    "DotProductInput4x8BitPacked": 6018, "DotProduct": 6019, "GroupNonUniformRotateKHR": 6026,
    "ExpectAssumeKHR": 5629, "SubgroupBufferBlockIOINTEL": 5569, "SubgroupShuffleINTEL": 5568,
    "Bfloat16ConversionINTEL": 6115, "SplitBarrierINTEL": 6141, "TensorFloat32RoundingINTEL": 6425,
    "GroupUniformArithmeticKHR": 6400, "FPFastMathModeINTEL": 5837, "ReplicatedCompositesEXT": 6024,
}  # fmt: skip
DECORATIONS: Mapping[str, int] = {
    "RelaxedPrecision": 0, "SpecId": 1, "Block": 2, "BufferBlock": 3, "RowMajor": 4, "ColMajor": 5, "ArrayStride": 6,
    "MatrixStride": 7, "BuiltIn": 11, "Restrict": 19, "Aliased": 20,
    "Volatile": 21, "Coherent": 23, "NonWritable": 24, "NonReadable": 25, "Location": 30, "Binding": 33,
    "DescriptorSet": 34, "Offset": 35, "NoContraction": 42, "NoSignedWrap": 4469, "NoUnsignedWrap": 4470,
}  # fmt: skip
FLAGS: Mapping[str, str] = {
    "restrict": "Restrict", "aliased": "Aliased", "volatile": "Volatile", "coherent": "Coherent",
    "non_writable": "NonWritable", "non_readable": "NonReadable", "no_contraction": "NoContraction",
    "relaxed_precision": "RelaxedPrecision", "no_signed_wrap": "NoSignedWrap", "no_unsigned_wrap": "NoUnsignedWrap",
}  # fmt: skip
"""Unit attributes of operations, and the decorations that they are in the binary form."""


class EnumAttr(Data[str]):
    """A value of an enumeration by its name, or several of its flags with `|` between them."""

    NUMBERS: ClassVar[Mapping[str, int]]
    IS_ID: ClassVar[bool] = False
    """Whether an instruction refers to a constant that holds the number."""

    @property
    def number(self) -> int:
        """The number that stands for it in a binary."""
        total = 0
        for name in self.data.split("|"):
            total |= self.NUMBERS[name]
        return total

    @classmethod
    def from_number(cls, number: int) -> str | None:
        """The name, or the names of flags, that a number in a binary stands for; None if there is none."""
        for name, value in cls.NUMBERS.items():
            if value == number:
                return name
        names = [name for name, value in cls.NUMBERS.items() if value and number & value]
        covered = sum(cls.NUMBERS[name] for name in names)
        return "|".join(names) if names and covered == number else None

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            names = [cls._parse_name(parser)]
            while parser.parse_optional_punctuation("|") is not None:
                names.append(cls._parse_name(parser))
        return "|".join(names)

    @classmethod
    def _parse_name(cls, parser: AttrParser) -> str:
        start = parser.pos
        name = parser.parse_identifier()
        if name not in cls.NUMBERS:
            parse_error(
                parser,
                "spirv-enum-unknown",
                f"'{name}' is not in the enumeration #{cls.name}",
                hint=did_you_mean(name, cls.NUMBERS) or f"it has {', '.join(cls.NUMBERS)}",
                at=start,
            )
        return name

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


def _enum(name: str, meaning: str, numbers: Mapping[str, int], *, is_id: bool = False) -> type[EnumAttr]:
    """Make the attribute of an enumeration."""
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Attr"
    fields = {"name": f"spirv.{name}", "__doc__": meaning, "__module__": __name__, "NUMBERS": numbers, "IS_ID": is_id}
    return irdl_attr_definition(type(class_name, (EnumAttr,), fields))


# fmt: off
StorageClassAttr = _enum("storage_class", "The place of memory, and who shares it.", STORAGE_CLASSES)
ScopeAttr = _enum(
    "scope", "The invocations that a barrier or an atomic operation concerns.",
    {"CrossDevice": 0, "Device": 1, "Workgroup": 2, "Subgroup": 3, "Invocation": 4, "QueueFamily": 5}, is_id=True,
)
MemorySemanticsAttr = _enum(
    "memory_semantics", "The order that an operation gives to accesses, and the memory that it orders. Order alone "
    "orders nothing: name the memory too.",
    {
        "None": 0, "Acquire": 2, "Release": 4, "AcquireRelease": 8, "SequentiallyConsistent": 16, "UniformMemory": 64,
        "SubgroupMemory": 128, "WorkgroupMemory": 256, "CrossWorkgroupMemory": 512, "AtomicCounterMemory": 1024,
        "ImageMemory": 2048,
    },
    is_id=True,
)
MemoryAccessAttr = _enum(
    "memory_access", "The special properties of a load or store.",
    {"None": 0, "Volatile": 1, "Aligned": 2, "Nontemporal": 4},
)
ExecutionModelAttr = _enum(
    "execution_model", "The kind of a program that an entry point is.",
    {"Vertex": 0, "TessellationControl": 1, "TessellationEvaluation": 2, "Geometry": 3, "Fragment": 4,
     "GLCompute": 5, "Kernel": 6},
)
ExecutionModeAttr = _enum("execution_mode", "A property of an entry point.", {
    "LocalSize": 17, "DenormPreserve": 4459, "DenormFlushToZero": 4460, "SignedZeroInfNanPreserve": 4461,
    "RoundingModeRTE": 4462, "RoundingModeRTZ": 4463,
})
AddressingModelAttr = _enum(
    "addressing_model", "The physical size of pointers, or that they have none.",
    {"Logical": 0, "Physical32": 1, "Physical64": 2, "PhysicalStorageBuffer64": 5348},
)
MemoryModelAttr = _enum(
    "memory_model", "The rules for what invocations see of each other's accesses.",
    {"Simple": 0, "GLSL450": 1, "OpenCL": 2, "Vulkan": 3},
)
FunctionControlAttr = _enum(
    "function_control", "Hints on a function.", {"None": 0, "Inline": 1, "DontInline": 2, "Pure": 4, "Const": 8}
)
SelectionControlAttr = _enum(
    "selection_control", "Hints on a selection.", {"None": 0, "Flatten": 1, "DontFlatten": 2}
)
LoopControlAttr = _enum("loop_control", "Hints on a loop.", {"None": 0, "Unroll": 1, "DontUnroll": 2})
# fmt: on

ATTRIBUTES = defined(globals(), EnumAttr)
