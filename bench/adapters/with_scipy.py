"""scipy: its Fourier transforms, and products of its matrices of compressed rows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from cases import Array
from worker import Unavailable, Variant

scipy: Any = import_module("scipy")
fft: Any = import_module("scipy.fft")
sparse: Any = import_module("scipy.sparse")

threads_wanted = 1


def versions() -> dict[str, str]:
    """The versions of the packages that are measured, by name."""
    return {"scipy": scipy.__version__, "numpy": np.__version__}


def start(threads: int) -> None:
    """Set the threads for the transforms of a batch; a sparse product has one thread."""
    global threads_wanted
    threads_wanted = threads


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the one way to call a row; scipy allocates the results, from memory that was freed before."""
    if kind == "fft":
        names = {"fft": fft.fft, "x": inputs[0].view(np.complex64)[..., 0], "threads": threads_wanted}
        return [Variant("fft(x, workers=threads)", "r = fft(x, workers=threads)", names)]
    if kind == "sparse_gemm":
        values, column, starts, right = inputs
        shape = len(starts) - 1, right.shape[0]
        left = sparse.csr_array((values, column, starts), shape=shape, copy=False)
        # It has copied what is a view of more memory; a change of the inputs shall reach it.
        left.data, left.indices, left.indptr = values, column, starts
        return [Variant("csr_array @ x", "r = left @ x", {"left": left, "x": right})]
    raise Unavailable(f"it has no {kind}")
