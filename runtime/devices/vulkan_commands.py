"""The queue of a Vulkan device: steps in order, collected in command buffers, counted by a timeline semaphore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hologram.errors import DeviceError
from hologram.runtime.devices.protocol import Event
from hologram.runtime.devices.vulkan_setup import Handles

if TYPE_CHECKING:
    from hologram.runtime.devices.vulkan_programs import Kernel

STEPS = 64
"""Of one command buffer."""
SETS_BUFFERS = 16
"""Buffers a step, on the average, that a pool of descriptors has room for."""
STAMPS = 1024
FOREVER = 2**64 - 1
_COMPUTE, _TRANSFER = 0x800, 0x1000
_READS, _WRITES = 0x20 | 0x800, 0x40 | 0x1000
"""Accesses of programs and copies."""
_STORAGE = 7
"""The kind of descriptors of storage buffers."""
_HOST = 0x4000


class VulkanEvent(Event):
    """A value of the timeline."""

    def __init__(self, queue: Queue, wait: Callable[[int], None], value: int, stamp: int | None = None):
        self._queue, self._wait, self._value, self._stamp = queue, wait, value, stamp

    def wait(self) -> None:
        """Returns when it is reached."""
        self._wait(self._value)

    @property
    def done(self) -> bool:
        """Whether it is reached, and what was read is there."""
        return self._queue.poll(self._value)

    def elapsed(self, since: Event) -> float:
        """The seconds between two events."""
        if not isinstance(since, VulkanEvent) or self._stamp is None or since._stamp is None:
            return super().elapsed(since)
        return self._queue.seconds(since._stamp, self._stamp)


@dataclass
class _Batch:
    """A command buffer, and what must be done when it is done."""

    commands: Any
    descriptors: Any
    steps: int = 0
    buffers: int = 0
    value: int = 0
    after: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])


class Queue:
    """The one queue of a device."""

    def __init__(self, handles: Handles):
        vk = self._vk = handles.vk
        self._ffi = vk.ffi
        self._handles, self._device = handles, handles.device
        flags = vk.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT
        pool = vk.VkCommandPoolCreateInfo(queueFamilyIndex=handles.adapter.family, flags=flags)
        self._pool = vk.vkCreateCommandPool(self._device, pool, None)
        kind = vk.VkSemaphoreTypeCreateInfo(semaphoreType=vk.VK_SEMAPHORE_TYPE_TIMELINE, initialValue=0)
        self._timeline = vk.vkCreateSemaphore(self._device, vk.VkSemaphoreCreateInfo(pNext=kind), None)
        self._value = 0
        self._open: _Batch | None = None
        self._running: list[_Batch] = []
        self._idle: list[_Batch] = []
        self._stamps: Any = None
        self._next_stamp = 0
        self._barrier = vk.VkMemoryBarrier(srcAccessMask=_READS | _WRITES, dstAccessMask=_READS | _WRITES)

    # Batches

    def _batch(self, buffers: int = 0) -> _Batch:
        """The batch to record in, with room for the descriptors of so many buffers."""
        batch = self._open
        if batch is not None and (batch.steps >= STEPS or batch.buffers + buffers > STEPS * SETS_BUFFERS):
            self.submit()
            batch = None
        if batch is None:
            self._retire()
            batch = self._open = self._idle.pop() if self._idle else self._make()
            self._vk.vkBeginCommandBuffer(batch.commands, self._vk.VkCommandBufferBeginInfo(flags=1))
        if batch.steps:
            self._vk.vkCmdPipelineBarrier(
                batch.commands, _COMPUTE | _TRANSFER, _COMPUTE | _TRANSFER, 0, 1, [self._barrier], 0, None, 0, None
            )
        batch.steps += 1
        batch.buffers += buffers
        return batch

    def _make(self) -> _Batch:
        vk = self._vk
        info = vk.VkCommandBufferAllocateInfo(commandPool=self._pool, level=0, commandBufferCount=1)
        (commands,) = vk.vkAllocateCommandBuffers(self._device, info)
        sizes = [vk.VkDescriptorPoolSize(type=_STORAGE, descriptorCount=STEPS * SETS_BUFFERS)]
        pool = vk.VkDescriptorPoolCreateInfo(maxSets=STEPS, pPoolSizes=sizes)
        return _Batch(commands, vk.vkCreateDescriptorPool(self._device, pool, None))

    def submit(self) -> int:
        """Submits what was recorded; gives the value that the timeline then comes to."""
        batch = self._open
        if batch is None:
            return self._value
        self._open = None
        vk = self._vk
        host = vk.VkMemoryBarrier(srcAccessMask=_WRITES, dstAccessMask=0x2000 | _READS | _WRITES)
        stages = _COMPUTE | _TRANSFER
        vk.vkCmdPipelineBarrier(batch.commands, stages, stages | _HOST, 0, 1, [host], 0, None, 0, None)
        vk.vkEndCommandBuffer(batch.commands)
        self._value += 1
        batch.value = self._value
        timeline = vk.VkTimelineSemaphoreSubmitInfo(pSignalSemaphoreValues=[self._value])
        info = vk.VkSubmitInfo(pNext=timeline, pCommandBuffers=[batch.commands], pSignalSemaphores=[self._timeline])
        vk.vkQueueSubmit(self._handles.queue, 1, [info], None)
        self._running.append(batch)
        return self._value

    def wait(self, value: int) -> None:
        """Returns when the timeline has come to a value and what follows from it is done."""
        if value:
            info = self._vk.VkSemaphoreWaitInfo(pSemaphores=[self._timeline], pValues=[value])
            self._vk.vkWaitSemaphores(self._device, info, FOREVER)
        self._retire()

    def poll(self, value: int) -> bool:
        """Whether the timeline has come to a value."""
        if self._vk.vkGetSemaphoreCounterValue(self._device, self._timeline) < value:
            return False
        self._retire()
        return True

    def when_done(self, action: Callable[[], None]) -> None:
        """Does something when what was recorded last is done."""
        batch = self._open or (self._running[-1] if self._running else None)
        if batch is None:
            action()
        else:
            batch.after.append(action)

    def _retire(self) -> None:
        """Finishes the batches that are done."""
        if not self._running:
            return
        reached = self._vk.vkGetSemaphoreCounterValue(self._device, self._timeline)
        while self._running and self._running[0].value <= reached:
            batch = self._running.pop(0)
            actions, batch.after = batch.after, []
            for action in actions:
                action()
            self._vk.vkResetDescriptorPool(self._device, batch.descriptors, 0)
            self._vk.vkResetCommandBuffer(batch.commands, 0)
            batch.steps = batch.buffers = 0
            self._idle.append(batch)

    # Steps

    def copy(self, source: Any, source_offset: int, target: Any, target_offset: int, nbytes: int) -> None:
        """Copies between buffers."""
        region = self._vk.VkBufferCopy(srcOffset=source_offset, dstOffset=target_offset, size=nbytes)
        self._vk.vkCmdCopyBuffer(self._batch().commands, source, target, 1, [region])

    def fill(self, buffer: Any, offset: int, nbytes: int, word: int) -> None:
        """Sets words of a buffer."""
        self._vk.vkCmdFillBuffer(self._batch().commands, buffer, offset, nbytes, word)

    def update(self, buffer: Any, offset: int, data: bytes) -> None:
        """Writes a few bytes, a multiple of four, that the command buffer holds."""
        self._vk.vkCmdUpdateBuffer(self._batch().commands, buffer, offset, len(data), self._ffi.from_buffer(data))

    def dispatch(
        self,
        kernel: Kernel,
        bindings: Sequence[tuple[Any, int, int]],
        scalars: bytes,
        grid: Sequence[int],
        most: Sequence[int],
    ) -> None:
        """Starts a kernel, in as many dispatches as the device wants."""
        vk = self._vk
        batch = self._batch(len(bindings))
        commands = batch.commands
        vk.vkCmdBindPipeline(commands, vk.VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline)
        if bindings:
            self._bind(batch, kernel, bindings)
        if scalars:
            values = self._ffi.from_buffer(scalars)
            vk.vkCmdPushConstants(commands, kernel.layout, vk.VK_SHADER_STAGE_COMPUTE_BIT, 0, len(scalars), values)
        for z in range(0, grid[2], most[2]):
            for y in range(0, grid[1], most[1]):
                for x in range(0, grid[0], most[0]):
                    part = [min(n, m - at) for n, m, at in zip(most, grid, (x, y, z), strict=True)]
                    vk.vkCmdDispatchBase(commands, x, y, z, *part)

    def _bind(self, batch: _Batch, kernel: Kernel, bindings: Sequence[tuple[Any, int, int]]) -> None:
        vk = self._vk
        info = vk.VkDescriptorSetAllocateInfo(descriptorPool=batch.descriptors, pSetLayouts=[kernel.set_layout])
        (found,) = vk.vkAllocateDescriptorSets(self._device, info)
        writes = [
            vk.VkWriteDescriptorSet(
                dstSet=found,
                dstBinding=number,
                descriptorType=_STORAGE,
                descriptorCount=1,
                pBufferInfo=[vk.VkDescriptorBufferInfo(buffer=buffer, offset=offset, range=max(nbytes, 4))],
            )
            for number, (buffer, offset, nbytes) in enumerate(bindings)
        ]
        vk.vkUpdateDescriptorSets(self._device, len(writes), writes, 0, None)
        vk.vkCmdBindDescriptorSets(
            batch.commands, vk.VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, [found], 0, None
        )

    # Time

    def stamp(self) -> int | None:
        """Has the device note the time; gives the note's number, None if it has no clock."""
        if not self._handles.adapter.period:
            return None
        vk = self._vk
        if self._stamps is None:
            info = vk.VkQueryPoolCreateInfo(queryType=vk.VK_QUERY_TYPE_TIMESTAMP, queryCount=STAMPS)
            self._stamps = vk.vkCreateQueryPool(self._device, info, None)
        commands = self._batch().commands
        number = self._next_stamp % STAMPS
        self._next_stamp += 1
        vk.vkCmdResetQueryPool(commands, self._stamps, number, 1)
        vk.vkCmdWriteTimestamp(commands, 0x2000, self._stamps, number)
        return self._next_stamp - 1

    def seconds(self, first: int, last: int) -> float:
        """The seconds between two notes."""
        if self._next_stamp - min(first, last) > STAMPS:
            raise DeviceError("vulkan-stamps", "these events are too old to be timed", hint="time them sooner")
        data = self._ffi.new("uint64_t[2]")
        for place, number in enumerate((first, last)):
            self._vk.vkGetQueryPoolResults(self._device, self._stamps, number % STAMPS, 1, 8, data + place, 8, 1 | 2)
        return (int(data[1]) - int(data[0])) * self._handles.adapter.period * 1e-9

    def close(self) -> None:
        """Waits, and frees all."""
        vk = self._vk
        if not self._handles.is_lost:
            self.wait(self.submit())
        for batch in (*self._idle, *self._running, *([self._open] if self._open else [])):
            vk.vkDestroyDescriptorPool(self._device, batch.descriptors, None)
        if self._stamps is not None:
            vk.vkDestroyQueryPool(self._device, self._stamps, None)
        vk.vkDestroyCommandPool(self._device, self._pool, None)
        vk.vkDestroySemaphore(self._device, self._timeline, None)
