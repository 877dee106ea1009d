# ERROR: the instruction \d+, 'bar.sink', is not known in this form

from hologram import isa
from hologram.dialects.machine.container import HEAD, HEADER, digest_of

data = isa.encode(isa.assemble(".program p() {\n  bar.sync 3\n  exit\n}\n"))
data = bytearray(data.replace(b"bar.sync", b"bar.sink", 1))
data[HEAD.size : HEADER] = digest_of(bytes(data))
isa.decode(bytes(data))
