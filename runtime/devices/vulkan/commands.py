"""The queue of a Vulkan device: steps in order, collected in command buffers, counted by a timeline semaphore."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hologram.errors import DeviceError
from hologram.runtime.devices.protocol import Event
from hologram.runtime.devices.vulkan.programs import STORAGE, TEXEL, Kernel
from hologram.runtime.devices.vulkan.setup import TEXEL_BYTES, Handles

STEPS = 64
"""Of one command buffer."""
ENOUGH = 2
"""Batches that are submitted and not done: one that runs, and one for when it is done."""
SETS_BUFFERS = 16
"""Buffers a step, on the average, that a pool of descriptors has room for."""
STAMPS = 1024
FOREVER = 2**64 - 1
_COMPUTE, _TRANSFER = 0x800, 0x1000
_READS, _WRITES = 0x20 | 0x800, 0x40 | 0x1000
"""Accesses of programs and copies."""
_FORMAT = 109
"""Of texels: R32G32B32A32_SFLOAT."""
_HOST, _HOST_READS = 0x4000, 0x2000
_BIND_COMPUTE, _STAGE_COMPUTE = 1, 0x20


class VulkanEvent(Event):
    """A value of the timeline."""

    def __init__(self, queue: Queue, wait: Callable[[int], None], value: int, stamp: int | None = None):
        self._queue, self._wait, self._value, self._stamp = queue, wait, value, stamp

    def wait(self) -> None:
        """Returns when it is reached."""
        self._wait(self._value)

    @property
    def done(self) -> bool:
        """True if it is reached, and what was read is there."""
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
    views: list[Any] = field(default_factory=list[Any])
    """Those of its texel buffers."""
    after: list[Callable[[], object]] = field(default_factory=list[Callable[[], object]])


def _new(vk: Any, name: str, **fields: Any) -> Any:
    """Return a new structure of Vulkan, which says its own type; `fields` must be kept by the caller."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
    return vk.ffi.new(f"Vk{name} *", {"sType": getattr(vk, f"VK_STRUCTURE_TYPE_{kind}"), **fields})


