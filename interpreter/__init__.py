"""The reference interpreter: the oracle for every backend (isa.md section 6).

It executes the hologram and atlas dialects, and the host code around them, over numpy, by the instructions' own
reference functions and by no code that compiles. Whatever isa.md calls a trap is a `TrapError` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.dialects.builtin import ModuleOp

    from hologram.interpreter.core.state import AtlasState

STEP_LIMIT = 10_000_000
"""How many operations a run may execute before it counts as a runaway; an operation of a block's lanes is one."""


def interpret(
    module: ModuleOp,
    entry: str | None,
    args: Sequence[Any],
    *,
    step_limit: int = STEP_LIMIT,
    state: AtlasState | None = None,
) -> tuple[NDArray[Any], ...]:
    """Calls a function of the module: arrays for tensors and memrefs (these changed in place), numbers for scalars.

    Without `entry` it is the only public function, or `main`. The results are new arrays, scalars of rank 0. `state`
    gives class memory and takes the sums of R; without it the run begins with zeros.
    """
    from hologram.interpreter.entry import call_entry

    return call_entry(module, entry, args, step_limit, state)


def interpret_program(
    module: ModuleOp,
    name: str,
    args: Sequence[Any],
    grid: Sequence[int] = (1, 1, 1),
    block: Sequence[int] | None = None,
    *,
    step_limit: int = STEP_LIMIT,
    state: AtlasState | None = None,
) -> None:
    """Launches an `atlas.program` over a grid of blocks; memrefs are changed in place.

    `block` gives the lanes of a block along x, y, z, if the program does not fix them. `state` is as in `interpret`.
    """
    from hologram.interpreter.entry import call_program

    call_program(module, name, args, grid, block, step_limit, state)
