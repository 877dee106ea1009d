"""What executes the array-level extensions, family by family."""

from __future__ import annotations

from xdsl.ir import Operation

from hologram.runtime.interpreter.collectives import COLLECTIVES
from hologram.runtime.interpreter.fourier import FOURIER
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.networks import NETWORKS
from hologram.runtime.interpreter.norms import NORMS
from hologram.runtime.interpreter.products import PRODUCTS
from hologram.runtime.interpreter.search import SEARCH
from hologram.runtime.interpreter.sequences import SEQUENCES
from hologram.runtime.interpreter.sparse import SPARSE

EXTENSIONS: dict[type[Operation], Handler] = {
    **SEARCH,
    **NORMS,
    **PRODUCTS,
    **NETWORKS,
    **FOURIER,
    **SPARSE,
    **SEQUENCES,
    **COLLECTIVES,
}
