# EXIT: 2
# ERROR: has no code of form .wgsl.
from hologram.driver.archives.disasm import disassemble
from hologram.runtime.archive import Archive, write

disassemble(write(Archive(())), (), ["wgsl"])
