# EXIT: 1
# ERROR: has no entry record: the symbol .hologram_entries. is missing
from hologram.host_target import host_target
from hologram.lowering.emit.elf import link_shared
from hologram.lowering.emit.native import to_object
from hologram.runtime.devices.cpu_shared import load

image = to_object("define void @f() { ret void }", host_target(), 1)
load(link_shared([("f", image)], "f.so"), "f.so")
