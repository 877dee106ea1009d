"""Compiles an expansion to a loop over arrays, on its own: each operation is one LLVM instruction or intrinsic."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numpy as np
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.expand_math import ExpandMathPass

# llvmlite has no types.
llvm: Any = llvmlite.binding

TYPES = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "i32": "i32", "i64": "i64"}
BINARY = {
    "arith.addf": "fadd",
    "arith.subf": "fsub",
    "arith.mulf": "fmul",
    "arith.divf": "fdiv",
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.shli": "shl",
    "arith.shrsi": "ashr",
}
CASTS = {"arith.bitcast": "bitcast", "arith.extf": "fpext", "arith.truncf": "fptrunc"}
INTRINSICS = {"math.fma": "fma", "math.sqrt": "sqrt", "arith.maximumf": "maximum", "arith.minimumf": "minimum"}

LOOP = """
{declarations}
define void @f(ptr noalias %px, ptr noalias %py, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %ax = getelementptr inbounds {type}, ptr %px, i64 %i
  %x = load {type}, ptr %ax
{body}
  %ay = getelementptr inbounds {type}, ptr %py, i64 %i
  store {type} {result}, ptr %ay
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def expanded(name: str, type: str) -> ModuleOp:
    """A module with the function `f`, math.`name` expanded."""
    text = f"func.func @f(%x: {type}) -> {type} {{\n  %y = math.{name} %x : {type}\n  func.return %y : {type}\n}}"
    module = Parser(make_context(), text).parse_module()
    ExpandMathPass().apply(make_context(), module)
    module.verify()
    return module


def llvm_ir(module: ModuleOp) -> str:
    """The loop over the function of `module`."""
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    block = function.body.block
    names: dict[SSAValue, str] = {block.args[0]: "%x"}
    lines: list[str] = []
    declarations: dict[str, None] = {}
    for number, op in enumerate(block.ops):
        values = [names[v] for v in op.operands]
        if isinstance(op, func.ReturnOp):
            return LOOP.format(
                declarations="\n".join(declarations),
                type=TYPES[str(block.args[0].type)],
                body="\n".join(f"  {line}" for line in lines),
                result=values[0],
            )
        if isinstance(op, arith.ConstantOp):
            names[op.result] = constant(op)
            continue
        names[op.results[0]] = f"%v{number}"
        lines.append(f"%v{number} = {instruction(op, values, declarations)}")
    raise AssertionError("no return")


def constant(op: arith.ConstantOp) -> str:
    """A constant's text."""
    if isinstance(op.value, FloatAttr):
        (bits,) = struct.unpack("<Q", struct.pack("<d", op.value.value.data))
        return f"0x{bits:016X}"
    assert isinstance(op.value, IntegerAttr)
    return str(op.value.value.data)


def instruction(op: Operation, values: list[str], declarations: dict[str, None]) -> str:
    """An instruction's text without its result."""
    type = TYPES[str(op.results[0].type)]
    if op.name in BINARY:
        return f"{BINARY[op.name]} {type} {values[0]}, {values[1]}"
    if op.name in CASTS:
        return f"{CASTS[op.name]} {TYPES[str(op.operands[0].type)]} {values[0]} to {type}"
    callee = f"{type} @llvm.{INTRINSICS[op.name]}.{op.results[0].type}"
    declarations[f"declare {callee}({', '.join([type] * len(values))})"] = None
    return f"call {callee}({', '.join(f'{type} {v}' for v in values)})"


def optimised(text: str, cpu: str, features: str) -> tuple[Any, Any]:
    """The module of `text`, optimised for a CPU."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=3, reloc="pic", codemodel="jitdefault"
    )
    options = llvm.create_pipeline_tuning_options(3)
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module, machine


def assembly(text: str, cpu: str) -> str:
    """The assembly of `text` for a CPU."""
    module, machine = optimised(text, cpu, "")
    return machine.emit_assembly(module)


def compiled(name: str, type: str) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """math.`name` over arrays, through its expansion."""
    features = llvm.get_host_cpu_features().flatten()
    module, machine = optimised(llvm_ir(expanded(name, type)), llvm.get_host_cpu_name(), features)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    address = engine.get_function_address("f")
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(address)

    def call(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        y = np.empty_like(x)
        run(x.ctypes.data, y.ctypes.data, x.size)
        assert engine is not None
        return y

    return call
