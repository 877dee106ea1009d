"""Circuits over arrays of any length, a class of class memory at a time: `hologram.sigil.stream`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hologram.dialects.atlas.instructions.dtypes import DTYPES
from hologram.dialects.sigil.build import circuits_of
from hologram.dialects.sigil.circuit_tiles import checked_tiles, class_uses, step_at
from hologram.dialects.sigil.ops import DEFAULT_TYPE, CircuitOp
from hologram.dialects.sigil.tree import leaves
from hologram.driver.executor import Executor
from hologram.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.dialects.builtin import ModuleOp

    Array = NDArray[Any]


def stream_circuit(
    module: ModuleOp, inputs: Sequence[Any], outputs: Sequence[int] | None, executor: Executor | None
) -> Iterator[tuple[Array, ...]]:
    """The parts of what a circuit makes of the inputs, which are checked before anything runs."""
    circuit = next(iter(circuits_of(module)), None)
    if circuit is None:
        raise InputError("stream-circuit", "the module has no circuit", hint="sigil.parse makes modules of texts")
    _check_pages(circuit)
    reads, writes = class_uses(circuit)
    shown = writes if outputs is None else list(outputs)
    if wrong := [number for number in shown if number not in writes]:
        written = ", ".join(map(str, writes)) or "none"
        raise InputError("stream-outputs", f"the circuit does not write class {wrong[0]}", hint=f"it writes {written}")
    dtype = DTYPES[DEFAULT_TYPE if circuit.type is None else circuit.type.dtype.name].numpy
    arrays = _checked(inputs, reads, dtype)
    return _parts(module, dict(zip(reads, arrays, strict=True)), shown, dtype, executor or Executor())


def _check_pages(circuit: CircuitOp) -> None:
    for leaf, _ in leaves(checked_tiles(circuit)):
        step = step_at(leaf)
        if step is not None and any(tile.page is not None for tile in step.touched):
            raise InputError(
                "stream-pages", "a circuit on pages has no stream: its tiles are not whole classes",
                hint="leave the pages away",
            )  # fmt: skip


def _checked(inputs: Sequence[Any], reads: Sequence[int], dtype: Any) -> list[Array]:
    if len(inputs) != len(reads) or not reads:
        names = ", ".join(map(str, reads)) or "none"
        raise InputError(
            "stream-inputs",
            f"{len(inputs)} arrays are given, and the circuit reads classes {names} before it writes them",
            hint="give one array for each, in this order",
        )  # fmt: skip
    arrays = [np.asarray(x) for x in inputs]
    shapes = {a.shape for a in arrays}
    if len(shapes) > 1 or arrays[0].ndim != 1 or any(a.dtype != dtype for a in arrays):
        found = ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)
        raise InputError(
            "stream-arrays", f"the arrays must have one axis, one length, and elements of {dtype}, found {found}",
            hint="ravel and astype make such arrays; sigil.parse(text, type=...) gives tiles another type",
        )  # fmt: skip
    return arrays


def _parts(
    module: ModuleOp, inputs: dict[int, Array], outputs: Sequence[int], dtype: Any, executor: Executor
) -> Iterator[tuple[Array, ...]]:
    kernel = executor.compile(module)
    tiles = {number: executor.classes[number].view(dtype) for number in {*inputs, *outputs}}
    size = len(next(iter(tiles.values())))
    length = len(next(iter(inputs.values())))
    for start in range(0, length, size):
        count = min(size, length - start)
        for number, array in inputs.items():
            tiles[number][:count] = array[start : start + count]
            if count < size:
                # What is behind the end is computed too, and must not trap where no element does.
                tiles[number][count:] = array[start + count - 1]
        kernel()
        yield tuple(tiles[number][:count] for number in outputs)
