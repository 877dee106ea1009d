"""Compiles math operations to loops over arrays through the passes that every program takes, expand-math among them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.parser import Parser

from hologram.dialects import make_context, marks
from hologram.lowering.arithmetic.expand_math import ExpandMathPass, expand
from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.native import compile_ir
from hologram.runtime.devices.cpu.device import load
from hologram.support.host_target import host_target
from stages import parse, run_passes

Array = np.ndarray[Any, Any]

DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
LANES = 16
STAND_IN = "math.exp"
PASSES = (
    "expand-math{{fma={fused} vector-bytes={width} tables={tables}}},permute-tables{{vector-bytes={width}}},"
    "expand-narrow-floats,canonicalize,cse,convert-scf-to-cf,convert-to-llvm"
)

LOOP = """
func.func @f({arguments}) {{
  %zero = arith.constant 0 : index
  %step = arith.constant {step} : index
  %n = memref.dim %r, %zero : memref<?x{type}>
  scf.for %i = %zero to %n step %step {{
{loads}
    %y = {op} {operands} : {value}
    {store} %y, %r[%i] : memref<?x{type}>{suffix}
  }}
  func.return
}}
"""


def expanded(name: str, type: str, *, fused: bool = True) -> ModuleOp:
    """A module with the function `f`, math.`name` expanded."""
    text = f"func.func @f(%x: {type}) -> {type} {{\n  %y = math.{name} %x : {type}\n  func.return %y : {type}\n}}"
    module = Parser(make_context(), text).parse_module()
    ExpandMathPass(fma=fused).apply(make_context(), module)
    module.verify()
    return module


def loop(op: str, type: str, operands: int, lanes: int) -> str:
    """A program that computes `op` for each element of arrays, `lanes` at a time; 1 for scalars."""
    names = [f"%x{k}" for k in range(operands)]
    value = type if lanes == 1 else f"vector<{lanes}x{type}>"
    word, suffix = ("memref", "") if lanes == 1 else ("vector", f", {value}")
    loads = [f"    {n}v = {word}.load {n}[%i] : memref<?x{type}>{suffix}" for n in names]
    return LOOP.format(
        arguments=", ".join(f"{n}: memref<?x{type}>" for n in [*names, "%r"]),
        operands=", ".join(f"{n}v" for n in names),
        loads="\n".join(loads),
        step=lanes,
        type=type,
        op=op,
        value=value,
        store=f"{word}.store",
        suffix=suffix,
    )


def passes(fused: bool, width: int = 0, tables: bool = True) -> str:
    """The pipeline from the loop to llvm, for registers of `width` bytes."""
    return PASSES.format(fused=str(fused).lower(), width=width, tables=str(tables).lower())


def program(op: str, type: str, operands: int, lanes: int, fused: bool, tables: bool = True) -> ModuleOp:
    """The loop over `op`. There is no operation for an activation: its expansion takes the place of another's."""
    if op not in ACTIVATIONS:
        return parse(loop(op, type, operands, lanes))
    module = parse(loop(STAND_IN, type, operands, lanes))
    for nested in list(module.walk()):
        if nested.name == STAND_IN:
            expand(nested, ACTIVATIONS[op], fused=fused, looks_up=tables)
    return module


@cache
def compiled(
    op: str,
    type: str,
    *,
    operands: int = 1,
    fused: bool = True,
    lanes: int = LANES,
    width: int = 0,
    tables: bool = True,
    below: bool = False,
) -> Callable[..., Array]:
    """`op`, such as `math.exp`, or the name of an activation, over arrays of `type` of one size, for registers of
    `width` bytes, or this machine's; without `tables`, where there is a form that has none; `below`: of no number
    above 0."""
    module = program(op, type, operands, lanes, fused, tables)
    for nested in [o for o in module.walk() if o.name == op and below]:
        nested.attributes[marks.NOT_ABOVE_ZERO] = UnitAttr()
    run_passes(module, passes(fused, width, tables))
    image = compile_ir(emit_llvm_ir(module), host_target()).object
    code = load(image, op)
    pointers, sizes = [ctypes.c_void_p] * (operands + 1), [ctypes.c_int64] * (operands + 1)
    run = ctypes.CFUNCTYPE(None, *pointers, *sizes)(code.address("f"))

    def call(*arrays: Array) -> Array:
        assert code is not None
        size = arrays[0].size
        padded = -(-size // lanes) * lanes
        inputs = [_padded(a, padded, DTYPES[type]) for a in arrays]
        out = np.empty(padded, DTYPES[type])
        run(*(a.ctypes.data for a in (*inputs, out)), *[padded] * (operands + 1))
        return out[:size]

    return call


def _padded(array: Array, size: int, dtype: Any) -> Array:
    """The array, contiguous and followed by ones."""
    array = np.ascontiguousarray(array, dtype)
    if array.size == size:
        return array
    return np.concatenate([array, np.ones(size - array.size, dtype)])


def assembly(op: str, type: str, cpu: str, *, fused: bool = True) -> str:
    """The assembly of the loop over vectors for an x86 processor."""
    from hologram.lowering.targets.objects.native import to_assembly
    from hologram.support.host_target import HostTarget

    module = program(op, type, 1, LANES, fused)
    run_passes(module, passes(fused, 64 if cpu == "znver4" else 32))
    return to_assembly(emit_llvm_ir(module), HostTarget("x86_64-unknown-linux-gnu", cpu, ""))
