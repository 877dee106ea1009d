# EXIT: 1
# ERROR: the code .f. has no entry record
from hologram.driver.archives.verify import entries_of
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import host_target

entries_of(to_object("define void @f() { ret void }", host_target(), 1), "f")
