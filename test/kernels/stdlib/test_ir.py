"""Each kernel of the library gives what IR written by hand gives, on the same arrays and by the same reference."""

from __future__ import annotations

from functools import cache
from string import Template
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.frontend.kernels.model import DeviceArray, Parameter, Scalar
from hologram.runtime.launch.kernel import Kernel
from kernels.stdlib.cases import Array, Row, copied, rows
from kernels.stdlib.ir_texts import ONE_NUMBER, REASONS, SOON, TENSORS, bodies

BODIES = bodies()
SPELT = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "i1",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2",
}  # fmt: skip
PROGRAM = "func.func @{name}({params}){results} {{{body}\n  return{returned}\n}}\n"


def element(array: Array) -> str:
    """The type of an array's elements, as IR spells it."""
    return SPELT.get(array.dtype.name) or array.dtype.name.replace("uint", "i").replace("int", "i")


def parameters(row: Row) -> list[Parameter]:
    """The parameters to which a call gives values."""
    return [p for p in row.kernel.document.kernel.params if isinstance(p.type, DeviceArray | Scalar)]


def spelt(row: Row, parameter: Parameter, value: Any) -> str:
    """The type of a parameter of the function."""
    if not isinstance(value, np.ndarray):
        given = str(parameter.type.dtype) if isinstance(parameter.type, Scalar) else ""
        return given if given[0] in "if" else row.types[0]
    array: Array = value  # pyright: ignore[reportUnknownVariableType]
    if row.kernel_name in ONE_NUMBER and parameter.name == "out":
        return f"memref<{element(array)}>"
    kind = "tensor" if row.kernel_name in TENSORS else "memref"
    return f"{kind}<{'?x' * array.ndim}{element(array)}>"


def written(row: Row) -> list[str]:
    """The names of the arrays that the kernel writes."""
    found = parameters(row)
    return [found[n % len(found)].name for n in row.written]


def text(row: Row, given: list[Any]) -> str:
    """The function for the values of a call."""
    typed = {p.name: spelt(row, p, v) for p, v in zip(parameters(row), given, strict=True)}
    # IR has no number with an exponent that has no point.
    values = {f"{p.name}_v": f"{v:.16e}" if isinstance(v, float) else v
              for p, v in zip(parameters(row), given, strict=True)}  # fmt: skip
    chosen = {p.name + "_v": row.constants.get(p.name, getattr(p.type, "value", 0))
              for p in row.kernel.document.kernel.params if p.name not in typed}  # fmt: skip
    outs = written(row)
    sources = [name for name in typed if name not in outs]
    more = {
        "type": row.types[0],
        "to": "to_unsigned" if row.label == "u8" else "",
        "map": "parallel_map" if len(sources) == 1 else "parallel_map_binary",
        "sources": f"{', '.join('%' + n for n in sources)} : {', '.join(typed[n] for n in sources)}",
        "written": f"{', '.join('%' + n for n in outs)} : {', '.join(typed[n] for n in outs)}",
    }
    body = Template(BODIES[row.kernel_name]).substitute(typed | values | chosen | more)
    is_tensors = row.kernel_name in TENSORS
    names = sources if is_tensors else [*typed]
    results = ["%r"] if len(outs) == 1 else [f"%r{n}" for n in range(len(outs))]
    types = ", ".join(typed[n] for n in outs)
    return PROGRAM.format(
        name=row.kernel_name,
        params=", ".join(f"%{n}: {typed[n]}" for n in names),
        results=f" -> ({types})" if is_tensors else "",
        body="\n  " + body.strip(),
        returned=f" {', '.join(results)} : {types}" if is_tensors else "",
    )


@cache
def compiled(program: str) -> Kernel:
    return hologram.compile(program)


def called(row: Row, given: list[Any]) -> list[Any]:
    """The arguments of the kernel after a call of the function."""
    function = compiled(text(row, given))
    names = [p.name for p in parameters(row)]
    outs = written(row)
    found = copied(given)
    if row.kernel_name in TENSORS:
        # Integers of the function have no sign.
        sources = [v for n, v in zip(names, found, strict=True) if n not in outs]
        signed = [v.view("i4") if getattr(v, "dtype", None) == np.uint32 else v for v in sources]
        results = function(*signed)
        for name, result in zip(outs, results if len(outs) > 1 else [results], strict=True):
            found[names.index(name)] = result
        return found
    shapes = [() if row.kernel_name in ONE_NUMBER and n == "out" else getattr(v, "shape", ())
              for n, v in zip(names, found, strict=True)]  # fmt: skip
    function(*(v.reshape(s) if isinstance(v, np.ndarray) else v for v, s in zip(found, shapes, strict=True)))
    return found


def check(row: Row) -> None:
    for sizes in row.sizes:
        given = row.draw(row.types[0], sizes)
        problem = row.wrong(given, called(row, given))
        assert problem is None, f"{row.title} at {sizes}: {problem}\n{text(row, given)}"


FIRST = {row.kernel_name: row for row in reversed(rows())}
HERE = [row for row in rows() if row.kernel_name in BODIES and row.types[0] == FIRST[row.kernel_name].types[0]]


@pytest.mark.parametrize("row", [r for r in HERE if r.title in SOON], ids=lambda r: r.title)
def test_some(row: Row):
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [r for r in HERE if r.title not in SOON], ids=lambda r: r.title)
def test_by_hand(row: Row):
    check(row)


def test_each_kernel_has_ir_or_a_reason():
    assert not BODIES.keys() & REASONS.keys()
    assert BODIES.keys() | REASONS.keys() == FIRST.keys()
