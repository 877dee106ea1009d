# ERROR: two objects define 'answer'
from hologram.host_target import HostTarget
from hologram.lowering.emit.elf import link_shared
from hologram.lowering.emit.native import to_object

image = to_object("@answer = constant i64 42", HostTarget("x86_64-unknown-linux-gnu", "generic", ""))
link_shared([("first", image), ("second", image)], "both.so")
