# EXIT: 1
# ERROR: 7 bytes at 10 are not inside a pool of 16 bytes
import hologram

hologram.Pool(16).write(10, b"1234567")
