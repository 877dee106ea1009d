# EXIT: 1
# ERROR: the code .f. has no entry record
from hologram.host_target import host_target
from hologram.lowering.emit.native import to_object
from hologram.runtime.archive.verify import entries_of

entries_of(to_object("define void @f() { ret void }", host_target(), 1), "f")
