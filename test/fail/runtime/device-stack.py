# EXIT: 1
# ERROR: kernel 'main' takes more stack than wasm:0 has, which is 1048576 bytes
from hologram.runtime.devices.failures import stack_full

raise stack_full("wasm:0", "main", 1 << 20)
