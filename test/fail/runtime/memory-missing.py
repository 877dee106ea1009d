# ERROR: there is no memory for a pool of \d+ bytes
import hologram

hologram.Pool(10**30)
