# ERROR: relocation 10 of x86-64 is none of position-independent code
from hologram.host_target import HostTarget
from hologram.lowering.emit.elf import link_shared
from hologram.lowering.emit.native import assemble

TEXT = ".data\n.long here\n.text\nhere: ret\n"
link_shared([("x", assemble(TEXT, HostTarget("x86_64-unknown-linux-gnu", "generic", "")))], "x.so")
