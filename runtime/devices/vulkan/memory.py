"""Memory of a Vulkan device: large buffers, of which parts are given out, the first that is free."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hologram.runtime.devices.linear_memory import ALIGNMENT, LinearMemory
from hologram.runtime.devices.vulkan.setup import TEXELS, Handles

BLOCK_BYTES = 64 << 20
"""Of a buffer that parts are given out of; what is larger has one of its own."""
SHIFT = 44
"""An address is the number of its buffer, shifted by so much, and the place in it."""


class Block:
    """One buffer with memory, and which parts of it are given out."""

    def __init__(self, handles: Handles, size: int, memory_type: int, is_mapped: bool, number: int) -> None:
        vk = self._vk = handles.vk
        self._device = handles.device
        self.size, self.number = size, number
        addressed = handles.adapter.has_addresses
        usage = 0x1 | 0x2 | 0x20 | (0x20000 if addressed else 0)  # to copy from, to copy to, storage, by address
        usage |= 0x4 if TEXELS in handles.adapter.capabilities else 0
        info = vk.VkBufferCreateInfo(size=size, usage=usage, sharingMode=0)
        self.buffer = vk.vkCreateBuffer(self._device, info, None)
        try:
            needs = vk.vkGetBufferMemoryRequirements(self._device, self.buffer)
            flags = vk.VkMemoryAllocateFlagsInfo(flags=2) if addressed else None
            allocate = vk.VkMemoryAllocateInfo(pNext=flags, allocationSize=needs.size, memoryTypeIndex=memory_type)
            self._memory = vk.vkAllocateMemory(self._device, allocate, None)
        except BaseException:
            vk.vkDestroyBuffer(self._device, self.buffer, None)
            raise
        vk.vkBindBufferMemory(self._device, self.buffer, self._memory, 0)
        where = vk.VkBufferDeviceAddressInfo(buffer=self.buffer)
        self.address: int = vk.lib.vkGetBufferDeviceAddress(self._device, vk.ffi.addressof(where)) if addressed else 0
        """Where it is to kernels that use addresses."""
        self.mapped: memoryview | None = None
        if is_mapped:
            self.mapped = memoryview(vk.vkMapMemory(self._device, self._memory, 0, size, 0)).cast("B")
        self.parts = LinearMemory(0, size)
        """Those that are given out, by their offsets."""

    def close(self) -> None:
        """Frees it."""
        if self.mapped is not None:
            self.mapped.release()
            self._vk.vkUnmapMemory(self._device, self._memory)
        self._vk.vkDestroyBuffer(self._device, self.buffer, None)
        self._vk.vkFreeMemory(self._device, self._memory, None)


@dataclass(frozen=True)
class Place:
    """The memory that an address leads to."""

    buffer: Any
    offset: int
    left: int
    """The bytes that follow in what was allocated."""
    mapped: memoryview | None
    address: int = 0
    """Where it is to kernels that use addresses."""


@dataclass(frozen=True)
class Staging:
    """Memory that both sides see, for a while."""

    buffer: Any
    offset: int
    bytes: memoryview
    release: Callable[[], object]


class Memory:
    """All memory of a device."""

    def __init__(self, handles: Handles):
        self._handles, self._adapter, self._name = handles, handles.adapter, handles.name
        self._blocks: dict[int, Block] = {}
        self.live: dict[int, int] = {}
        """By address, the bytes that were asked for of what is given out there. A number of a buffer is no other's."""
        self._staging: list[Block] = []
        self._next = 1

    @property
    def used(self) -> int:
        """The bytes given out."""
        return sum(block.parts.used for block in self._blocks.values())

    def _new_block(self, nbytes: int, memory_type: int, is_mapped: bool) -> Block | None:
        vk = self._handles.vk
        exact = -(-max(nbytes, 1) // ALIGNMENT) * ALIGNMENT
        for size in dict.fromkeys((max(exact, BLOCK_BYTES), exact)):
            try:
                block = Block(self._handles, size, memory_type, is_mapped, self._next)
            except (vk.VkErrorOutOfDeviceMemory, vk.VkErrorOutOfHostMemory, vk.VkErrorMemoryMapFailed):
                continue
            self._next += 1
            return block
        return None

    def allocate(self, nbytes: int) -> int | None:
        """An address, None if there is no memory."""
        for block in self._blocks.values():
            if (offset := block.parts.allocate(nbytes)) is not None:
                return self._given(block, offset, nbytes)
        with self._handles.failing("allocate memory"):
            new_block = self._new_block(nbytes, self._adapter.device_memory, self._adapter.is_mapped)
        if new_block is None:
            return None
        self._blocks[new_block.number] = new_block
        return self._given(new_block, new_block.parts.allocate(nbytes) or 0, nbytes)

    def _given(self, block: Block, offset: int, nbytes: int) -> int:
        address = (block.number << SHIFT) + offset
        self.live[address] = nbytes
        return address

    def free(self, address: int) -> bool:
        """Gives memory back; False if there is none at this address."""
        if self.live.pop(address, None) is None:
            return False
        return self._blocks[address >> SHIFT].parts.free(address & (1 << SHIFT) - 1)

    def find(self, address: int) -> Place | None:
        """Return the memory at an address; None if there is none."""
        block = self._blocks.get(address >> SHIFT)
        offset = address & (1 << SHIFT) - 1
        if block is None or (begin := block.parts.begin_of(offset)) is None:
            return None
        left = max(begin + self.live[(block.number << SHIFT) + begin] - offset, 0)
        return Place(block.buffer, offset, left, block.mapped, block.address + offset)

    def staging(self, nbytes: int, queue: Any) -> Staging:
        """Memory for one copy; where there is none, what is under way is waited for."""
        for attempt in range(2):
            for block in self._staging:
                if (offset := block.parts.allocate(nbytes)) is not None:
                    return self._staged(block, offset, nbytes)
            new_block = None
            if sum(b.size for b in self._staging) < 4 * BLOCK_BYTES or attempt:
                new_block = self._new_block(nbytes, self._adapter.staging_memory, True)
            if new_block is not None:
                self._staging.append(new_block)
                return self._staged(new_block, new_block.parts.allocate(nbytes) or 0, nbytes)
            queue.wait(queue.submit())
        from hologram.runtime.devices.failures import memory_full

        raise memory_full(self._name, nbytes)

    def _staged(self, block: Block, offset: int, nbytes: int) -> Staging:
        assert block.mapped is not None
        part = block.mapped[offset : offset + nbytes]
        return Staging(block.buffer, offset, part, lambda: block.parts.free(offset))

    def trim(self) -> None:
        """Frees the buffers of which nothing is given out."""
        for number in [n for n, block in self._blocks.items() if not block.parts.used]:
            self._blocks.pop(number).close()
        for block in [b for b in self._staging if not b.parts.used]:
            self._staging.remove(block)
            block.close()

    def close(self) -> None:
        """Frees all."""
        for block in (*self._blocks.values(), *self._staging):
            block.close()
        self._blocks.clear()
        self.live.clear()
        self._staging.clear()
