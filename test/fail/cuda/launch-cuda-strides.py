# EXIT: 1
# ERROR: argument 'x' does not lie in C order without gaps
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.cuda.arrays import adopt

DEVICE: Any = SimpleNamespace(name="cuda:0", ordinal=0, stream=7)
VALUE = SimpleNamespace(
    __cuda_array_interface__={"shape": (4,), "typestr": "<f4", "data": (256, False), "strides": (8,)}
)
adopt("x", VALUE, True, DEVICE)
