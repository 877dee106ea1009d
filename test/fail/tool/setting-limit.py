# EXIT: 2
# ERROR: HOLOGRAM_MAX_NESTING is 'deep', expected a whole number
# ERROR: the default is 1000

import os

import hologram

os.environ["HOLOGRAM_MAX_NESTING"] = "deep"
try:
    hologram.compile("func.func @f() {\n  func.return\n}\n")
finally:
    del os.environ["HOLOGRAM_MAX_NESTING"]
