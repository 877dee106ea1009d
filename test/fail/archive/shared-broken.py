# EXIT: 1
# ERROR: can.t be loaded: it ends in its header
from hologram.runtime.devices.cpu.shared import load

load(b"\x7fELF" + bytes(12) + b"\x03\x00", "x.so")
