# ERROR: a vertex has 6 parts, not 3 \[class-vertex\]
from hologram import classes

classes.class_of((0, 1, 1))
