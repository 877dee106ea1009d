# ERROR: deep\.json: error: the document nests too deep
# ERROR: hint: split it into more kernels, or name what is nested

import os

from hologram.frontend.kernels.document import read_all

os.environ["HOLOGRAM_MAX_NESTING"] = "200000"
try:
    read_all("[" * 100000, "deep.json")
finally:
    del os.environ["HOLOGRAM_MAX_NESTING"]
