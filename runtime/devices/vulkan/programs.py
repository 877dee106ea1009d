"""Programs of a Vulkan device: SPIR-V binaries, the pipelines made of them, and the driver's cache of pipelines."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hologram.errors import DeviceError
from hologram.lowering.targets.spirv.binary import instructions, text_of
from hologram.runtime.cache import disk_cache, key_of
from hologram.runtime.devices import failures
from hologram.runtime.devices.protocol import KernelInfo
from hologram.runtime.devices.vulkan.setup import Handles

PUSH_BYTES = 128
"""Of scalars that are pushed; the launch ABI's page says the same."""
CACHE_BYTES = 32 << 20
"""A cache of pipelines that is larger is begun anew."""
_ENTRY, _MODE, _CAPABILITY, _SPEC_CONSTANT, _VARIABLE, _DECORATE = 15, 16, 17, 50, 59, 71
_LOCAL_SIZE, _SPEC_ID, _BINDING = 17, 1, 33
_IMAGES = 0
"""The storage class of variables that are texel buffers."""
STORAGE, TEXEL = 7, 4
"""The kinds of descriptors: storage buffers and uniform texel buffers."""
_DISPATCH_BASE = 0x10
"""The flag of pipelines whose dispatches may begin at another block than the first."""
_CAPABILITIES = {
    1: "Shader", 9: "Float16", 10: "Float64", 11: "Int64", 12: "Int64Atomics", 22: "Int16", 39: "Int8",
    46: "SampledBuffer", 4433: "StorageBuffer16BitAccess", 4448: "StorageBuffer8BitAccess", 4464: "DenormPreserve",
    4466: "SignedZeroInfNanPreserve", 4467: "RoundingModeRTE", 5347: "PhysicalStorageBufferAddresses",
}  # fmt: skip
_MEMORY_MODEL, _ADDRESSES = 14, 5348
"""The instruction that says how memory is addressed, and what it says of programs that get buffers as addresses."""
_WIDE = ("i64", "u64", "f64")


