"""Collectives over several devices of this process: each device gives an array, and each gets the result."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hologram.driver.executor import Executor
from hologram.errors import InputError, did_you_mean
from hologram.errors.arguments import checked
from hologram.runtime import dtypes
from hologram.runtime.memory.buffer import Buffer

Array = NDArray[Any]
KINDS = ("add", "mul", "min", "max")
NAN_KINDS = ("min.nan", "max.nan")
"""Of floats alone."""
_WIDENED = ("f16", "bf16")
"""Sums and products of these are computed in f32, and rounded once."""


@checked
class DeviceGroup:
    """Several devices of this process, in an order. Each is an executor, or the name of a device, which gets a new one.

    Several executors may be on one device, as on `cpu`: each has class memory and arrays of its own. The collectives
    take an array of each device, in the group's order, all of one shape and type, and give each a new one.
    """

    def __init__(self, devices: Sequence[Executor | str]):
        """Raises an InputError if there is no device or one comes twice, a DeviceError for a name without a device."""
        executors = [Executor(device) if isinstance(device, str) else device for device in devices]
        if not executors or len({id(executor) for executor in executors}) < len(executors):
            message = "a group has at least one device, and each executor once"
            raise InputError("collective-group", message, hint="make an Executor for each participant")
        self.executors = tuple(executors)

    def __len__(self) -> int:
        return len(self.executors)

    def __repr__(self) -> str:
        return f"<hologram.DeviceGroup of {', '.join(executor.device for executor in self.executors)}>"

    def all_reduce(self, arrays: Sequence[Any], kind: str = "add") -> list[Array]:
        """The arrays combined element by element: the first device's with the second's, that with the third's, ...

        `kind` is add, mul, min or max, which skip NaN, or min.nan or max.nan, which don't. Every device gets the same
        bits, for any number of threads. Sums and products of f16 and bf16 are computed in f32 and rounded once.
        """
        given = self._checked(arrays)
        name = _type_name(given[0], kind)
        kernel = self.executors[0].compile(_program(name, kind, len(self)))
        flat = [np.ascontiguousarray(a).reshape(-1) for a in given]
        results = kernel(*flat)
        reduced: tuple[Array, ...] = (results,) if len(self) == 1 else results
        return [r.reshape(given[0].shape) for r in reduced]

    def all_gather(self, arrays: Sequence[Any]) -> list[Array]:
        """Give each device the arrays of all, in the group's order along a new first axis."""
        given = self._checked(arrays)
        return [np.stack(given) for _ in self.executors]

    def _checked(self, arrays: Sequence[Any]) -> list[Array]:
        """The arrays, if each device gives one and they fit together."""
        count = len(self)
        if len(arrays) != count:
            message = f"the group has {count} device{'s' * (count != 1)}, found {len(arrays)} arrays"
            raise InputError("collective-count", message, hint="each device gives one, in the group's order")
        inputs = [self._array(number, value) for number, value in enumerate(arrays)]
        first = inputs[0]
        for number, array in enumerate(inputs):
            if array.dtype != first.dtype:
                message = f"device {number} gives an array of {array.dtype}, and device 0 one of {first.dtype}"
                raise InputError("collective-dtype", message, hint="convert one with astype")
            if array.shape != first.shape:
                message = f"device {number} gives an array of shape {array.shape}, and device 0 one of {first.shape}"
                raise InputError("collective-shape", message, hint="collectives are over arrays of one shape")
        return inputs

    def _array(self, number: int, value: Any) -> Array:
        if isinstance(value, Buffer):
            return value.array
        if not isinstance(value, np.ndarray):
            problem = "gives nothing" if value is None else f"gives {type(value).__name__}, which is no array"
            message = f"device {number} ({self.executors[number].device}) {problem}"
            raise InputError("collective-missing", message, hint="each device gives a numpy array or a Buffer")
        return value  # pyright: ignore[reportUnknownVariableType]


def _type_name(array: Array, kind: str) -> str:
    """The ISA's name of the array's elements, which the kind is defined for."""
    if kind not in (*KINDS, *NAN_KINDS):
        known = (*KINDS, *NAN_KINDS)
        hint = did_you_mean(kind, known) or f"they are {', '.join(known)}"
        raise InputError("collective-kind", f"there is no reduction '{kind}'", hint=hint)
    names = [name for name in dtypes.NAMES if name not in ("bool", "index") and dtypes.dtype(name).numpy == array.dtype]
    if not names or (kind in NAN_KINDS and dtypes.dtype(names[0]).kind != "float"):
        message = f"'{kind}' over devices is not defined for arrays of {array.dtype}"
        raise InputError("collective-type", message, hint="all types of numbers have add, mul, min and max")
    return names[0]


@functools.cache
def _program(name: str, kind: str, count: int) -> str:
    """A map over an array of each device, with an out for each."""
    element = f"i{name[1:]}" if name[0] == "u" else name
    wide = "f32" if name in _WIDENED and kind in ("add", "mul") else name
    mark = f'hologram.type = "{name}"' if name[0] == "u" else ""
    result = ", ".join(part for part in (mark, 'hologram.result = "(x0[0],)"') if part)
    ins, outs = [f"%x{n}" for n in range(count)], [f"%y{n}" for n in range(count)]
    arguments = [f"{x}: memref<?x{element}>" + (f" {{{mark}}}" if mark else "") for x in ins]
    arguments += [f"{y}: memref<?x{element}> {{{result}}}" for y in outs]
    types = ", ".join([f"memref<?x{element}>"] * count)
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (2 * count))
    body, values = list[str](), [f"%a{n}" for n in range(count)]
    if wide != name:
        body += [f"%w{n} = atlas.cvt {name} to {wide} {value}" for n, value in enumerate(values)]
        values = [f"%w{n}" for n in range(count)]
    total = values[0]
    for number, value in enumerate(values[1:], 1):
        body.append(f"%t{number} = atlas.{kind} {wide} {total}, {value}")
        total = f"%t{number}"
    if wide != name:
        body.append(f"%r = atlas.cvt {wide} to {name} {total}")
        total = "%r"
    body.append(f"atlas.yield {', '.join([total] * count)} : {', '.join([element] * count)}")
    parameters = ", ".join(f"%a{n}: {element}" for n in range(count))
    return "\n".join([
        f"func.func @all_reduce({', '.join(arguments)}) {{",
        f"  atlas.map ins({', '.join(ins)} : {types}) outs({', '.join(outs)} : {types}) maps [{maps}] {{",
        f"  ^bb0({parameters}):",
        *(f"    {line}" for line in body),
        "  }",
        "  func.return",
        "}",
        "",
    ])  # fmt: skip
