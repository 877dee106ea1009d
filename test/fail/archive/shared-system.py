# EXIT: 1
# ERROR: which this system can.t load
from hologram.runtime.devices import cpu_shared

there = cpu_shared.can_load
cpu_shared.can_load = lambda: False
try:
    cpu_shared.load(b"\x7fELF" + bytes(12) + b"\x03\x00", "x.so")
finally:
    cpu_shared.can_load = there
