"""The standard library of kernels: Python sources, one operation a file, to be called, compiled, read and copied.

Those that are one instruction on each element are written by `make docs` from the instruction's declaration.

    from hologram.kernels.stdlib.vector.vector_add import vector_add

Each kernel's docstring says what it computes, then the shapes, the types and the place in the specification.
"""

from pathlib import Path

ROOT = Path(__file__).parent
"""The folder of the library: its folders are the areas."""


def files() -> list[Path]:
    """The files of kernels, by area and name."""
    return sorted(path for path in ROOT.glob("*/*.py") if path.name != "__init__.py")
