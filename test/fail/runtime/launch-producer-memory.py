# EXIT: 1
# ERROR: argument 'x' points to memory that can't be read: 0x40 to 0x50
# ERROR: hint: it is not in main memory, was given back, or its class is at fault
from types import SimpleNamespace

from hologram.runtime.foreign import view_of

view_of("x", SimpleNamespace(__array_interface__={"shape": (4,), "typestr": "<f4", "data": (64, False)}))
