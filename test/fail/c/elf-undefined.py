# ERROR: 'elsewhere' is used as data, and no object defines it
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import HostTarget

TEXT = """
@elsewhere = external hidden global i64
define i64 @read() {
  %x = load i64, ptr @elsewhere
  ret i64 %x
}
"""
link_shared([("x", to_object(TEXT, HostTarget("x86_64-unknown-linux-gnu", "generic", "")))], "x.so")
