"""Buffers that an executor allocates: arrays in class memory where they fit there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hologram.classes import BYTES_PER_CLASS
from hologram.dialects.classes.allocation import classes_for
from hologram.errors import InputError
from hologram.errors.arguments import checked, described
from hologram.runtime import dtypes
from hologram.runtime.memory.class_memory import ClassMemory
from hologram.runtime.memory.freeable import Freeable
from hologram.runtime.memory.memory_pool import zeroed

if TYPE_CHECKING:
    from numpy.typing import NDArray


@checked
class Buffer(Freeable):
    """An array in class memory, or in plain memory if it is too large for that. Kernels take it as an argument.

    `array` is the numpy array over its bytes. `free` gives its classes back; in a `with` statement that is done at the
    end. A buffer that nobody holds any longer is freed by itself.
    """

    def __init__(self, memory: ClassMemory, shape: tuple[int, ...], dtype: str):
        if dtype not in dtypes.NAMES:
            known = ", ".join(dtypes.NAMES)
            raise InputError("buffer-dtype", f"there are no buffers of '{dtype}'", hint=f"the types are {known}")
        if any(n < 0 for n in shape):
            raise InputError("buffer-shape", f"a buffer can't have the shape {shape}")
        element = dtypes.dtype(dtype).numpy
        bytes = math.prod(shape) * element.itemsize
        count = classes_for(bytes)
        self.dtype = dtype
        self.classes = memory.allocator.allocate(count) if count else range(0)
        """The classes that it takes; none if it lies in plain memory."""
        self._memory = memory
        start = self.classes.start * BYTES_PER_CLASS
        held = memory.bytes[start : start + bytes] if count else zeroed(bytes, "a buffer")
        held[:] = 0
        self._array: NDArray[Any] | None = held.view(element).reshape(shape)

    @property
    def array(self) -> NDArray[Any]:
        """The numpy array over its bytes, not a copy."""
        if self._array is None:
            raise InputError("buffer-freed", "the buffer was freed", hint="allocate another one")
        return self._array

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        return self.array.nbytes

    @property
    def is_empty(self) -> bool:
        """True if it has no elements."""
        return self.array.size == 0

    def copy_from(self, data: Any) -> None:
        """Copies an array of its shape into it."""
        array = self.array
        try:
            if data is None:
                raise TypeError
            array[...] = data
        except (TypeError, ValueError):
            message = f"a buffer of {self.dtype} of shape {array.shape} can't be filled from {described(data)}"
            raise InputError("buffer-data", message, hint="give numbers of its shape") from None

    def copy(self) -> NDArray[Any]:
        """A copy of its elements as a new array."""
        return self.array.copy()

    def free(self) -> None:
        """Gives its classes back. Doing so again does nothing."""
        if self._array is None:
            return
        self._array = None
        self._memory.allocator.release(self.classes)

    def __len__(self) -> int:
        return len(self.array)

    def __del__(self) -> None:
        if getattr(self, "_array", None) is not None:
            self.free()

    def __repr__(self) -> str:
        if self._array is None:
            return "<hologram.Buffer, freed>"
        place = f"classes {self.classes.start} to {self.classes.stop - 1}" if self.classes else "plain memory"
        return f"<hologram.Buffer {self.dtype}{list(self.array.shape)} in {place}>"
