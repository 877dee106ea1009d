# ERROR: the table of sections is not in order

from hologram import isa
from hologram.dialects.machine.container import HEAD, HEADER, digest_of

data = bytearray(isa.encode(isa.assemble(".program p() {\n  exit\n}\n")))
data[HEADER] ^= 1
data[HEAD.size : HEADER] = digest_of(bytes(data))
isa.decode(bytes(data))
