# ERROR: the file was damaged or changed

from hologram import isa

data = bytearray(isa.encode(isa.assemble(".program p() {\n  exit\n}\n")))
data[-1] ^= 1
isa.decode(bytes(data))
