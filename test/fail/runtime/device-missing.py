# EXIT: 1
# ERROR: device 'abacus' can't be used: package 'beads' is not installed
# ERROR: hint: or use device 'cpu'
import hologram
from hologram.runtime.devices import DEVICES, Kind

DEVICES["abacus"] = Kind("abacus", "beads on wires", "beads.device", packages=("beads",))
hologram.compile("func.func @main() { return }", device="abacus")
