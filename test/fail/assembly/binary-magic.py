# ERROR: this is no Atlas binary

from hologram import isa

data = bytearray(isa.encode(isa.assemble(".program p() {\n  exit\n}\n")))
data[0] ^= 1
isa.decode(bytes(data))
