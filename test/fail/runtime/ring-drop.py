# EXIT: 1
# ERROR: 1 bytes can't go: 0 bytes are held
import hologram

hologram.Pool(16).ring().drop(1)
