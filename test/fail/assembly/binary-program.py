# ERROR: the container holds no valid program: a lane has no registers r255 to r256

from hologram import isa
from hologram.dialects.machine.container import HEAD, HEADER, digest_of

data = bytearray(isa.encode(isa.assemble(".program p() {\n  mov.u128 r0, r2\n  exit\n}\n")))
data[-3] = 255
data[HEAD.size : HEADER] = digest_of(bytes(data))
isa.decode(bytes(data))
