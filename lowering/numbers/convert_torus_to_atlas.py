"""`convert-torus-to-atlas`: coordinates become the integers that hold them, and integer arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects.torus import coordinates
from hologram.dialects.torus.base import integer_bits
from hologram.dialects.torus.types import CoordType, ring_of
from hologram.lowering.numbers.ring_code import RingCode
from hologram.lowering.numbers.ring_rewriter import RingRewriter, concerns, ring_function
from hologram.lowering.rewriting.conversion import Rules, convert_module
from hologram.support.walking import operations
from hologram.torus import BYTES_PER_PAGE, PAGE_BITS, Ring

RULES = Rules()

RULES.on(func.FuncOp)(ring_function)


def _ring(value: SSAValue) -> Ring:
    ring = ring_of(value.type)
    assert ring is not None
    return ring


def _bits(value: SSAValue) -> int:
    bits = integer_bits(value.type)
    assert bits is not None
    return bits


@RULES.on(coordinates.ConstantOp)
def _constant(rw: RingRewriter, op: coordinates.ConstantOp) -> None:
    rw.define(op.result, rw.constant(op))


@RULES.on(coordinates.ProjectOp)
def _project(rw: RingRewriter, op: coordinates.ProjectOp) -> None:
    project(rw, op, op.ring)


def project(rw: RingRewriter, op: Operation, ring: Ring) -> None:
    """The remainders of an operation's operand, packed."""
    signed = "unsigned" not in op.properties

    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        return [code.pack(ring, code.project(ring, args[0], signed=signed))]

    rw.define(op.results[0], *rw.elementwise(op, [rw.value(op.operands[0])], emit))


@RULES.on(coordinates.LiftOp)
def _lift(rw: RingRewriter, op: coordinates.LiftOp) -> None:
    ring, signed = _ring(op.coordinate), op.unsigned is None
    modulus = ring.moduli[1]

    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        resonance = code.components(ring, args[0])[1]
        hint = code.ints.resize(args[1], _bits(op.hint))
        away = code.mod(code.sub(code.remainder(hint, modulus, signed=signed), resonance, modulus), modulus)
        lifted = code.ints.sub(hint, code.ints.resize(away.value, _bits(op.hint)))
        return [rw.as_integer(lifted, op.result.type)]

    rw.define(op.result, *rw.elementwise(op, [rw.value(op.coordinate), rw.value(op.hint)], emit))


@RULES.on(coordinates.MakeOp)
def _make(rw: RingRewriter, op: coordinates.MakeOp) -> None:
    ring = _ring(op.result)

    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        parts = [code.remainder(a, m, signed=True) for a, m in zip(args, ring.moduli, strict=True)]
        return [code.pack(ring, parts)]

    rw.define(op.result, *rw.elementwise(op, [rw.value(op.page), rw.value(op.resonance)], emit))


@RULES.on(coordinates.PageOp, coordinates.ResonanceOp)
def _component(rw: RingRewriter, op: coordinates.ComponentOp) -> None:
    ring = op.torus

    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        part = code.components(ring, args[0])[op.NUMBER]
        return [rw.as_integer(code.ints.resize(part.value, _bits(op.result)), op.result.type)]

    rw.define(op.result, *rw.elementwise(op, [rw.value(op.coordinate)], emit))


@RULES.on(coordinates.PackOp)
def _pack(rw: RingRewriter, op: coordinates.PackOp) -> None:
    rw.define(op.result, rw.value(op.coordinate))


@RULES.on(coordinates.UnpackOp)
def _unpack(rw: RingRewriter, op: coordinates.UnpackOp) -> None:
    rw.define(op.result, rw.value(op.packed))


@RULES.on(coordinates.PhiEncodeOp)
def _phi_encode(rw: RingRewriter, op: coordinates.PhiEncodeOp) -> None:
    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        page, byte = (code.ints.resize(a, _bits(op.page)) for a in args)
        low = code.ints.both(page, (1 << PAGE_BITS) - 1)
        return [rw.as_integer(code.ints.either(code.ints.shl(byte, PAGE_BITS), low), op.result.type)]

    rw.define(op.result, *rw.elementwise(op, [rw.value(op.page), rw.value(op.byte)], emit))


@RULES.on(coordinates.PhiDecodeOp)
def _phi_decode(rw: RingRewriter, op: coordinates.PhiDecodeOp) -> None:
    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        whole = code.ints.resize(args[0], _bits(op.code))
        parts = [code.ints.both(whole, (1 << PAGE_BITS) - 1), code.ints.shr(whole, PAGE_BITS)]
        return [rw.as_integer(part, op.code.type) for part in parts]

    for result, value in zip(op.results, rw.elementwise(op, [rw.value(op.code)], emit), strict=True):
        rw.define(result, value)


@RULES.on(coordinates.OffsetOp)
def _offset(rw: RingRewriter, op: coordinates.OffsetOp) -> None:
    def emit(code: RingCode, args: Sequence[SSAValue]) -> list[SSAValue]:
        page, byte = (code.ints.resize(a, _bits(op.page)) for a in args)
        start = code.ints.shl(page, BYTES_PER_PAGE.bit_length() - 1)
        return [rw.as_integer(code.ints.add(start, byte), op.result.type)]

    rw.define(op.result, *rw.elementwise(op, [rw.value(op.page), rw.value(op.byte)], emit))


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


__all__ = ["ConvertTorusToAtlasPass", "project"]
