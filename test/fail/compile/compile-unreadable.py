# ERROR: '.*gone.py' can't be read: no such file
import tempfile
from pathlib import Path

from hologram.tools.compile_inputs import find_inputs

with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "gone.py").symlink_to("nowhere")
    find_inputs([folder])
