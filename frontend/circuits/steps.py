"""A circuit as a function of numbers: each class is a value, each operation a scalar instruction on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hologram.dialects.sigil.tiles import NoTileReading, Tile, step_of
from hologram.dialects.sigil.tree import Leaf, Par, leaves, transformed
from hologram.errors import CircuitError
from hologram.frontend.circuits.parser import parse_tree


@dataclass(frozen=True)
class ClassStep:
    """outs := instruction(ins), on the numbers of classes. `copy` and `swap` are instructions here."""

    instruction: str
    ins: tuple[int, ...]
    outs: tuple[int, ...]


@dataclass(frozen=True)
class ClassProgram:
    """The steps of a circuit on the first classes, which are given, and the classes of its results."""

    inputs: int
    steps: tuple[ClassStep, ...]
    outputs: tuple[int, ...]


def class_program(text: str, inputs: int, outputs: Sequence[int] | None, name: str = "<circuit>") -> ClassProgram:
    """The function that a circuit is of `inputs` classes: 0, 1, ... Its results are the classes `outputs`, by default
    the one behind the inputs. Raises CircuitError, and PassError where branches are not independent."""
    body = transformed(parse_tree(text, name))
    if any(isinstance(node, Par) for node in body):
        _check_branches(text, name)
    steps: list[ClassStep] = []
    known = set(range(inputs))
    for leaf, _ in leaves(body):
        if (step := _step(leaf, text, name)) is None:
            continue
        for number in step.ins:
            if number not in known:
                raise CircuitError(
                    "circuit-unset", f"class {number} is read before it has a value", text, leaf.place, name=name,
                    hint=f"the {inputs} parameters are the first classes; others are written before they are read",
                )  # fmt: skip
        known |= set(step.outs)
        steps.append(step)
    results = (inputs,) if outputs is None else tuple(outputs)
    for number in results:
        if number not in known:
            raise CircuitError(
                "circuit-output", f"class {number}, which is a result, gets no value", text, 0, name=name,
                hint="outputs=[...] names the classes of the results; by default it is the one behind the parameters",
            )  # fmt: skip
    return ClassProgram(inputs, tuple(steps), results)


def _step(leaf: Leaf, text: str, name: str) -> ClassStep | None:
    try:
        step = step_of(leaf)
    except NoTileReading as error:
        raise CircuitError("circuit-reading", str(error), text, leaf.place, name=name) from None
    if step is None:
        return None
    for tile in step.touched:
        if tile.page is not None:
            raise CircuitError(
                "circuit-page",
                f"'{tile}' is a page, and an operation works on whole classes",
                text,
                leaf.place,
                name=name,
            )
    return ClassStep(step.instruction, _classes(step.ins), _classes(step.outs))


def _classes(tiles: Sequence[Tile]) -> tuple[int, ...]:
    return tuple(tile.class_ for tile in tiles)


def _check_branches(text: str, name: str) -> None:
    """Raises PassError where a branch writes what another touches."""
    from hologram.dialects.sigil.build import circuits_of
    from hologram.dialects.sigil.circuit_tiles import checked_tiles
    from hologram.frontend.circuits import parse_circuit

    for circuit in circuits_of(parse_circuit(text, name)):
        checked_tiles(circuit)
