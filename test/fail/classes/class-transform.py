# ERROR: there is no transform 'm' \[class-transform\]
from hologram import classes

classes.Transform.power("m", 1)
