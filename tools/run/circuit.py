"""`hologram-run file.circuit`: what a circuit reads before it writes comes from the command line; what it writes is
shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hologram.classes import BYTES_PER_CLASS
from hologram.dialects.sigil.build import circuits_of
from hologram.dialects.sigil.circuit_tiles import class_uses
from hologram.dialects.sigil.ops import DEFAULT_TYPE
from hologram.errors import UsageError
from hologram.frontend.circuits import parse_circuit
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument
from hologram.runtime.memory.class_memory import ClassMemory
from hologram.tools.run.values import Result, parse_value

if TYPE_CHECKING:
    from hologram.driver.source import Source


def run_circuit(
    source: Source, values: Sequence[str], device: str, opt_level: int, cache: bool
) -> tuple[list[Result], str, Callable[[], Any]]:
    """The classes that were written, the device, and the run again on what it left."""
    module = parse_circuit(source.text, source.name)
    (circuit,) = circuits_of(module)
    reads, writes = class_uses(circuit)
    memory = ClassMemory()
    dtype = dtypes.dtype(DEFAULT_TYPE).numpy
    for number, value in zip(reads, _values(values, reads, dtype), strict=False):
        memory[number].view(dtype)[:] = value
    if device == "interpreter":

        def run() -> Any:
            return interpret(module, None, [], state=AtlasState(memory.bytes))

    else:
        from hologram.driver.compiler import compile

        run = compile(source, device=device, opt_level=opt_level, cache=cache, classes=memory)
        device = run.device
    run()
    return [Result(f"c{number:02}", memory[number].view(dtype).copy()) for number in writes], device, run


def _values(texts: Sequence[str], reads: Sequence[int], dtype: Any) -> list[Any]:
    """The values of the classes that are read; 0 where none are given."""
    if len(texts) not in (0, len(reads)):
        names = ", ".join(f"c{number:02}" for number in reads) or "none"
        raise UsageError(
            "run-circuit-arguments",
            f"{len(texts)} values are given, and the circuit reads {len(reads)} classes before it writes them: {names}",
            hint="give one for each, in this order, or none: then all are 0",
        )
    count = BYTES_PER_CLASS // np.dtype(dtype).itemsize
    values: list[Any] = []
    for number, text in zip(reads, texts, strict=False):
        value = parse_value(text, Argument(f"c{number:02}", "buffer", DEFAULT_TYPE, (count,)), fills=True)
        values.append(value)
    return values
