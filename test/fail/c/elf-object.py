# ERROR: 'notes' can't be linked: it is no 64-bit little-endian ELF file
from hologram.lowering.targets.objects.elf import link_shared

link_shared([("notes", b"these are no object code")], "notes.so")
