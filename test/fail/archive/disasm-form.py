# EXIT: 2
# ERROR: has no code of form .wgsl.
from hologram.runtime.archive import Archive, write
from hologram.runtime.archive.disasm import disassemble

disassemble(write(Archive(())), (), ["wgsl"])
