# EXIT: 1
# ERROR: page is 48, out of the range of 0 to 47
from hologram import classes

classes.address(5, 48)
