"""`convert-torus-to-atlas`: coordinates become the integers that hold them, and integer arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.torus import coordinates
from hologram.dialects.torus.base import known_bits
from hologram.dialects.torus.types import CoordType, known_ring
from hologram.lowering.numbers.ring_code import RingCode
from hologram.lowering.numbers.ring_rewriter import RingRewriter, by_element, concerns, ring_function
from hologram.lowering.rewriting.conversion import Rules, convert_module
from hologram.support.walking import operations
from hologram.torus import BYTES_PER_PAGE, PAGE_BITS

RULES = Rules()

RULES.on(func.FuncOp)(ring_function)


@RULES.on(coordinates.ConstantOp)
def _constant(rw: RingRewriter, op: coordinates.ConstantOp) -> None:
    rw.define(op.result, rw.constant(op))


@RULES.on(coordinates.PackOp, coordinates.UnpackOp)
def _same(rw: RingRewriter, op: Operation) -> None:
    rw.define(op.results[0], rw.value(op.operands[0]))


@by_element(RULES, coordinates.ProjectOp)
def project(code: RingCode, op: coordinates.ToRing, n: SSAValue) -> list[SSAValue]:
    """The remainders of an integer, packed."""
    return [code.pack(op.ring, code.project(op.ring, n, signed=op.unsigned is None))]


@by_element(RULES, coordinates.LiftOp)
def _lift(code: RingCode, op: coordinates.LiftOp, coordinate: SSAValue, hint: SSAValue) -> list[SSAValue]:
    modulus, bits = op.torus.moduli[1], known_bits(op.hint.type)
    resonance = code.components(op.torus, coordinate)[1]
    hint = code.ints.resize(hint, bits)
    away = code.sub(code.remainder(hint, modulus, signed=op.unsigned is None), resonance, modulus)
    return [code.ints.sub(hint, code.ints.resize(code.mod(away, modulus).value, bits))]


@by_element(RULES, coordinates.MakeOp)
def _make(code: RingCode, op: coordinates.MakeOp, *parts: SSAValue) -> list[SSAValue]:
    ring = known_ring(op.result.type)
    return [code.pack(ring, [code.remainder(a, m, signed=True) for a, m in zip(parts, ring.moduli, strict=True)])]


@by_element(RULES, coordinates.PageOp, coordinates.ResonanceOp)
def _component(code: RingCode, op: coordinates.ComponentOp, coordinate: SSAValue) -> list[SSAValue]:
    part = code.components(op.torus, coordinate)[op.NUMBER]
    return [code.ints.resize(part.value, known_bits(op.result.type))]


@by_element(RULES, coordinates.PhiEncodeOp)
def _phi_encode(code: RingCode, op: coordinates.PhiEncodeOp, *parts: SSAValue) -> list[SSAValue]:
    page, byte = (code.ints.resize(a, known_bits(op.page.type)) for a in parts)
    low = code.ints.both(page, (1 << PAGE_BITS) - 1)
    return [code.ints.either(code.ints.shl(byte, PAGE_BITS), low)]


@by_element(RULES, coordinates.PhiDecodeOp)
def _phi_decode(code: RingCode, op: coordinates.PhiDecodeOp, whole: SSAValue) -> list[SSAValue]:
    whole = code.ints.resize(whole, known_bits(op.code.type))
    return [code.ints.both(whole, (1 << PAGE_BITS) - 1), code.ints.shr(whole, PAGE_BITS)]


@by_element(RULES, coordinates.OffsetOp)
def _offset(code: RingCode, op: coordinates.OffsetOp, *parts: SSAValue) -> list[SSAValue]:
    page, byte = (code.ints.resize(a, known_bits(op.page.type)) for a in parts)
    return [code.ints.add(code.ints.shl(page, BYTES_PER_PAGE.bit_length() - 1), byte)]


@dataclass(frozen=True)
class ConvertTorusToAtlasPass(ModulePass):
    """Turns coordinates into the integers that hold them, page | resonance << 8, and the operations of torus into
    arith on scalars and vectors, into `atlas.map` on tensors. Nothing divides: a remainder is a sum of digits and a
    multiplication by the reciprocal, which vectors have. Other operations take and give the integers too; attributes
    of functions say that they are unsigned.

    Before::

        func.func @f(%n: tensor<?xi64>) -> tensor<?x!torus.coord> {
          %c = torus.project %n : tensor<?xi64> to tensor<?x!torus.coord>
          func.return %c : tensor<?x!torus.coord>
        }

    After::

        func.func @f(%n: tensor<?xi64>) -> (tensor<?xi16> {hologram.type = "u16"}) {
          %e = tensor.empty(%size) : tensor<?xi16>
          %c = atlas.map ins(%n : tensor<?xi64>) outs(%e : tensor<?xi16>) maps [...] {
          ^bb0(%x: i64):
            ... the remainder modulo 96, from it that modulo 48
            atlas.yield %packed : i16
          }
          func.return %c : tensor<?xi16>
        }
    """

    name = "convert-torus-to-atlas"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(concerns(inner, "torus", CoordType) for inner in operations(op)):
            convert_module(op, RULES, RingRewriter(RULES, CoordType))
