"""The text of circuits: `-t circuit`. What it prints is canonical: reading it back gives the same circuit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.dialects.sigil.build import body_of, circuits_of
from hologram.dialects.sigil.tree import print_circuit
from hologram.errors import InputError, where_of

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class CircuitTarget(Target):
    """Prints a module that is one circuit as the text of it."""

    name = "circuit"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        circuits = circuits_of(module)
        others = [op for op in module.body.block.ops if op not in circuits]
        if len(circuits) != 1 or others:
            raise InputError(
                "circuit-form",
                f"a circuit's text is one sigil.circuit, and the module has {len(circuits)} and {len(others)} others",
                where=where_of(others[0]) if others else None,
            )
        output.write(f"{print_circuit(body_of(circuits[0].body.block))}\n")
