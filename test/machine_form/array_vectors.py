"""Golden vectors of array-level programs, `docs/isa/vectors/arrays.json`: a program for each instruction, its arrays,
and what the interpreter makes of them. `make conformance` writes the file; its README describes the format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import hologram
from hologram import isa
from hologram.dialects import make_context
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.listing import Array, Arrays
from hologram.dialects.machine.to_listing import listing_of
from hologram.interpreter import interpret
from hologram.lowering.machine.lift_machine import LiftMachinePass

FILE = Path(__file__).resolve().parents[2] / "docs" / "isa" / "vectors" / "arrays.json"
TOLERANCE = 2.0**-7, 2.0**-16
"""The allowed difference of floats, as a part of the greatest: for results of 16 bits, and for wider ones."""
Values = np.ndarray[Any, np.dtype[Any]]

FUNCTIONS = """
.func twice_plus(r0: f32, r1: f32) -> (r0: f32) {
  add.f32 r0, r0, r0
  add.f32 r0, r0, r1
  ret
}
.func both(r0: f32) -> (r0: f32, r1: f32) {
  abs.f32 r1, r0
  ret
}
.func scaled(r0: f32, r1: f32) -> (r2: f32, r1: f32) {
  mov_imm.f32 r3, 0.25
  mul.f32 r2, r0, r3
  ret
}
"""

PROGRAMS: list[tuple[str, str]] = [
    (
        "f32[3, 4] f32[4] f32[4, 3]",
        "map buf2, buf0, buf1, body(twice_plus), "
        "maps((d0, d1) -> (d1, d0), (d0, d1) -> (3 - d0), (d0, d1) -> (d0, d1))",
    ),
    (
        "f32[2, 5] f32[2] f32[2]",
        "reduce (buf1, buf2), buf0, kinds(add, max), types(f32, f32), body(both), finish(scaled), "
        "maps((d0, d1) -> (d0, d1), (d0, d1) -> (d0), (d0, d1) -> (d0))",
    ),
    ("u16[3, 3]", "mov_imm.u16 r1, 40000\nfill buf0, r1"),
    ("bool[5] bool[5]", "copy buf1, buf0"),
    ("i64[2, 3, 4] i64[4, 2, 3]", "transpose buf1, buf0, permutation(2, 0, 1)"),
    ("f32[7] f32[7]", "parallel_map.tanh.f32 buf1, buf0"),
    ("u8[9] u8[9] u8[9]", "parallel_map_binary.sub.u8 buf2, buf0, buf1"),
    ("f32[300] f32[]", "parallel_reduce.add.f32 buf1, buf0"),
    ("i32[4, 2] i64[3]= i32[3, 2]", "gather buf2, buf0, buf1, axis(0)"),
    ("f32[3, 4] f32[3, 4]", "softmax buf1, buf0, axis(1)"),
    ("f32[3, 4] f32[5, 4] f32[3, 5] f32[3, 5]", "gemm buf3, buf0, buf1, buf2, alpha(2.0), beta(-1.0), trans_b"),
    ("u32[3, 4] i32[4]", "argmin.u32 buf1, buf0, axis(0)"),
    ("i32[3, 4] i64[3]", "argmax.i32 buf1, buf0, axis(1)"),
    ("f16[3, 4] i64[3]", "argmax.f16 buf1, buf0, axis(1), nan"),
    ("i32[2, 5] i32[2, 5]", "scan.max.i32 buf1, buf0, axis(1), exclusive"),
    ("f64[4, 2] i32[3]= f64[3, 2] f64[4, 2]", "scatter buf3, buf0, buf1, buf2, axis(0)"),
    ("f32[2, 6] f32[6] f32[6] f32[2, 6]", "layer_norm buf3, buf0, buf1, buf2, eps(1e-5)"),
    ("f32[2, 3, 4] f32[3] f32[3] f32[2, 3, 4]", "batch_norm buf3, buf0, buf1, buf2, eps(0.5)"),
    ("f32[2, 4, 3] f32[4] f32[4] f32[2, 4, 3]", "group_norm buf3, buf0, buf1, buf2, groups(2), eps(1e-5)"),
    ("bf16[2, 3] bf16[3] bf16[2, 3]", "layer_scale buf2, buf0, buf1"),
    ("i32[2, 2, 3] i32[2, 3, 2] i32[2, 2, 2]", "batched_gemm buf2, buf0, buf1"),
    ("f16[3, 2] bf16[3, 4] f32[2, 4]", "mixed_precision_gemm buf2, buf0, buf1, trans_a"),
    ("i8[2, 4] u8[4, 3] f32[2, 3]", "quantized_gemm.i8.u8 buf2, buf0, buf1, a_scale(0.5), b_scale(0.125)"),
    ("f64[2, 3, 2] f64[2, 2, 3] f64[2, 2]", "tensor_contract buf2, buf0, buf1, contract_a(1, 2), contract_b(2, 1)"),
    (
        "f32[1, 2, 5, 5] f32[4, 1, 3, 3] f32[4] f32[1, 4, 3, 2]",
        "conv2d buf3, buf0, buf1, buf2, stride(2, 3), padding(1, 1), groups(2)",
    ),
    ("f32[2, 3, 4] f32[2, 3, 4] f32[2, 3, 4] f32[2, 3, 4]", "attention buf3, buf0, buf1, buf2, causal"),
    ("f32[3, 4] f32[5, 4] f32[5, 2] f32[3, 2]", "flash_attention buf3, buf0, buf1, buf2, block_size(2), scale(0.5)"),
    ("f32[2, 6, 2] f32[2, 6, 2]", "fft buf1, buf0, inverse"),
    ("f32[3] i32[3]= i32[4]+ f32[4, 2] f32[3, 2]", "sparse_gemm buf4, buf0, buf1, buf2, buf3"),
    ("f32[1, 3, 2, 4] f32[3, 2] f32[1, 3, 2, 4]", "rope buf2, buf0, buf1, halves"),
    ("i16[2, 4, 2] i16[2, 2, 2] i64[]= i16[2, 4, 2]", "kv_cache_update buf3, buf0, buf1, buf2"),
    ("f32[4] f32[4]", "all_reduce.add.f32 buf1, buf0"),
    ("u64[3] u64[1, 3]", "all_gather buf1, buf0"),
    ("f32[3, 5] f32[3, 5]", "sort.f32 buf1, buf0, axis(0)"),
    ("u8[2, 6] i32[2, 6]", "argsort.u8 buf1, buf0, axis(1), descending"),
    ("i16[4]+ i16[2, 3] i64[2, 3]", "searchsorted.i16 buf2, buf0, buf1, right"),
    ("f32[4, 2] i64[3]= f32[3, 2] f32[4, 2]", "scatter_reduce.max.f32 buf3, buf0, buf1, buf2, axis(0)"),
]  # fmt: skip
"""The arrays of each program, `=` after those of indices below 3 and `+` after those that ascend by one; its lines."""


def text(parameters: str, lines: str) -> str:
    """A program's assembly, canonical."""
    arrays = parameters.replace(", ", ",").split()
    header = ", ".join(f"buf{n}: {a.rstrip('=+')}" for n, a in enumerate(arrays))
    body = "".join(f"  {line}\n" for line in lines.splitlines())
    functions = FUNCTIONS if "body(" in lines else ""
    return isa.disassemble(isa.assemble(f"{functions}.arrays vector({header}) {{\n{body}}}\n"))


