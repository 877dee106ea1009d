# EXIT: 1
# ERROR: argument 'x' lies on CUDA's device 3, and the kernel runs on cuda:0
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.cuda.arrays import adopt

DEVICE: Any = SimpleNamespace(name="cuda:0", ordinal=0, stream=7)


class Tensor:
    """An array of another library."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 3)

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("it is a sparse one")


adopt("x", Tensor(), False, DEVICE)
