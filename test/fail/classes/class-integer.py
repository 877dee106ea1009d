# EXIT: 1
# ERROR: class must be an integer, found 1\.5
from hologram import classes

classes.neighbours(1.5)  # pyright: ignore[reportArgumentType]
