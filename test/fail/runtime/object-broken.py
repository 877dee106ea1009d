# EXIT: 1
# ERROR: '<bytes>' can't be loaded
import hologram

hologram.compile(b"\x7fELF and then nothing")
