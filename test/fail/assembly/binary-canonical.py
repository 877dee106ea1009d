# ERROR: in another way what it could say in one

from hologram import isa
from hologram.dialects.machine.container import HEAD, HEADER, SECTION, digest_of

data = bytearray(isa.encode(isa.assemble(".program p() {\n  bar.sync 3\n  exit\n}\n")))
# The barrier's number in two digits instead of one; the lengths of the section and of the file follow.
data[-3:-2] = b"\x83\x00"
data[HEADER + SECTION.size + 16] += 1
data[16] += 1
data[HEAD.size : HEADER] = digest_of(bytes(data))
isa.decode(bytes(data))
