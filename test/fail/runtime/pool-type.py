# EXIT: 1
# ERROR: there is no type 'f33'
import hologram

hologram.Pool(16).view("f33")
