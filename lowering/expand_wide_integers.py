"""Divides integers of more than 64 bits, and multiplies the widest, by functions of ours; LLVM does the rest well."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerType, MemRefType, ModuleOp, i8, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.lowering.conversion import Rewriter, Rules, convert_module
from hologram.lowering.core_builder import Core, width_of
from hologram.lowering.schedules.builder import Builder

RULES = Rules()
LIMB = 64
LLVM_MULTIPLIES = 1024
"""The bits up to which LLVM multiplies in straight code. Beyond, that takes it seconds to compile."""

TEMPLATES = {"divide": "wide_division.mlir", "multiply": "wide_multiplication.mlir"}

_DIVISIONS = (arith.DivUIOp, arith.DivSIOp, arith.RemUIOp, arith.RemSIOp)
_SIGNED = (arith.DivSIOp, arith.RemSIOp)
_QUOTIENTS = (arith.DivUIOp, arith.DivSIOp)


@dataclass(frozen=True)
class ExpandWideIntegersPass(ModulePass):
    """Replaces divisions of more than 64 bits and products of more than 1024 by calls of functions over limbs.

    LLVM divides such integers bit by bit, or calls a library, and unrolls their products. The functions, which are
    added to the module once for each width, are Knuth's algorithm D, and products row by row.

    Before::

        %q = arith.divui %a, %b : i256

    After::

        %0 = memref.alloca() {alignment = 16 : i64} : memref<32xi8>
        %1 = memref.view %0[%c0][] : memref<32xi8> to memref<1xi256>
        memref.store %a, %1[%c0] : memref<1xi256>
        ... %b to %2, %3 likewise
        func.call @hologram_divide_4(%4, %5) : (memref<4xi64>, memref<4xi64>) -> ()
        %q = memref.load %1[%c0] : memref<1xi256>
    """

    name = "expand-wide-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(_is_replaced(o) for o in op.walk()):
            convert_module(op, RULES)


def _is_replaced(op: Operation) -> bool:
    most = LIMB if isinstance(op, _DIVISIONS) else LLVM_MULTIPLIES if isinstance(op, arith.MuliOp) else None
    return most is not None and isinstance(type := op.results[0].type, IntegerType) and type.bitwidth > most


@RULES.on(arith.MuliOp)
def multiply(rw: Rewriter, op: arith.MuliOp) -> None:
    """The product of whole limbs, cut to the type."""
    if not _is_replaced(op):
        rw.rebuild(op)
        return
    product, _ = _called(Core(rw), "multiply", rw.value(op.lhs), rw.value(op.rhs))
    rw.define(op.result, product)


@RULES.on(*_DIVISIONS)
def divide(rw: Rewriter, op: Operation) -> None:
    """The magnitudes are divided; the quotient is negative where the signs differ, the remainder where a is."""
    if not _is_replaced(op):
        rw.rebuild(op)
        return
    core = Core(rw)
    a, b = (rw.value(v) for v in op.operands)
    signed = isinstance(op, _SIGNED)
    quotient, remainder = _called(core, "divide", *(_magnitude(core, v) if signed else v for v in (a, b)))
    result = quotient if isinstance(op, _QUOTIENTS) else remainder
    if signed:
        sign = core(arith.XOrIOp(a, b)) if isinstance(op, _QUOTIENTS) else a
        result = core.select(_negative(core, sign), core.negate(result), result)
    rw.define(op.results[0], result)


def _negative(core: Core, a: SSAValue) -> SSAValue:
    return core.compare("slt", a, core.constant(0, a.type))


def _magnitude(core: Core, a: SSAValue) -> SSAValue:
    return core.select(_negative(core, a), core.negate(a), a)


def _called(core: Core, function: str, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
    """What a function makes of the limbs of two integers, in their places."""
    # Limbs are whole: a width that is no multiple of 64 is extended.
    type, limbs = a.type, -(-width_of(a.type) // LIMB)
    whole = IntegerType(limbs * LIMB)
    builder, arrays, places = Builder(core.rw), list[SSAValue](), list[SSAValue]()
    for value in (a, b):
        bytes = core(memref.AllocaOp.get(i8, alignment=16, shape=[limbs * 8]))
        place = core(_view(builder, bytes, MemRefType(whole, [1])))
        builder.store(core.resize(value, whole, signed=False), place, [0])
        arrays.append(core(_view(builder, bytes, MemRefType(i64, [limbs]))))
        places.append(place)
    for needed in _functions(function, limbs):
        core.rw.declare(needed.sym_name.data, lambda made=needed: made.clone())
    core.rw.emit(func.CallOp(f"hologram_{function}_{limbs}", arrays, []))
    first, second = (core.resize(builder.load(p, [0]), type, signed=False) for p in places)
    return first, second


def _view(builder: Builder, bytes: SSAValue, type: MemRefType) -> memref.ViewOp:
    return memref.ViewOp.create(operands=[bytes, builder.index(0)], result_types=[type])


@cache
def _functions(name: str, limbs: int) -> list[func.FuncOp]:
    """The functions of a template for a width."""
    from hologram.dialects import make_context
    from hologram.dialects.mlir_parser import MlirParser

    template = Path(__file__).with_name(TEMPLATES[name])
    text = template.read_text().replace("LIMBS_2", str(limbs + 2)).replace("LIMBS", str(limbs))
    module = MlirParser(make_context(), text, template.name).parse()
    return [op for op in module.body.block.ops if isinstance(op, func.FuncOp)]
