# EXIT: 1
# ERROR: argument 'x' says of its memory what can't be: its shape is \(-4,\)
# ERROR: hint: pass a numpy array; the class of what was passed is at fault
from types import SimpleNamespace

from hologram.runtime.foreign import view_of

view_of("x", SimpleNamespace(__array_interface__={"shape": (-4,), "typestr": "<f4", "data": (4096, False)}))
