"""Programs of one array-level extension, run on the CPU and by the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

import hologram
from interpreter.running import run

Array = np.ndarray[Any, np.dtype[Any]]
BF16: Any = ml_dtypes.bfloat16
_ELEMENTS = {
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "bool": "i1",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "i8", "uint16": "i16", "uint32": "i32",
    "uint64": "i64",
}  # fmt: skip


def memref(value: Array | int, *, static: bool = False) -> str:
    """The type of an array as a memref, with dynamic sizes unless `static`; a number is an i64."""
    if isinstance(value, int):
        return "i64"
    sizes = [str(n) if static else "?" for n in value.shape]
    strides = ", ".join("?" * value.ndim)
    layout = "" if value.flags.c_contiguous else f", strided<[{strides}]>"
    return f"memref<{'x'.join([*sizes, _ELEMENTS[value.dtype.name]])}{layout}>"


def program(
    name: str, ins: Sequence[Array | int], outs: Sequence[Array], attributes: str = "", *, static: bool = False,
    in_place: int | None = None,
) -> str:  # fmt: skip
    """`atlas.NAME` on memrefs: the arguments are the ins, then the outs, unless an in is the out."""
    types = [memref(v, static=static) for v in ins]
    out_types = [memref(v, static=static) for v in outs]
    names, out_names = [f"%i{n}" for n in range(len(ins))], [f"%o{n}" for n in range(len(outs))]
    arguments = [f"{n}: {t}" for n, t in zip(names, types, strict=True)]
    if in_place is None:
        arguments += [f"{n}: {t}" for n, t in zip(out_names, out_types, strict=True)]
    else:
        out_names, out_types = [names[in_place]], [types[in_place]]
    return f"""
func.func @main({", ".join(arguments)}) {{
  atlas.{name} ins({", ".join(names)} : {", ".join(types)}) outs({", ".join(out_names)} : {", ".join(out_types)})
    {{{attributes}}}
  func.return
}}"""


def tensor_program(name: str, ins: Sequence[Array | int], out: Array, attributes: str = "") -> str:
    """`atlas.NAME` on tensors of static shapes."""
    types = [memref(v, static=True).replace("memref", "tensor") for v in ins]
    out_type = memref(out, static=True).replace("memref", "tensor")
    names = [f"%i{n}" for n in range(len(ins))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    return f"""
func.func @main({arguments}) -> {out_type} {{
  %e = tensor.empty() : {out_type}
  %r = atlas.{name} ins({", ".join(names)} : {", ".join(types)}) outs(%e : {out_type}) {{{attributes}}}
  func.return %r : {out_type}
}}"""


def signless(value: Array | int) -> Any:
    """The arguments as the interpreter and a kernel take them: signed integers."""
    if isinstance(value, int) or value.dtype.kind != "u":
        return value
    return value.view(f"i{value.dtype.itemsize}")


def on_both(text: str, ins: Sequence[Array | int], outs: Sequence[Array]) -> tuple[list[Array], list[Array]]:
    """The results of the kernel and of the interpreter; each starts with other garbage in the results."""
    kernel = hologram.compile(text)
    found, expected = [v.copy() for v in outs], [v.copy() for v in outs]
    kernel(*map(signless, ins), *map(signless, found))
    run(text, *map(signless, ins), *map(signless, expected))
    return found, expected
