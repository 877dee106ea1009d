"""Divides integers of more than 64 bits, and multiplies and adds the widest, in our own way; LLVM does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IntegerType, MemRefType, ModuleOp, VectorType, i1, i8, i64
from xdsl.dialects.llvm import BitcastOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.arith import ExtUIOp
from hologram.errors import UsageError
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.convert_scf_to_cf import ANNOTATION
from hologram.lowering.rewriting.core_builder import Core, width_of
from hologram.lowering.rewriting.kernel_builder import AS_IT_IS, Builder
from hologram.support.host_target import host_vector_bytes
from hologram.support.walking import enclosing, operations

RULES = Rules()
LIMB = 64
LLVM_MULTIPLIES = 1024
"""The bits up to which LLVM multiplies in straight code. Beyond, that takes it seconds to compile."""
LLVM_ADDS = 256
"""The bits up to which a chain of carries is as fast as vectors. LLVM counts an operation of any width as one, so loops
with longer chains would have them eight times."""
VECTORS = tuple(1 << n for n in range(9, 13))
"""The bits of sums on vectors: the limbs' masks are integers of 8 to 64 bits."""


@dataclass(frozen=True)
class Template:
    """A file of functions for any number of digits, in which these words stand for the numbers."""

    file: str
    digit: int
    """Bits of a digit."""


TEMPLATES = {
    "divide": Template("wide_division.mlir", LIMB),
    "multiply": Template("wide_multiplication.mlir", 512),
}

_DIVISIONS = (arith.DivUIOp, arith.DivSIOp, arith.RemUIOp, arith.RemSIOp)
_SIGNED = (arith.DivSIOp, arith.RemSIOp)
_QUOTIENTS = (arith.DivUIOp, arith.DivSIOp)
_SUMS = (arith.AddiOp, arith.SubiOp)


@dataclass(frozen=True)
class ExpandWideIntegersPass(ModulePass):
    """Replaces divisions of more than 64 bits and products of more than 1024 by calls of functions over their digits,
    and sums of 512 bits and more by sums of vectors.

    LLVM divides such integers bit by bit, or calls a library, and unrolls their products. The functions, which are
    added to the module once for each width, are Knuth's algorithm D, and products row by row. Loops over integers of
    512 bits and more are marked so that LLVM does not repeat their bodies, which are long already.

    A sum takes all limbs at once. `g` has a bit for each limb whose sum went over, `p` for each that passes a carry on,
    being all ones; the bits of `((g << 1) + p) ^ p` are then the limbs that take one. (For a difference, `g` are those
    that went under, `p` those of 0.)

    `vector-bytes` is the width of a vector register: 32 and more for sums on vectors, 16 for chains of carries; by
    default this machine's on x86-64, and 16 elsewhere.

    Before::

        %q = arith.divui %a, %b : i256
        %s = arith.addi %c, %d : i512

    After::

        %0 = memref.alloca() {alignment = 16 : i64} : memref<32xi8>
        %1 = memref.view %0[%c0][] : memref<32xi8> to memref<1xi256>
        memref.store %a, %1[%c0] : memref<1xi256>
        ... %b to %2, %3 likewise
        func.call @hologram_divide_4(%4, %5) : (memref<4xi64>, memref<4xi64>) -> ()
        %q = memref.load %1[%c0] : memref<1xi256>

        %6 = llvm.bitcast %c : i512 to vector<8xi64>
        %7 = llvm.bitcast %d : i512 to vector<8xi64>
        %8 = arith.addi %6, %7 : vector<8xi64>
        %9 = arith.cmpi ult, %8, %6 : vector<8xi64>
        %g = llvm.bitcast %9 : vector<8xi1> to i8
        ...
    """

    name = "expand-wide-integers"
    vector_bytes: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.vector_bytes not in (0, 16, 32, 64):
            raise UsageError(
                "wide-vector-bytes",
                f"option 'vector-bytes' of expand-wide-integers is 16, 32 or 64, not {self.vector_bytes}",
            )
        every = operations(op)
        if not any(_width(o) > LIMB for o in every):
            return
        # A device's code is not for this machine's vectors, and has the functions in its own module.
        kernels = [o for o in every if o.name == "gpu.module"]
        for module in kernels:
            _convert(cast("Any", module), operations(module), RULES)
        on_vectors = (self.vector_bytes or host_vector_bytes()) >= 32
        if kernels:
            around = [o for top in op.body.block.ops if top not in kernels for o in operations(top)]
            _convert(op, around, _around_kernels(on_vectors))
        else:
            _convert(op, every, ON_VECTORS if on_vectors else RULES)
        for long in [o for o in operations(op) if _width(o) > LLVM_ADDS]:
            if isinstance(loop := enclosing(long, scf.ForOp, scf.WhileOp, func.FuncOp), scf.ForOp):
                loop.attributes.setdefault(ANNOTATION, AS_IT_IS)


