# ERROR: relocation 10 of x86-64 is none of position-independent code
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import assemble
from hologram.support.host_target import HostTarget

TEXT = ".data\n.long here\n.text\nhere: ret\n"
link_shared([("x", assemble(TEXT, HostTarget("x86_64-unknown-linux-gnu", "generic", "")))], "x.so")
