# EXIT: 1
# ERROR: 1 bytes at 0 are not among the 0 bytes held
import hologram

hologram.Pool(16).ring().read(0, 1)
