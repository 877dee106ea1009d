# EXIT: 1
# ERROR: a class is bytes in memory
# ERROR: hint: write classes\[5\]\[:\] = \.\.\. to change its bytes
import hologram

hologram.Executor().classes[5] = 3  # pyright: ignore
