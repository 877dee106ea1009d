# EXIT: 1
# ERROR: error: the program as it was given has more than 2 operations, and the limit is 2
# ERROR: HOLOGRAM_MAX_OPERATIONS=2

import os

import hologram

text = "func.func @f(%x: f32) -> f32 {\n  %y = arith.negf %x : f32\n  func.return %y : f32\n}\n"
os.environ["HOLOGRAM_MAX_OPERATIONS"] = "2"
try:
    hologram.compile(text)
finally:
    del os.environ["HOLOGRAM_MAX_OPERATIONS"]