def shapes(assembly: str) -> list[Array]:
    """The types of a program's arrays."""
    (program,) = (item for item in listing_of(isa.assemble(assembly)) if isinstance(item, Arrays))
    return [p for p in program.parameters if isinstance(p, Array)]


def inputs(assembly: str, parameters: str) -> list[Values]:
    """Arrays of small numbers of both signs."""
    marks = [a[-1] for a in parameters.replace(", ", ",").split()]
    found: list[Values] = []
    for number, (array, mark) in enumerate(zip(shapes(assembly), marks, strict=True)):
        places = np.arange(int(np.prod(array.sizes, dtype=int)))
        values = (places * 7 + 3 * number) % 11 - 5
        values = (places * 2 + 1) % 3 if mark == "=" else places if mark == "+" else values
        dtype = DTYPES[array.dtype]
        scaled = values / 4 if dtype.is_float else values > 0 if dtype.kind == "bool" else values
        found.append(np.asarray(scaled).astype(dtype.numpy).reshape(array.sizes))
    return found


def interpreted(assembly: str, arrays: Sequence[Any]) -> None:
    """Runs a program by the interpreter."""
    module = isa.assemble(assembly)
    LiftMachinePass().apply(make_context(), module)
    interpret(module, "vector", list(arrays))


def compiled(assembly: str, arrays: Sequence[Any]) -> None:
    """Runs a program on the CPU."""
    module = isa.assemble(assembly)
    hologram.compile(module, entry="vector", cache=False, opt_level=0)(*arrays)


def rows() -> Iterator[dict[str, Any]]:
    """The programs of the file."""
    for parameters, lines in PROGRAMS:
        assembly = text(parameters, lines)
        arrays = inputs(assembly, parameters)
        before = [a.tobytes().hex() for a in arrays]
        interpreted(assembly, arrays)
        after = [a.tobytes().hex() for a in arrays]
        yield {
            "instruction": lines.splitlines()[-1].partition(" ")[0],
            "assembly": assembly,
            "binary": isa.encode(isa.assemble(assembly)).hex(),
            "arguments": before,
            "results": {str(n): new for n, (old, new) in enumerate(zip(before, after, strict=True)) if new != old},
        }


def written() -> str:
    """The file: a program a line."""
    return '{"format": 1, "programs": [\n' + ",\n".join(json.dumps(row) for row in rows()) + "\n]}\n"


def read() -> list[dict[str, Any]]:
    """The programs in the file."""
    return json.loads(FILE.read_text("utf-8"))["programs"]


def difference(row: Mapping[str, Any], run: Callable[[str, Sequence[Any]], None]) -> str:
    """The difference between a run and a program's row; empty if there is none beyond the tolerance of floats."""
    types = shapes(row["assembly"])
    given = [_array(data, t) for data, t in zip(row["arguments"], types, strict=True)]
    run(row["assembly"], given)
    for number, (found, array) in enumerate(zip(given, types, strict=True)):
        wanted = _array(row["results"].get(str(number), row["arguments"][number]), array)
        if not _near(found, wanted, DTYPES[array.dtype].is_float):
            return f"array {number} of '{row['instruction']}' is {found.tolist()}, not {wanted.tolist()}"
    return ""


def _array(data: str, array: Array) -> Values:
    return np.frombuffer(bytes.fromhex(data), DTYPES[array.dtype].numpy).copy().reshape(array.sizes)


def _near(found: Values, wanted: Values, is_float: bool) -> bool:
    if not is_float:
        return bool((found == wanted).all())
    scale = float(np.abs(wanted.astype(np.float64)).max(initial=0.0))
    part = TOLERANCE[found.itemsize > 2]
    return np.allclose(found.astype(np.float64), wanted.astype(np.float64), 0.0, part * scale, equal_nan=True)


def write() -> None:
    """Writes the file."""
    FILE.write_text(written(), "utf-8")


__all__ = ["compiled", "difference", "interpreted", "read", "write", "written"]
