# EXIT: 1
# ERROR: a program is a path, IR text, object bytes or a ModuleOp, found int
import hologram

hologram.compile(42)  # pyright: ignore
