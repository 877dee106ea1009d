# ERROR: two objects define 'answer'
from hologram.lowering.emit.elf import link_shared
from hologram.lowering.emit.native import HostTarget, to_object

image = to_object("@answer = constant i64 42", HostTarget("x86_64-unknown-linux-gnu", "generic", ""))
link_shared([("first", image), ("second", image)], "both.so")
