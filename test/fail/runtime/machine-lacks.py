# EXIT: 1
# ERROR: the package 'llvmlite' can't be imported: No module named 'llvmlite'
# ERROR: hint: install it: pip install llvmlite
from hologram.errors.machine import machine_error

lack = machine_error(ModuleNotFoundError("No module named 'llvmlite'", name="llvmlite"))
assert lack is not None
raise lack
