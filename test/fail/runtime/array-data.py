# ERROR: array-data\.py:5:1: error: what was passed makes no array: the lists within a list differ in length

import hologram

hologram.array([[1], [2, 3]], device="cpu")
