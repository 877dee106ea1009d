# EXIT: 1
# ERROR: without knowing its extension .org.example.x.
import hologram
from hologram.runtime.archive import Archive, Extension, write

hologram.load(write(Archive((), (), (Extension("org.example.x", b"", essential=True),))))
