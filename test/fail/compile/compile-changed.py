# ERROR: a file that 'a.py' imports changed while it was compiled
# ERROR: hint: compile it again
import tempfile
from pathlib import Path

from hologram.driver.artifacts import PLAIN, Request
from hologram.driver.graph import Build
from hologram.driver.portable import PortableSource
from hologram.runtime.settings import current

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
    source = PortableSource("py", "a.py", TEXT.encode(), path=str(Path(folder) / "a.py"))
    settings = current().changed(cache_dir=Path(folder) / "cache")
    Build(source, settings).get([Request(PLAIN)])
    build = Build(source, settings)
    build.key(Request(PLAIN))
    sizes.write_text("SIZE = 2.0\n")
    build.get([Request("atlas")])
