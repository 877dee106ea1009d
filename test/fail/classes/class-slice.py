# EXIT: 1
# ERROR: do not lie one after another
import hologram

print(hologram.Executor().classes[0:8:2])
