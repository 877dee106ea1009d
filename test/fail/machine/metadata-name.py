# EXIT: 2
# ERROR: the module has no program or function 'dubble'
# ERROR: did you mean 'double'
from hologram import isa

isa.metadata(isa.assemble(".program double() {\n  exit\n}\n"))["dubble"]
