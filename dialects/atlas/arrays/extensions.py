"""The array-level extensions of isa.md section 3, family by family."""

from __future__ import annotations

from xdsl.ir import Operation

from hologram.dialects.atlas.arrays import (
    attention,
    collectives,
    convolution,
    fourier,
    norms,
    products,
    search,
    sequences,
    sorting,
    sparse,
)

OPS: list[type[Operation]] = [
    *search.OPS,
    *norms.OPS,
    *products.OPS,
    *convolution.OPS,
    *attention.OPS,
    *fourier.OPS,
    *sparse.OPS,
    *sequences.OPS,
    *collectives.OPS,
    *sorting.OPS,
]
