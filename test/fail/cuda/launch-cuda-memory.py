# EXIT: 1
# ERROR: argument 'x' points to memory that is not cuda:0's: 16 bytes at 0x100
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.cuda.arrays import adopt


def ask(*_: Any) -> int:
    return 1


DEVICE: Any = SimpleNamespace(name="cuda:0", ordinal=0, ask=ask)
adopt(
    "x",
    SimpleNamespace(__cuda_array_interface__={"shape": (4,), "typestr": "<f4", "data": (256, False)}),
    False,
    DEVICE,
)
