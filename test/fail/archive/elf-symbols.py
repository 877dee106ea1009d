# EXIT: 1
# ERROR: is no 64-bit little-endian ELF file
from hologram.lowering.targets.objects.elf import symbol_data

symbol_data(b"MZ", "main", "x.o")
