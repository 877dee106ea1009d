# ERROR: an empty text is no program
import hologram

hologram.compile("")
