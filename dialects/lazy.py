"""Numpy, imported at its first use: reading and printing IR must not pay for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:

    class _Lazy:
        """Stands for the module until an attribute is asked for."""

        def __getattr__(self, name: str):
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _Lazy()

__all__ = ["np"]
