# ERROR: version 2.0 is not known here

from hologram import isa

data = bytearray(isa.encode(isa.assemble(".program p() {\n  exit\n}\n")))
data[8] = 2
isa.decode(bytes(data))
