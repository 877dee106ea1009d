"""What a SPIR-V module declares: its interface as a Vulkan program (launch ABI), and what it needs of the device.

The interface is buffers by bindings, scalars in one block, and the trap record.

The record is sixteen words of 32 bits, since few devices exchange 64.

The needs are capabilities and extensions, inferred from the types and operations of the module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import Float16Type, Float64Type, IndexType, IntegerType, VectorType, f32, f64, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from hologram.dialects import spirv
from hologram.errors import PassError
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.targets.spirv import build as sb
from hologram.lowering.targets.spirv.build import PHYSICAL
from hologram.support.walking import operations

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
    for op in operations(module):
        for type in _types(op):
            if (width := _bits(type)) > 64:
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


def _bits(type: Attribute) -> int:
    return type.bitwidth if isinstance(type, IntegerType) else 0


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


PUSH_BYTES = 128
"""What every device takes as push constants; larger blocks of scalars are a buffer behind the others."""
BOUND = 16
"""The most buffers that have bindings. Kernels with more get all their buffers as addresses, before the scalars."""
GRID = ("grid_x", "grid_y", "grid_z")
"""What follows the scalars: the sizes of the whole grid, of which a dispatch may be a part."""


@dataclass(frozen=True)
class Block:
    """The members of a block of scalars."""

    types: tuple[Attribute, ...]
    offsets: tuple[int, ...]
    size: int

    @property
    def is_pushed(self) -> bool:
        """Return whether they are push constants, not a buffer."""
        return self.size <= PUSH_BYTES


def slot(type: Attribute) -> Attribute:
    """The type that holds a scalar in the block: 32 or 64 bits, as one number."""
    if isinstance(type, IndexType):
        return i32
    if isinstance(type, IntegerType):
        return i64 if type.bitwidth > 32 else i32
    return type if type in (f32, f64) else i32


def scalar_block(scalars: Sequence[Attribute], firsts: Collection[int] = ()) -> Block:
    """The block for scalars of these types: each at the next multiple of its size, then the grid's sizes.

    `firsts` are the places of those that are the first half of a number of 64 bits, and aligned as that.
    """
    types = [*map(slot, scalars), *[i32] * len(GRID)]
    offsets: list[int] = []
    end = 0
    for place, type in enumerate(types):
        size = 8 if type in (i64, f64) else 4
        alignment = 8 if place in firsts else size
        end = -(-end // alignment) * alignment
        offsets.append(end)
        end += size
    return Block(tuple(types), tuple(offsets), end)


def record_trap(rw: Rewriter, words: Sequence[SSAValue]) -> None:
    """Fills the record with site, lane and values, unless a lane did before. The first word holds the site plus 1.

    Numbers come whole, or in halves where the device has no integers of 64 bits.
    """
    x, zero = sb.Spirv(rw), sb.constant(rw, 0)
    number = x.add(x.resize(words[0], i32), 1)

    def fill() -> None:
        # Nobody reads the record before the launch has ended, so nothing is ordered by the claim.
        old = sb.compare_exchange(rw, _word(rw, 0), number, zero, spirv.ScopeAttr("Device"))
        with sb.selection(rw, x.compare("eq", old, zero)):
            halves = [half for word in words for half in x.words(word)]
            for place, half in enumerate(halves[2:], 2):
                sb.store(rw, _word(rw, place), half)

    sb.guarded(rw, fill)


def _word(rw: Rewriter, number: int) -> SSAValue:
    """A pointer to a word of the record."""
    kernel = sb.kernel_of(rw)
    assert kernel.trap is not None, "flatten-kernels passes the record to what may trap"
    place = (sb.constant(rw, 0), sb.constant(rw, number))
    return sb.element(rw, kernel.trap, place, i32)
