# EXIT: 2
# ERROR: error: constraints are texts, not \[3\]
import hologram

hologram.operation(constraints=[3])  # pyright: ignore
