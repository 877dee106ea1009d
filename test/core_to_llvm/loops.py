"""Functions that apply one operation to arrays, element by element or a vector at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LANES = 4

NUMPY = {
    "i1": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "index": "int64",
    "f16": "float16", "f32": "float32", "f64": "float64",
}  # fmt: skip
"""The array type that holds an element type; i1 is a byte."""


@dataclass(frozen=True)
class Case:
    """`body` computes `%r...` from `%a`, `%b`, ...; where it says T<type>, that is the type or a vector of it."""

    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    body: str


def scalar_loop(case: Case) -> str:
    """A function that loads, computes and stores one element at a time."""
    arrays = [*zip("abcd", case.inputs, strict=False), *zip("rst", case.outputs, strict=False)]
    parameters = ", ".join(f"%m{n}: memref<?x{t}>" for n, t in arrays)
    loads = "\n".join(
        f"    %{n} = memref.load %m{n}[%i] : memref<?x{t}>" for n, t in zip("abcd", case.inputs, strict=False)
    )
    stores = "\n".join(
        f"    memref.store %{n}, %m{n}[%i] : memref<?x{t}>" for n, t in zip("rst", case.outputs, strict=False)
    )
    return _loop(case.name, parameters, f"{loads}\n{_typed(case.body, False)}\n{stores}", 1)


def vector_loop(case: Case) -> str:
    """The same with vectors."""
    arrays = [*zip("abcd", case.inputs, strict=False), *zip("rst", case.outputs, strict=False)]
    parameters = ", ".join(f"%m{n}: memref<?x{t}>" for n, t in arrays)
    loads = "\n".join(
        f"    %{n} = vector.load %m{n}[%i] : memref<?x{t}>, vector<{LANES}x{t}>"
        for n, t in zip("abcd", case.inputs, strict=False)
    )
    stores = "\n".join(
        f"    vector.store %{n}, %m{n}[%i] : memref<?x{t}>, vector<{LANES}x{t}>"
        for n, t in zip("rst", case.outputs, strict=False)
    )
    return _loop(f"{case.name}_v", parameters, f"{loads}\n{_typed(case.body, True)}\n{stores}", LANES)


def _typed(body: str, vectors: bool) -> str:
    import re

    return re.sub(r"T<(\w+)>", rf"vector<{LANES}x\1>" if vectors else r"\1", body)


def _loop(name: str, parameters: str, body: str, step: int) -> str:
    return f"""
func.func @{name}({parameters}) {{
  %c0 = arith.constant 0 : index
  %step = arith.constant {step} : index
  %n = memref.dim %ma, %c0 : memref<?x{parameters.split("memref<?x")[1].split(">")[0]}>
  scf.for %i = %c0 to %n step %step {{
{body}
  }}
  func.return
}}
"""
