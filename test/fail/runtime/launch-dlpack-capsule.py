# EXIT: 1
# ERROR: argument 'x' gives no tensor by __dlpack__: it was taken before
from typing import Any

import numpy as np

from hologram.runtime.foreign import view_of


class Once:
    def __init__(self) -> None:
        self.capsule: Any = np.zeros(3).__dlpack__(max_version=(1, 0))

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: object) -> Any:
        return self.capsule


once = Once()
view_of("x", once)
view_of("x", once)
