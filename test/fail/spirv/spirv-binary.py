# EXIT: 1
# ERROR: a SPIR-V binary begins with 0x7230203, not 0x3022307
from hologram.lowering.targets.spirv.reader import read_module

read_module(bytes.fromhex("07230203") + bytes(16))
