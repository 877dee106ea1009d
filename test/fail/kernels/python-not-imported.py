# ERROR: 'u32' is a name of hologram.language, and is not imported
from __future__ import annotations

import numpy as np

import hologram
from hologram.language import Array, f32, get_global_id


@hologram.kernel(lanes="len(y)")
def clear(n: u32, y: Array[f32]):  # noqa: F821  # pyright: ignore
    y[get_global_id()] = 0


clear(3, np.zeros(4, np.float32))
