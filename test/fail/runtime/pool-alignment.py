# EXIT: 1
# ERROR: f64 lies at multiples of 8 bytes, not at 4
import hologram

hologram.Pool(16).view("f64", 4)
