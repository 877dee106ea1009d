# EXIT: 2
# ERROR: '.*a.mlir' and another file would both be called 'a.mlir'
import tempfile
from pathlib import Path

from hologram.tools.compile.inputs import find_inputs

with tempfile.TemporaryDirectory() as folder:
    files = [Path(folder) / name / "a.mlir" for name in ("first", "second")]
    for file in files:
        file.parent.mkdir()
        file.touch()
    find_inputs([str(file) for file in files])
