"""The dialects torus and algebra: by the functions that their operations name. Imported where a module has some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute, Operation

from hologram.dialects.algebra import OPERATIONS, generators
from hologram.dialects.atlas.instructions.storage import storage, view, wrap
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.torus import coordinates
from hologram.dialects.torus.base import RingOp
from hologram.dialects.torus.coordinates import ElementsConstant
from hologram.dialects.torus.types import ring_of
from hologram.interpreter.core.host import read
from hologram.interpreter.core.machine import Handler, Machine
from hologram.interpreter.core.scalars import ScalarFunction
from hologram.interpreter.core.values import Array, Buffer, Value, check_shape, is_shaped, isa_type, static_shape
from hologram.interpreter.tensors import check_requirements


def stored(values: Any, type: Attribute, shape: tuple[int, ...]) -> Value:
    """Computed integers or packed elements as a value in storage form."""
    dtype = DTYPES[f"u{isa_type(type).bits}"]
    lanes = np.broadcast_to(np.asarray(values), shape or (1,)).astype(object)
    held = storage(wrap(dtype, lanes), dtype).reshape(shape)
    return Buffer(held) if is_shaped(type) else held


def _given(type: Attribute, value: Any) -> Array:
    """An operand as the operation's function takes it."""
    lanes = np.atleast_1d(cast(Array, value))
    return view(lanes, DTYPES[f"u{isa_type(type).bits}"]) if ring_of(type) is not None else lanes


def run(machine: Machine, op: RingOp, args: list[Any]) -> Sequence[Value]:
    """Any operation on elements, over scalars, vectors and tensors."""
    check_requirements(op, args)
    arrays = [read(op, a) if isinstance(a, Buffer) else a for a in args]
    evaluated = op.evaluate(*(_given(v.type, a) for v, a in zip(op.operands, arrays, strict=True)))
    several: Sequence[Any] = cast("Any", evaluated) if isinstance(evaluated, tuple) else (evaluated,)
    results: list[Value] = []
    for value, result in zip(several, op.results, strict=True):
        scalar = not static_shape(result.type) and not is_shaped(result.type)
        shape = () if scalar or (is_shaped(result.type) and not static_shape(result.type)) else np.shape(value)
        check_shape(op, result.type, shape)
        results.append(stored(value, result.type, shape))
    return results


def constant(machine: Machine, op: ElementsConstant, args: list[Any]) -> Sequence[Value]:
    """Constant elements."""
    type = op.result.type
    values = np.array([v.data for v in op.value.values], object)
    shape = static_shape(type)
    return (stored(values.reshape(shape) if len(values) > 1 else values, type, shape),)


_CONSTANTS: tuple[type[Operation], ...] = (coordinates.ConstantOp, generators.ConstantOp)


def __getattr__(name: str) -> dict[str, Handler]:
    """`HANDLERS`: what executes each operation, by name; what a program added to the dialect too."""
    if name != "HANDLERS":
        raise AttributeError(name)
    known = {op.name: run for op in (*coordinates.OPS, *OPERATIONS) if issubclass(op, RingOp)}
    return known | {op.name: constant for op in _CONSTANTS}


SCALARS: dict[str, ScalarFunction] = {}
"""None traps, so none is a scalar operation to the interpreter."""
