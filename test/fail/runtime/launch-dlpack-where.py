# EXIT: 1
# ERROR: argument 'x' does not say where it lies: KeyError: 'cpu'
from hologram.runtime.foreign import view_of


class Nowhere:
    def __dlpack_device__(self) -> tuple[int, int]:
        raise KeyError("cpu")

    def __dlpack__(self, **_: object) -> object:
        return None


view_of("x", Nowhere())
