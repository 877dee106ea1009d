# EXIT: 1
# ERROR: has no entry record: the symbol .hologram_entries. is missing
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.runtime.devices.cpu.shared import load
from hologram.support.host_target import host_target

image = to_object("define void @f() { ret void }", host_target(), 1)
load(link_shared([("f", image)], "f.so"), "f.so")
