# EXIT: 2
# ERROR: error: 'T' can't be 'f31', which is no type
from hologram.language import Element

T = Element("T", "f32", "f31")
