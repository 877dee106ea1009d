# ERROR: the objects are for different machines
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import HostTarget

targets = [HostTarget(f"{machine}-unknown-linux-gnu", "generic", "") for machine in ("x86_64", "aarch64")]
names = ("first", "second")
images = [(name, to_object(f"@{name} = constant i64 0", t)) for name, t in zip(names, targets, strict=True)]
link_shared(images, "both.so")
