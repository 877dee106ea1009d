# ERROR: at byte \d+: there is no listed instruction 4

from hologram import isa
from hologram.dialects.machine.container import HEAD, HEADER, digest_of

data = bytearray(isa.encode(isa.assemble(".program p() {\n  bar.sync 3\n  exit\n}\n")))
data[-5] = 4
data[HEAD.size : HEADER] = digest_of(bytes(data))
isa.decode(bytes(data))
