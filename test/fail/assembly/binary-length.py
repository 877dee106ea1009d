# ERROR: the header says \d+ bytes, the file has \d+

from hologram import isa

data = bytearray(isa.encode(isa.assemble(".program p() {\n  exit\n}\n")))
del data[-1]
isa.decode(bytes(data))