def _convert(module: ModuleOp, ops: Sequence[Operation], rules: Rules) -> None:
    if any(_width(o) > LIMB and rules.find(type(o)) is not None and _is_replaced(o) for o in ops):
        convert_module(module, rules)


def _width(op: Operation) -> int:
    """The bits of an operation's first result, if that is an integer."""
    type = op.results[0].type if op.results else None
    return type.bitwidth if isinstance(type, IntegerType) else 0


def _is_replaced(op: Operation) -> bool:
    if isinstance(op, _SUMS):
        return _width(op) in VECTORS
    return _width(op) > (LLVM_MULTIPLIES if isinstance(op, arith.MuliOp) else LIMB)


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
        sign = core.xor(a, b) if isinstance(op, _QUOTIENTS) else a
        result = core.select(_negative(core, sign), core.negate(result), result)
    rw.define(op.results[0], result)


def _negative(core: Core, a: SSAValue) -> SSAValue:
    return core.compare("slt", a, 0)


def _magnitude(core: Core, a: SSAValue) -> SSAValue:
    return core.select(_negative(core, a), core.negate(a), a)


def _called(core: Core, function: str, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Call a function on the digits of two integers, and return the two integers that it leaves in their places."""
    # Digits are whole: a width that is no multiple of theirs is extended.
    digit = TEMPLATES[function].digit
    type, digits = a.type, -(-width_of(a.type) // digit)
    whole = IntegerType(digits * digit)
    builder, arrays, places = Builder(core.rw), list[SSAValue](), list[SSAValue]()
    for value in (a, b):
        bytes = core.op(memref.AllocaOp.get(i8, alignment=16, shape=[digits * digit // 8]))
        place = core.op(_view(builder, bytes, MemRefType(whole, [1])))
        builder.store(core.resize(value, whole, signed=False), place, [0])
        arrays.append(core.op(_view(builder, bytes, MemRefType(IntegerType(digit), [digits]))))
        places.append(place)
    for needed in _functions(function, digits):
        core.rw.declare(needed.sym_name.data, lambda made=needed: made.clone())
    core.rw.emit(func.CallOp(f"hologram_{function}_{digits}", arrays, []))
    first, second = (core.resize(builder.load(p, [0]), type, signed=False) for p in places)
    return first, second


def _view(builder: Builder, bytes: SSAValue, type: MemRefType) -> memref.ViewOp:
    return memref.ViewOp.create(operands=[bytes, builder.index(0)], result_types=[type])


@cache
def _functions(name: str, digits: int) -> list[func.FuncOp]:
    """The functions of a template for a number of digits."""
    from hologram.dialects import make_context
    from hologram.dialects.mlir_parser import MlirParser

    template = Path(__file__).with_name(TEMPLATES[name].file)
    text = template.read_text().replace("DIGITS_2", str(digits + 2)).replace("DIGITS", str(digits))
    module = MlirParser(make_context(), text, template.name).parse()
    return [op for op in module.body.block.ops if isinstance(op, func.FuncOp)]


# Sums on vectors

VECTOR_RULES = Rules()


@VECTOR_RULES.on(*_SUMS)
def add(rw: Rewriter, op: Operation) -> None:
    """All limbs at once; see the pass."""
    if not _is_replaced(op):
        rw.rebuild(op)
        return
    core, type = Core(rw), op.results[0].type
    limbs = width_of(type) // LIMB
    vector, mask = VectorType(i64, [limbs]), IntegerType(limbs)
    x, y = (_as(core, rw.value(v), vector) for v in op.operands)
    adds = isinstance(op, arith.AddiOp)
    wrapped = core.op(op.__class__.create(operands=[x, y], result_types=[vector]))
    # Over or under the limb.
    beyond = core.compare("ult", wrapped, x) if adds else core.compare("ult", x, y)
    passes = _as(core, core.compare("eq", wrapped, -1 if adds else 0), mask)
    carries = core.shl(_as(core, beyond, mask), 1)
    taken = core.xor(core.add(carries, passes), passes)
    units = core.op(ExtUIOp(_as(core, taken, VectorType(i1, [limbs])), vector))  # pyright: ignore[reportArgumentType]
    result = core.op(op.__class__.create(operands=[wrapped, units], result_types=[vector]))
    rw.define(op.results[0], _as(core, result, type))


def _as(core: Core, value: SSAValue, type: Attribute) -> SSAValue:
    """The same bits as an integer or a vector."""
    return core.op(BitcastOp(value, type))


ON_VECTORS = Rules.merge([RULES, VECTOR_RULES])


@cache
def _around_kernels(on_vectors: bool) -> Rules:
    """The rules of a program with modules for devices. Others need not load the dialect."""
    from hologram.dialects import gpu

    rules = Rules.merge([ON_VECTORS if on_vectors else RULES])

    @rules.on(gpu.ModuleOp)
    def kernels_stay(rw: Rewriter, op: gpu.ModuleOp) -> None:
        """Keep the module as it is."""
        rw.emit(op.clone())

    return rules
