# EXIT: 1
# ERROR: kernel .k. uses 5 arrays, and kernels on vulkan:0 at most 4
from types import SimpleNamespace
from typing import Any

from hologram.runtime.devices.protocol import KernelArgument, KernelInfo
from hologram.runtime.devices.vulkan_programs import Program

handles = SimpleNamespace(name="vulkan:0", vk=None, device=None)
programs: Any = SimpleNamespace(handles=handles, adapter=SimpleNamespace(sets_bindings=4))
arguments = tuple(KernelArgument("buffer", "f32") for _ in range(5))
Program(programs, [], [KernelInfo("k", (1, 1, 1), 0, arguments)]).kernel(0, (1, 1, 1))
