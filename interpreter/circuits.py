"""Circuits on class memory: the tile reading of classes.md section 6, operation by operation in source order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.dialects.atlas.instructions.storage import Trap
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.dialects.sigil import cycle
from hologram.dialects.sigil.build import circuits_of
from hologram.dialects.sigil.circuit_tiles import checked_tiles, step_at
from hologram.dialects.sigil.ops import DEFAULT_TYPE, CircuitOp
from hologram.dialects.sigil.tiles import MOVES, Step, Tile
from hologram.dialects.sigil.tree import leaves
from hologram.errors import InputError
from hologram.interpreter.classes import run, scalar
from hologram.interpreter.core.machine import Handler, division_trap
from hologram.interpreter.core.values import Array, Value, storage_dtype


def find_circuit(module: ModuleOp, entry: str | None) -> CircuitOp | None:
    """The circuit of this name; without a name the only one of a module that holds nothing else."""
    circuits = circuits_of(module)
    if entry is None:
        alone = len(circuits) == 1 and len(module.body.block.ops) == 1
        return circuits[0] if alone else None
    return next((c for c in circuits if c.sym_name.data == entry), None)


def run_circuit(circuit: CircuitOp, count: int, classes: Array) -> None:
    """Does to class memory what a circuit does; `count` is the number of arguments given, which it takes none of."""
    if count:
        name = circuit.sym_name.data
        raise InputError("circuit-arguments", f"circuit @{name} takes no arguments, found {count}")
    dtype = DTYPES[DEFAULT_TYPE] if circuit.type is None else circuit.type.dtype
    for leaf, _ in leaves(checked_tiles(circuit)):
        if (step := step_at(leaf)) is None:
            continue
        ins = [_elements(tile, dtype, classes).copy() for tile in step.ins]
        try:
            results = ins if step.instruction in MOVES else [_instruction(step, dtype, ins)]
        except Trap as trap:
            raise division_trap(leaf.place, trap, ins) from None
        for tile, values in zip(step.outs, results, strict=True):
            _elements(tile, dtype, classes)[:] = values


def _instruction(step: Step, dtype: DType, ins: list[Array]) -> Array:
    return INSTRUCTIONS[step.instruction].INSTRUCTION.evaluate(dtype, *ins)


def _elements(tile: Tile, dtype: DType, classes: Array) -> Array:
    return classes[tile.start : tile.start + tile.bytes].view(storage_dtype(dtype.ir))


SCALARS: dict[str, Callable[[Any, Sequence[Array]], Value]] = dict.fromkeys((op.name for op in cycle.OPS), scalar)
"""What computes each operation of the 768-cycle over lanes; each may trap."""
HANDLERS: dict[str, Handler] = dict.fromkeys(SCALARS, run)
"""What executes each operation of the 768-cycle at host and array level."""
