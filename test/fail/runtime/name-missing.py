# EXIT: 2
# ERROR: hologram has no 'complie' \[name-missing\]
import hologram

hologram.complie("x.mlir")  # pyright: ignore
