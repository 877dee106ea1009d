# ERROR: a file that 'a.py' imports changed while it was compiled
# ERROR: hint: compile it again
import tempfile
from pathlib import Path

from hologram.runtime.archive.making import get
from hologram.runtime.archive.pieces import PLAIN, Pieces, Want
from hologram.runtime.archive.sources import Place
from hologram.runtime.cache import DiskCache
from hologram.runtime.source import Source

TEXT = """import hologram
from hologram.language import Array, f32
from .sizes import SIZE


@hologram.kernel(lanes="1")
def a(x: Array[f32]):
    x[0] = SIZE
"""

with tempfile.TemporaryDirectory() as folder:
    sizes = Path(folder) / "sizes.py"
    sizes.write_text("SIZE = 1.0\n")
    place = Place(Source("py", "a.py", TEXT.encode()), str(Path(folder) / "a.py"))
    cache = DiskCache(Path(folder) / "cache", 1 << 20)
    get(Pieces(place, cache), [Want(PLAIN)])
    pieces = Pieces(place, cache)
    pieces.key(Want(PLAIN))
    sizes.write_text("SIZE = 2.0\n")
    get(pieces, [Want("atlas")])
