"""Executors: where kernels run, with the class memory that their programs share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hologram.errors.arguments import checked
from hologram.runtime.devices import find_device
from hologram.runtime.memory.buffer import Buffer
from hologram.runtime.memory.class_memory import ClassMemory

if TYPE_CHECKING:
    from hologram.runtime.launch.kernel import Kernel


@checked
class Executor:
    """A device with class memory. Kernels that it compiles reach that memory; it lives as long as the executor.

    Class memory lies in main memory. On other devices than the processor each call of a kernel that uses it takes it
    along, and brings back what the kernel wrote.

    `executor.classes[5]` is class 5 as a numpy array of bytes, `executor.compile(source)` a kernel, and
    `executor.allocate(1000)` a buffer in class memory.
    """

    def __init__(self, device: str = "cpu", *, classes: ClassMemory | None = None):
        """`classes` is class memory of another executor, to share it."""
        self.device = find_device(device)
        """The device's name."""
        self.classes = ClassMemory() if classes is None else classes

    def __repr__(self) -> str:
        return f"<hologram.Executor on {self.device}, {len(self.classes.allocator.free)} classes free>"

    def compile(self, source: Any, **options: Any) -> Kernel:
        """A kernel on this executor's device and class memory; sources and options are those of `hologram.compile`."""
        from hologram.driver.compiler import compile

        return compile(source, device=self.device, classes=self.classes, **options)

    def allocate(self, shape: int | Sequence[int], dtype: str = "f32") -> Buffer:
        """A buffer of zeros, in classes of its own if 48 suffice, else in plain memory.

        Raises an InputError where the free classes have no run that is long enough.
        """
        return Buffer(self.classes, (shape,) if isinstance(shape, int) else tuple(shape), dtype)


@checked
def default_executor(device: str = "cpu") -> Executor:
    """An executor over the class memory of kernels that name no executor: one memory a device."""
    name = find_device(device)
    return Executor(name, classes=ClassMemory.of_default(name))