class Records:
    """The driver's calls of every launch, with structures that are made once: the wheel takes longer to make them than
    the driver to read them."""

    def __init__(self, vk: Any, timeline: Any):
        ffi = vk.ffi
        self._lib, self._null = vk.lib, ffi.NULL
        self._begin = _new(vk, "CommandBufferBeginInfo", flags=vk.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        accesses = _READS | _WRITES
        self._between = _new(vk, "MemoryBarrier", srcAccessMask=accesses, dstAccessMask=accesses)
        self._behind = _new(vk, "MemoryBarrier", srcAccessMask=_WRITES, dstAccessMask=_HOST_READS | accesses)
        self._value, self._found = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        self._counted = _new(
            vk, "TimelineSemaphoreSubmitInfo", signalSemaphoreValueCount=1, pSignalSemaphoreValues=self._value
        )
        self._commands, self._signalled = ffi.new("VkCommandBuffer *"), ffi.new("VkSemaphore *", timeline)
        commands = {"commandBufferCount": 1, "pCommandBuffers": self._commands}
        signalled = {"signalSemaphoreCount": 1, "pSignalSemaphores": self._signalled}
        self._submitted = _new(vk, "SubmitInfo", pNext=self._counted, **commands, **signalled)
        self._layout, self._set = ffi.new("VkDescriptorSetLayout *"), ffi.new("VkDescriptorSet *")
        self._allocated = _new(vk, "DescriptorSetAllocateInfo", descriptorSetCount=1, pSetLayouts=self._layout)
        self._view = _new(vk, "BufferViewCreateInfo", format=_FORMAT)
        self._make_room(vk, SETS_BUFFERS)

    def _make_room(self, vk: Any, buffers: int) -> None:
        """Make room for the descriptors of so many buffers."""
        self._room, self._vk = buffers, vk
        self._places = vk.ffi.new("VkDescriptorBufferInfo[]", buffers)
        self._views = vk.ffi.new("VkBufferView[]", buffers)
        self._written = vk.ffi.new("VkWriteDescriptorSet[]", buffers)
        for number in range(buffers):
            write = self._written[number]
            write.sType = vk.VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
            write.dstBinding, write.descriptorCount = number, 1
            write.pBufferInfo, write.pTexelBufferView = self._places + number, self._views + number

    def begin(self, commands: Any) -> int:
        """Begins a command buffer; gives the driver's result, as the others do."""
        return self._lib.vkBeginCommandBuffer(commands, self._begin)

    def barrier(self, commands: Any) -> None:
        """Between two steps."""
        stages = _COMPUTE | _TRANSFER
        self._lib.vkCmdPipelineBarrier(commands, stages, stages, 0, 1, self._between, 0, self._null, 0, self._null)

    def end(self, commands: Any) -> int:
        """Ends a command buffer, behind which the host may read."""
        stages = _COMPUTE | _TRANSFER
        self._lib.vkCmdPipelineBarrier(
            commands, stages, stages | _HOST, 0, 1, self._behind, 0, self._null, 0, self._null
        )
        return self._lib.vkEndCommandBuffer(commands)

    def submit(self, queue: Any, commands: Any, value: int) -> int:
        """Submits a command buffer, after which the timeline comes to a value."""
        self._value[0], self._commands[0] = value, commands
        return self._lib.vkQueueSubmit(queue, 1, self._submitted, self._null)

    def look(self, device: Any) -> tuple[int, int]:
        """The result, and the value that the timeline has come to."""
        return self._lib.vkGetSemaphoreCounterValue(device, self._signalled[0], self._found), int(self._found[0])

    def bind(
        self, device: Any, batch: _Batch, kernel: Kernel, bindings: Sequence[tuple[Any, int, int]]
    ) -> tuple[int, Any]:
        """A set of descriptors for a kernel's buffers."""
        if len(bindings) > self._room:
            self._make_room(self._vk, len(bindings))
        for number in kernel.texels:
            if result := self._look_at(device, batch, number, *bindings[number]):
                return result, None
        self._layout[0], self._allocated.descriptorPool = kernel.set_layout, batch.descriptors
        result = self._lib.vkAllocateDescriptorSets(device, self._allocated, self._set)
        if not result:
            handle = self._set[0]
            for number, (buffer, offset, nbytes) in enumerate(bindings):
                place = self._places[number]
                place.buffer, place.offset, place.range = buffer, offset, max(nbytes, 4)
                write = self._written[number]
                write.dstSet, write.descriptorType = handle, TEXEL if number in kernel.texels else STORAGE
            self._lib.vkUpdateDescriptorSets(device, len(bindings), self._written, 0, self._null)
        return result, self._set

    def _look_at(self, device: Any, batch: _Batch, number: int, buffer: Any, offset: int, nbytes: int) -> int:
        """Makes the view of a texel buffer, which is there until the batch is done."""
        view = self._view
        # Kernels read whole texels; a buffer has memory for one at least.
        view.buffer, view.offset, view.range = buffer, offset, max(nbytes // TEXEL_BYTES, 1) * TEXEL_BYTES
        result: int = self._lib.vkCreateBufferView(device, view, self._null, self._views + number)
        if not result:
            batch.views.append(self._views[number])
        return result


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
        self._records = Records(vk, self._timeline)

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
            self._check(self._records.begin(batch.commands))
        if batch.steps:
            self._records.barrier(batch.commands)
        batch.steps += 1
        batch.buffers += buffers
        return batch

    def _make(self) -> _Batch:
        vk = self._vk
        info = vk.VkCommandBufferAllocateInfo(commandPool=self._pool, level=0, commandBufferCount=1)
        (commands,) = vk.vkAllocateCommandBuffers(self._device, info)
        most = STEPS * SETS_BUFFERS
        sizes = [vk.VkDescriptorPoolSize(type=kind, descriptorCount=most) for kind in (STORAGE, TEXEL)]
        pool = vk.VkDescriptorPoolCreateInfo(maxSets=STEPS, pPoolSizes=sizes)
        return _Batch(commands, vk.vkCreateDescriptorPool(self._device, pool, None))

    def submit(self) -> int:
        """Submits what was recorded; gives the value that the timeline then comes to."""
        batch = self._open
        if batch is None:
            return self._value
        self._open = None
        self._check(self._records.end(batch.commands))
        self._value += 1
        batch.value = self._value
        self._check(self._records.submit(self._handles.queue, batch.commands, self._value))
        self._running.append(batch)
        return self._value

    def advance(self) -> None:
        """Submits what was recorded, unless the device has enough to do: it goes from step to step of one batch sooner
        than from batch to batch."""
        self._retire()
        if len(self._running) < ENOUGH:
            self.submit()

    def _check(self, result: int) -> None:
        """Raises what the wheel raises for a result of the driver."""
        if result:
            raise self._vk.exception_codes[result]

    def wait(self, value: int) -> None:
        """Returns when the timeline has come to a value and what follows from it is done."""
        if value:
            info = self._vk.VkSemaphoreWaitInfo(pSemaphores=[self._timeline], pValues=[value])
            self._vk.vkWaitSemaphores(self._device, info, FOREVER)
        self._retire()

    def poll(self, value: int) -> bool:
        """Return whether the timeline has come to a value."""
        with self._handles.failing("say how far it is"):
            if self._reached() < value:
                return False
            self._retire()
        return True

    def when_done(self, action: Callable[[], object]) -> None:
        """Does something when what was recorded last is done."""
        batch = self._open or (self._running[-1] if self._running else None)
        if batch is None:
            action()
        else:
            batch.after.append(action)

    def _reached(self) -> int:
        result, value = self._records.look(self._device)
        self._check(result)
        return value

    def _retire(self) -> None:
        """Finishes the batches that are done."""
        if not self._running:
            return
        reached = self._reached()
        while self._running and self._running[0].value <= reached:
            batch = self._running.pop(0)
            actions, batch.after = batch.after, []
            for action in actions:
                action()
            self._vk.vkResetDescriptorPool(self._device, batch.descriptors, 0)
            for view in batch.views:
                self._vk.lib.vkDestroyBufferView(self._device, view, self._ffi.NULL)
            batch.views.clear()
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
        batch = self._batch(len(bindings))
        commands, lib = batch.commands, self._vk.lib
        lib.vkCmdBindPipeline(commands, _BIND_COMPUTE, kernel.pipeline)
        if bindings:
            self._bind(batch, kernel, bindings)
        if scalars:
            values = self._ffi.from_buffer(scalars)
            lib.vkCmdPushConstants(commands, kernel.layout, _STAGE_COMPUTE, 0, len(scalars), values)
        for z in range(0, grid[2], most[2]):
            for y in range(0, grid[1], most[1]):
                for x in range(0, grid[0], most[0]):
                    part = [min(n, m - at) for n, m, at in zip(most, grid, (x, y, z), strict=True)]
                    lib.vkCmdDispatchBase(commands, x, y, z, *part)

    def _bind(self, batch: _Batch, kernel: Kernel, bindings: Sequence[tuple[Any, int, int]]) -> None:
        result, sets = self._records.bind(self._device, batch, kernel, bindings)
        self._check(result)
        self._vk.lib.vkCmdBindDescriptorSets(
            batch.commands, _BIND_COMPUTE, kernel.layout, 0, 1, sets, 0, self._ffi.NULL
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
        """Frees all, when nothing is under way any more."""
        vk = self._vk
        for batch in (*self._idle, *self._running, *([self._open] if self._open else [])):
            vk.vkDestroyDescriptorPool(self._device, batch.descriptors, None)
        if self._stamps is not None:
            vk.vkDestroyQueryPool(self._device, self._stamps, None)
        vk.vkDestroyCommandPool(self._device, self._pool, None)
        vk.vkDestroySemaphore(self._device, self._timeline, None)