def words_of(code: bytes) -> list[int]:
    """A binary's words."""
    return list(struct.unpack(f"<{len(code) // 4}I", code[: len(code) // 4 * 4]))


def capabilities_of(words: Sequence[int]) -> list[str]:
    """Return the capabilities that a binary needs, by name; numbers that we do not know as numbers."""
    return [_CAPABILITIES.get(w[0], str(w[0])) for _, opcode, w in instructions(words) if opcode == _CAPABILITY]


def are_bound(words: Sequence[int]) -> bool:
    """Return whether a binary's kernels get their buffers by bindings, not as addresses."""
    return not any(w[0] == _ADDRESSES for _, opcode, w in instructions(words) if opcode == _MEMORY_MODEL)


def texels_of(words: Sequence[int], entry: str) -> frozenset[int]:
    """The bindings of an entry point that are texel buffers."""
    used = set[int]()
    bindings: dict[int, int] = {}
    images = set[int]()
    for _, opcode, operands in instructions(words):
        if opcode == _ENTRY:
            name, size = text_of(operands[2:])
            used |= set(operands[2 + size :]) if name == entry else set()
        elif opcode == _DECORATE and operands[1] == _BINDING:
            bindings[operands[0]] = operands[2]
        elif opcode == _VARIABLE and operands[2] == _IMAGES:
            images.add(operands[1])
    return frozenset(bindings[number] for number in used & images)


def with_block_size(words: Sequence[int], entry: str, size: Sequence[int]) -> list[int]:
    """A binary whose entry point has blocks of a size, also as its specialisation constants 0 to 2."""
    patched = list(words)
    function = None
    constants: dict[int, int] = {}
    for place, opcode, operands in instructions(words):
        if opcode == _ENTRY and text_of(operands[2:])[0] == entry:
            function = operands[1]
        elif opcode == _MODE and operands[0] == function and operands[1] == _LOCAL_SIZE:
            patched[place + 3 : place + 6] = size
        elif opcode == _DECORATE and operands[1] == _SPEC_ID:
            constants[operands[0]] = operands[2]
        elif opcode == _SPEC_CONSTANT and constants.get(operands[1], 3) < 3:
            patched[place + 3] = size[constants[operands[1]]]
    return patched


def pack_scalars(dtypes: Sequence[str], values: Sequence[bytes], grid: Sequence[int]) -> bytes:
    """The block of scalars: each at the next multiple of its size, in 32 or 64 bits, then the sizes of the grid."""
    packed = bytearray()
    for dtype, value in zip(dtypes, values, strict=True):
        size = 8 if dtype in _WIDE else 4
        if dtype == "index":
            value = _index(int.from_bytes(value[:8], "little", signed=True))
        packed += bytes(-len(packed) % size)
        packed += value[:size].ljust(size, b"\0")
    packed += bytes(-len(packed) % 4)
    return bytes(packed) + struct.pack("<3I", *grid)


def _index(value: int) -> bytes:
    if not -(2**31) <= value < 2**31:
        raise DeviceError(
            "vulkan-index",
            f"a size or index of {value} does not fit the 32 bits that an index has on devices of Vulkan",
            hint="split the arrays: they have fewer than 2^31 elements there",
        )
    return value.to_bytes(4, "little", signed=True)


@dataclass(frozen=True)
class Kernel:
    """A pipeline."""

    info: KernelInfo
    set_layout: Any
    layout: Any
    pipeline: Any
    is_bound: bool
    """Whether its buffers have bindings; else they are passed as addresses."""
    texels: frozenset[int] = frozenset()
    """The bindings that are texel buffers."""

    def pack(self, addresses: Sequence[int], values: Sequence[bytes], grid: Sequence[int]) -> bytes:
        """The scalars of a launch, behind the addresses of buffers that are passed so."""
        dtypes = [a.dtype for a in self.info.arguments if not a.is_buffer]
        before = [address.to_bytes(8, "little") for address in addresses]
        return pack_scalars(["u64"] * len(before) + dtypes, [*before, *values], grid)


class Programs:
    """Makes pipelines, and keeps the driver's cache of them on disk."""

    def __init__(self, handles: Handles):
        self.handles, self.adapter, self.name = handles, handles.adapter, handles.name
        self._disk = disk_cache()
        self._key = key_of("vulkan pipelines", self.adapter.cache_id)
        cached = self._disk.get(self._key) or b""
        self.cache = self._make_cache(cached)
        self._size = len(cached)

    def _make_cache(self, data: bytes) -> Any:
        vk = self.handles.vk
        held = vk.ffi.from_buffer(data) if data else None
        info = vk.VkPipelineCacheCreateInfo(initialDataSize=len(data), pInitialData=held)
        return vk.vkCreatePipelineCache(self.handles.device, info, None)

    def save(self) -> None:
        """Writes the driver's cache to disk, if it has grown."""
        vk = self.handles.vk
        size = vk.ffi.new("size_t*")
        vk.lib.vkGetPipelineCacheData(self.handles.device, self.cache, size, vk.ffi.NULL)
        if int(size[0]) <= self._size or int(size[0]) > CACHE_BYTES:
            return
        data = vk.ffi.new("char[]", int(size[0]))
        vk.lib.vkGetPipelineCacheData(self.handles.device, self.cache, size, data)
        self._size = int(size[0])
        self._disk.put(self._key, bytes(vk.ffi.buffer(data, self._size)))

    def load(self, code: bytes, kernels: Sequence[KernelInfo]) -> Program:
        """A program, whose pipelines are made when they are first launched."""
        words = words_of(code)
        try:
            missing = [c for c in capabilities_of(words) if c not in self.adapter.capabilities]
        except ValueError as error:
            raise failures.not_built(self.name, str(error)) from error
        if missing:
            raise DeviceError(
                "vulkan-capability",
                f"{self.name} ({self.adapter.title}) lacks what the program needs: {', '.join(missing)}",
                hint="use another device, or other types",
            )
        return Program(self, words, kernels)

    def close(self) -> None:
        """Frees the cache."""
        self.handles.vk.vkDestroyPipelineCache(self.handles.device, self.cache, None)


class Program:
    """One binary and its pipelines."""

    def __init__(self, programs: Programs, words: Sequence[int], kernels: Sequence[KernelInfo]):
        self._programs, self._words, self._kernels = programs, words, kernels
        self._is_bound = are_bound(words)
        self._made: dict[tuple[int, tuple[int, ...]], Kernel] = {}

    def kernel(self, number: int, block: tuple[int, ...]) -> Kernel:
        """The pipeline of a kernel for blocks of a size."""
        key = number, block
        if (known := self._made.get(key)) is None:
            known = self._made[key] = self._make(self._kernels[number], block)
            self._programs.save()
        return known

    def _make(self, info: KernelInfo, block: tuple[int, ...]) -> Kernel:
        handles = self._programs.handles
        vk, device = handles.vk, handles.device
        buffers = sum(a.is_buffer for a in info.arguments)
        kernel = Kernel(info, None, None, None, self._is_bound)
        addresses = [] if self._is_bound else [0] * buffers
        size = len(kernel.pack(addresses, [bytes(8)] * (len(info.arguments) - buffers), (0, 0, 0)))
        buffers = buffers - len(addresses) + (size > PUSH_BYTES)
        stage = vk.VK_SHADER_STAGE_COMPUTE_BIT
        texels = texels_of(self._words, info.name)
        kinds = [TEXEL if n in texels else STORAGE for n in range(buffers)]
        bindings = [
            vk.VkDescriptorSetLayoutBinding(binding=n, descriptorType=kind, descriptorCount=1, stageFlags=stage)
            for n, kind in enumerate(kinds)
        ]
        sets = vk.vkCreateDescriptorSetLayout(
            device, vk.VkDescriptorSetLayoutCreateInfo(bindingCount=buffers, pBindings=bindings), None
        )
        ranges = [] if size > PUSH_BYTES else [vk.VkPushConstantRange(stageFlags=stage, offset=0, size=size)]
        layout = vk.vkCreatePipelineLayout(
            device, vk.VkPipelineLayoutCreateInfo(pSetLayouts=[sets], pPushConstantRanges=ranges), None
        )
        return Kernel(info, sets, layout, self._pipeline(info, block, layout), self._is_bound, texels)

    def _pipeline(self, info: KernelInfo, block: tuple[int, ...], layout: Any) -> Any:
        handles = self._programs.handles
        vk, device = handles.vk, handles.device
        words = self._words if info.block is not None else with_block_size(self._words, info.name, block)
        code = struct.pack(f"<{len(words)}I", *words)
        module = None
        try:
            create = vk.VkShaderModuleCreateInfo(codeSize=len(code), pCode=code)
            module = vk.vkCreateShaderModule(device, create, None)
            stage = vk.VkPipelineShaderStageCreateInfo(
                stage=vk.VK_SHADER_STAGE_COMPUTE_BIT, module=module, pName=info.name
            )
            flags = _DISPATCH_BASE
            create = vk.VkComputePipelineCreateInfo(flags=flags, stage=stage, layout=layout, basePipelineIndex=-1)
            pipelines = vk.vkCreateComputePipelines(device, self._programs.cache, 1, [create], None)
        except vk.VkErrorDeviceLost:
            raise
        except (vk.VkException, vk.VkError) as error:
            raise failures.not_built(handles.name, type(error).__name__) from error
        finally:
            if module is not None:
                vk.vkDestroyShaderModule(device, module, None)
        return pipelines[0]

    def close(self) -> None:
        """Destroys the pipelines."""
        handles = self._programs.handles
        vk, device = handles.vk, handles.device
        for kernel in self._made.values():
            vk.vkDestroyPipeline(device, kernel.pipeline, None)
            vk.vkDestroyPipelineLayout(device, kernel.layout, None)
            vk.vkDestroyDescriptorSetLayout(device, kernel.set_layout, None)
        self._made.clear()
