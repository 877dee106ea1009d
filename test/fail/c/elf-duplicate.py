# ERROR: two objects define 'answer'
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import HostTarget

image = to_object("@answer = constant i64 42", HostTarget("x86_64-unknown-linux-gnu", "generic", ""))
link_shared([("first", image), ("second", image)], "both.so")
