# EXIT: 1
# ERROR: vulkan:0 .tiny. lacks what the program needs: Int64
import struct
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.vulkan.programs import Programs

programs: Any = object.__new__(Programs)
programs.name = "vulkan:0"
programs.adapter = SimpleNamespace(title="tiny", capabilities={"Shader"})
words = [0x07230203, 0x10500, 0, 1, 0, 2 << 16 | 17, 1, 2 << 16 | 17, 11]
programs.load(struct.pack("<9I", *words), ())
