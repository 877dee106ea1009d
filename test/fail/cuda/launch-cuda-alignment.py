# EXIT: 1
# ERROR: argument 'x' begins at 0x104, and arrays on cuda:0 begin at multiples of 16 bytes
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.cuda.arrays import adopt

DEVICE: Any = SimpleNamespace(name="cuda:0", ordinal=0, stream=7)
VALUE = SimpleNamespace(__cuda_array_interface__={"shape": (4,), "typestr": "<f4", "data": (260, False)})
adopt("x", VALUE, True, DEVICE)
