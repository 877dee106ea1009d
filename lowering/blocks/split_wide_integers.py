"""Turns integers that a device lacks into limbs that it has, in kernels of the flat form.

In memory an element becomes as many limbs, and places in a buffer count limbs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, func, math, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, llvm, marks
from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.custom.atomic_kinds import KINDS
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.dialects.verbs import INTEGERS, VERBS
from hologram.errors import PassError, UsageError
from hologram.lowering.blocks.flat_launches import launches_of, retype_launch
from hologram.lowering.blocks.limbs import LimbCode, Limbs
from hologram.lowering.rewriting.conversion import Rewriter, Rules, convert_module
from hologram.lowering.rewriting.core_builder import f32, f64
from hologram.lowering.rewriting.helper_functions import RESONATE
from hologram.lowering.rewriting.inline_calls import callees_first, calls_in, inline_calls
from hologram.lowering.rewriting.traps import FUNCTIONS as TRAP_FUNCTIONS
from hologram.support.walking import operations


class LimbRules(Rules):
    """The rules for limbs of a width."""

    def __init__(self, width: int):
        super().__init__([self.split], RULES.table)
        self.width = width

    def count(self, type: Attribute) -> int:
        """Return the number of limbs that a type takes; 0 if it is none of those that are split."""
        bits = type.bitwidth if isinstance(type, IntegerType) else 0
        return -(-bits // self.width) if bits > self.width else 0

    def split(self, type: Attribute) -> Sequence[Attribute] | None:
        """Return the types that a type becomes; None if it stays."""
        if count := self.count(type):
            return [IntegerType(self.width)] * count
        if isinstance(type, MemRefType):
            kind = cast("MemRefType[Attribute]", type)
            if not (count := self.count(kind.element_type)):
                return None
            shape = [n if n == DYNAMIC_INDEX else n * count for n in kind.get_shape()]
            return [MemRefType(IntegerType(self.width), shape or [count], kind.layout, kind.memory_space)]
        return None


def limbs_of(rw: Rewriter) -> LimbCode:
    """Emits limbs of the width that is asked for."""
    return LimbCode(rw, cast("LimbRules", rw.rules).width)


def is_split(rw: Rewriter, type: Attribute) -> bool:
    """Return whether an integer of this type becomes several."""
    return limb_count(rw, type) > 0


def limb_count(rw: Rewriter, type: Attribute) -> int:
    """Return the number of limbs that an integer of this type becomes; 0 if it stays as it is."""
    return cast("LimbRules", rw.rules).count(type)


RULES = Rules()
LimbRule = Callable[[Rewriter, Any], None]


def limb_rule(*keys: type[Operation], on: Callable[[Any], Attribute]) -> Callable[[LimbRule], LimbRule]:
    """Registers a rule for operations where the type that `on` gives is split; others are rebuilt."""

    def register(rule: LimbRule) -> LimbRule:
        def checked(rw: Rewriter, op: Any) -> None:
            if is_split(rw, on(op)):
                rule(rw, op)
            else:
                rw.rebuild(op)

        RULES.on(*keys)(checked)
        return rule

    return register


def _result(op: Operation) -> Attribute:
    return op.results[0].type


def _element(value: SSAValue) -> Attribute:
    return cast("MemRefType[Attribute]", value.type).element_type


def _place(rw: Rewriter, indices: Sequence[SSAValue], count: int, number: int) -> SSAValue:
    core, index = limbs_of(rw).core, IndexType()
    if not indices:
        return core.constant(number, index)
    first = core.mul(rw.value(indices[0]), count)
    return core.add(first, number) if number else first


@limb_rule(memref.LoadOp, on=_result)
def load(rw: Rewriter, op: memref.LoadOp) -> None:
    """Limb by limb."""
    core, place, count = limbs_of(rw).core, rw.value(op.memref), limb_count(rw, op.res.type)
    limbs = [core.op(memref.LoadOp.get(place, [_place(rw, op.indices, count, n)])) for n in range(count)]
    rw.define(op.res, *limbs)


@limb_rule(memref.StoreOp, on=lambda op: op.value.type)
def store(rw: Rewriter, op: memref.StoreOp) -> None:
    """Limb by limb."""
    place, count = rw.value(op.memref), limb_count(rw, op.value.type)
    for number, value in enumerate(rw.values(op.value)):
        rw.emit(memref.StoreOp.get(value, place, [_place(rw, op.indices, count, number)]))


@RULES.on(memref.ExtractAlignedPointerAsIndexOp)
def address(rw: Rewriter, op: memref.ExtractAlignedPointerAsIndexOp) -> None:
    """The same memory's."""
    rw.replace(op, memref.ExtractAlignedPointerAsIndexOp.get(rw.value(op.source)))


@limb_rule(llvm.LoadOp, on=_result)
def load_at_address(rw: Rewriter, op: llvm.LoadOp) -> None:
    """Limb by limb, from the buffer where the address says which one it is in."""
    core, limb, count = limbs_of(rw).core, limbs_of(rw).limb, limb_count(rw, op.res.type)
    if (place := _in_buffer(rw, op.addr)) is not None:
        limbs = [core.op(memref.LoadOp.get(place[0], [_further(rw, place[1], n)])) for n in range(count)]
    else:
        limbs = [core.op(llvm.LoadOp(_pointer(rw, op.addr, n), limb, 1)) for n in range(count)]
    rw.define(op.res, *limbs)


@limb_rule(llvm.StoreOp, on=lambda op: op.value.type)
def store_at_address(rw: Rewriter, op: llvm.StoreOp) -> None:
    """Limb by limb, to the buffer where the address says which one it is in."""
    place = _in_buffer(rw, op.addr)
    for number, limb in enumerate(rw.values(op.value)):
        if place is not None:
            rw.emit(memref.StoreOp.get(limb, place[0], [_further(rw, place[1], number)]))
        else:
            rw.emit(llvm.StoreOp(limb, _pointer(rw, op.addr, number), 1))


def inline_functions(module: gpu.ModuleOp, wanted: Callable[[Operation], bool]) -> None:
    """Puts functions that have an operation of a kind in line, so that what they are given is known to it."""
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    inlined = {name for name, op in functions.items() if any(map(wanted, operations(op)))}
    if not inlined:
        return
    kernels = [op for op in module.body.block.ops if isinstance(op, gpu.FuncOp)]
    for caller in [*(functions[name] for name in callees_first(functions)), *kernels]:
        called = [(call, call.callee.string_value()) for call in calls_in(caller)]
        inline_calls(caller, [(call, functions[name]) for call, name in called if name in inlined])
    for name in inlined:
        functions[name].detach()
        functions[name].erase()


def _further(rw: Rewriter, place: SSAValue, number: int) -> SSAValue:
    core = limbs_of(rw).core
    return core.add(place, number) if number else place


def _pointer(rw: Rewriter, pointer: SSAValue, number: int) -> SSAValue:
    """The address of a limb, as a pointer."""
    owner = pointer.owner
    assert isinstance(owner, llvm.IntToPtrOp)
    code = limbs_of(rw)
    place = rw.unconverted(owner.arg)
    if number:
        place = code.core.add(place, number * code.width // 8)
    return code.core.op(llvm.IntToPtrOp(place, pointer.type))  # pyright: ignore[reportArgumentType]


def _in_buffer(rw: Rewriter, pointer: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The buffer of limbs that an address is in, and the number of its first limb.

    The address is a sum of a buffer's own and of bytes. They are a multiple of 8, to which the lanes' rules guard
    integers of more than 64 bits.
    """
    owner = pointer.owner
    if not isinstance(owner, llvm.IntToPtrOp):
        return None
    terms = terms_of(owner.arg)
    bases = [(v, source) for v in terms if (source := base_of(v)) is not None]
    if len(bases) != 1 or not is_split(rw, _element(bases[0][1])):
        return None
    code = limbs_of(rw)
    core = code.core
    # The least limb says it all, as that of an index does.
    bytes = code.one(0)
    for term in terms:
        if term is not bases[0][0]:
            bytes = core.add(bytes, rw.values(term)[0])
    place = core.shr(bytes, (code.width // 8).bit_length() - 1)
    return rw.value(bases[0][1]), core.index_cast(place, IndexType())


def terms_of(value: SSAValue) -> list[SSAValue]:
    """Return the terms of a sum."""
    owner = value.owner
    return [*terms_of(owner.lhs), *terms_of(owner.rhs)] if isinstance(owner, arith.AddiOp) else [value]


def base_of(value: SSAValue) -> SSAValue | None:
    """The buffer that a number is the address of."""
    owner = value.owner
    owner = owner.input.owner if isinstance(owner, arith.IndexCastOp) else owner
    return owner.source if isinstance(owner, memref.ExtractAlignedPointerAsIndexOp) else None


@RULES.on(memref.AtomicRMWOp, GenericAtomicRMWOp)
def atomic(rw: Rewriter, op: Any) -> None:
    """Limb by limb where nobody sees the memory in between: a sum is right when all carries have arrived."""
    if not is_split(rw, _element(op.memref)):
        return rw.rebuild(op)
    if not all(_changes_unseen(use.operation) for use in op.memref.uses):
        raise PassError(
            op,
            "device-refuses-limb-atomics",
            f"{op.name} works on {_element(op.memref)}, which is several numbers on this device, and the kernel reads "
            "what they are in between",
            hint="isa.md section 7: a device may refuse atomics of 64 bits, all refuse wider ones; sums and bitwise "
            "operations whose results are not used work if the kernel does nothing else with the array; or use 32 bits",
        )
    limbs = rw.values(op.value)
    places = [_place(rw, op.indices, len(limbs), n) for n in range(len(limbs))]
    if op.kind.value.data == _ADD:
        return _atomic_sum(rw, rw.value(op.memref), places, limbs)
    for place, limb in zip(places, limbs, strict=True):
        rw.emit(_atomic(rw.value(op.memref), place, limb, op.kind))


_ADD = KINDS.index("addi")
_LIMBWISE = tuple(map(KINDS.index, ("addi", "andi", "ori", "xori")))


def _changes_unseen(op: Operation) -> bool:
    """Return whether an operation is an atomic one that can be made limb by limb, and whose result is not used."""
    return isinstance(op, memref.AtomicRMWOp) and op.kind.value.data in _LIMBWISE and not op.result.uses


def _atomic(buffer: SSAValue, place: SSAValue, value: SSAValue, kind: Attribute) -> memref.AtomicRMWOp:
    return memref.AtomicRMWOp.build(
        operands=[value, buffer, [place]], result_types=[value.type], properties={"kind": kind}
    )


def _atomic_sum(rw: Rewriter, buffer: SSAValue, places: Sequence[SSAValue], limbs: Limbs) -> None:
    """Adds limb by limb, each with the carry of this very addition."""
    code = limbs_of(rw)
    core, carry = code.core, code.one(0)
    for place, limb in zip(places, limbs, strict=True):
        added = core.add(limb, carry)
        old = core.op(_atomic(buffer, place, added, IntegerAttr(_ADD, i64)))
        # At most one of the two sums wraps: one with a carry wraps to 0.
        over = core.either(core.compare("ult", added, carry), core.compare("ult", core.add(old, added), added))
        carry = core.select(over, code.one(1), code.one(0))


def _resonate(rw: Rewriter, op: func.FuncOp | gpu.FuncOp) -> Region:
    """The body of `@hologram_resonate`, which adds to two words: one sum of the limbs of both."""
    block = Block(arg_types=rw.all_types(arg.type for arg in op.body.block.args))
    outer = rw.insertion_block
    rw.move_to(block)
    core, (place, index, *limbs) = limbs_of(rw).core, block.args
    first = core.mul(index, len(limbs))
    _atomic_sum(rw, place, [core.add(first, n) for n in range(len(limbs))], tuple(limbs))
    rw.emit(func.ReturnOp())
    rw.move_to(outer)
    return Region(block)


@limb_rule(memref.GlobalOp, on=lambda op: op.type.element_type)
def table(rw: Rewriter, op: memref.GlobalOp) -> None:
    """The same bytes."""
    value: Any = op.initial_value
    kind = cast("MemRefType[Attribute]", rw.type(op.type))
    tensor = TensorType(kind.element_type, kind.get_shape())
    properties = {**op.properties, "type": kind, "initial_value": value.__class__(tensor, value.data)}
    rw.emit(memref.GlobalOp.create(properties=properties, attributes=op.attributes))


MOST_PRODUCT = 1024
"""The bits of the widest products: their code is as long as the square of their limbs."""


@dataclass(frozen=True)
class SplitWideIntegersPass(ModulePass):
    """Replaces integers of more than `limb` bits (64 or 32) in gpu.modules by as many limbs, the least first.

    Values become several values, elements of buffers as many elements. Sums carry from limb to limb, products are made
    row by row, divisions bit by bit.

    Before::

        %s = arith.addi %a, %b : i128

    After::

        %low = arith.addi %a0, %b0 : i64
        %over = arith.cmpi ult, %low, %a0 : i64
        %more = arith.select %over, %c1, %c0 : i64
        %sum = arith.addi %a1, %b1 : i64
        %high = arith.addi %sum, %more : i64
    """

    name = "split-wide-integers"
    limb: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.limb not in (32, 64):
            raise UsageError("split-limb", f"option 'limb' of split-wide-integers is 32 or 64, not {self.limb}")
        rules = LimbRules(self.limb)
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            if any(_touches(rules, o) for o in operations(module)):
                inline_functions(module, lambda o: isinstance(o, llvm.LoadOp) and rules.count(o.res.type) > 0)
                convert_module(cast("Any", module), rules)
                for launch in launches_of(module, op):
                    given = launch.kernelOperands
                    retype_launch(launch, [(v, rules.split(v.type) or [v.type]) for v in given])


def _touches(rules: LimbRules, op: Operation) -> bool:
    blocks = (b for r in op.regions for b in r.blocks)
    types = [*(v.type for v in (*op.operands, *op.results)), *(a.type for b in blocks for a in b.args)]
    return any(rules.split(t) is not None for t in types)


# Arithmetic


@limb_rule(arith.ConstantOp, on=_result)
def constant(rw: Rewriter, op: arith.ConstantOp) -> None:
    """Cut into limbs."""
    rw.define(op.result, *limbs_of(rw).number(cast("Any", op.value).value.data, limb_count(rw, op.result.type)))


@limb_rule(*INTEGERS.values(), on=_result)
def binary(rw: Rewriter, op: Any) -> None:
    """Limb by limb, with what passes between them."""
    bits = cast("IntegerType", op.result.type).bitwidth
    if isinstance(op, arith.MuliOp) and bits > MOST_PRODUCT:
        raise PassError(
            op,
            "device-refuses-product",
            f"{op.name} multiplies integers of {bits} bits, and this device's products have up to {MOST_PRODUCT}",
            hint="isa.md section 7: a device may refuse products over 1024 bits; use the processor",
        )
    rw.define(op.result, *limbs_of(rw).binary(VERBS[type(op)], rw.values(op.lhs), rw.values(op.rhs)))


@limb_rule(arith.CmpiOp, on=lambda op: op.lhs.type)
def compare(rw: Rewriter, op: Any) -> None:
    """Compare from the least limb on."""
    number = int(op.predicate.value.data)
    code, a, b = limbs_of(rw), rw.values(op.lhs), rw.values(op.rhs)
    if number < 2:
        result, negated = code.equal(a, b), number == 1
    else:  # slt sle sgt sge ult ule ugt uge
        kind = (number - 2) % 4
        x, y = (a, b) if kind in (0, 3) else (b, a)
        result, negated = code.below(x, y, signed=number < 6), kind in (1, 3)
    if negated:
        result = code.core.complement(result)
    rw.define(op.result, result)


@RULES.on(arith.SelectOp)
def select(rw: Rewriter, op: Any) -> None:
    """Part by part; buffers too."""
    condition, pairs = rw.value(op.cond), zip(rw.values(op.lhs), rw.values(op.rhs), strict=True)
    core = limbs_of(rw).core
    rw.define(op.result, *(core.select(condition, a, b) for a, b in pairs))


# Widths


@RULES.on(arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp)
def resize(rw: Rewriter, op: Any) -> None:
    """More or fewer limbs."""
    source, target = op.input.type, op.result.type
    if not is_split(rw, source) and not is_split(rw, target):
        return rw.rebuild(op)
    signed = isinstance(op, arith.ExtSIOp)
    rw.define(op.result, *_resized(rw, rw.values(op.input), target, signed))


def _resized(rw: Rewriter, a: Limbs, target: Attribute, signed: bool) -> Limbs:
    code = limbs_of(rw)
    if not (count := limb_count(rw, target)):
        return (code.core.resize(a[0], target, signed=signed),)
    if len(a) == 1:
        a = (code.core.resize(a[0], code.limb, signed=signed),)
    fill = code.sign(a) if signed and len(a) < count else code.one(0)
    return (*a[:count], *[fill] * (count - len(a)))


@RULES.on(arith.IndexCastOp, IndexCastUIOp)
def index_cast(rw: Rewriter, op: Any) -> None:
    """An integer that no index is becomes the greatest index, which no size exceeds."""
    signed = not isinstance(op, IndexCastUIOp)
    code, source, target = limbs_of(rw), op.input.type, op.result.type
    kind = op.__class__
    if is_split(rw, target):
        limb = code.core.op(kind.create(operands=[rw.value(op.input)], result_types=[code.limb]))
        rw.define(op.result, *_resized(rw, (limb,), target, signed))
    elif is_split(rw, source):
        a = rw.values(op.input)
        fill = code.sign(a[:1]) if signed else code.one(0)
        fits = code.equal(a[1:], tuple([fill] * (len(a) - 1)))
        least = code.core.select(fits, a[0], (1 << (code.width - 1)) - 1)
        rw.define(op.result, code.core.op(kind.create(operands=[least], result_types=[IndexType()])))
    else:
        rw.rebuild(op)


_COUNTS = {
    math.CountLeadingZerosOp: LimbCode.leading_zeros,
    math.CountTrailingZerosOp: LimbCode.trailing_zeros,
    math.CtPopOp: LimbCode.ones,
}


@limb_rule(*_COUNTS, on=_result)
def count_bits(rw: Rewriter, op: Any) -> None:
    """The sum over limbs, or the count of the first that is not empty."""
    rw.define(op.result, *_COUNTS[type(op)](limbs_of(rw), rw.values(op.operand)))


# Floats: of integers of 64 bits, and of more where their expansions end


@limb_rule(arith.SIToFPOp, arith.UIToFPOp, on=lambda op: op.input.type)
def to_float(rw: Rewriter, op: Any) -> None:
    """The 32 highest digits, the last one set where any below is, rounded once; times a power of two."""
    code, a = limbs_of(rw), rw.values(op.input)
    core, signed = code.core, isinstance(op, arith.SIToFPOp)
    _need_pairs(op, code, a)
    size = code.magnitude(a) if signed else a
    if op.result.type == f64:
        parts = [core.op(arith.UIToFPOp(x, f64)) for x in size]
        high = core.mul(parts[1], 2.0**32)
        result = core.add(high, parts[0])
    else:
        zeros = code.leading_zeros(size)[0]
        top = code.shift(size, core.min(zeros, 63), left=True, fill=code.one(0))
        sticky = core.select(core.compare("ne", top[0], 0), code.one(1), code.one(0))
        digits = core.op(arith.UIToFPOp(core.either(top[1], sticky), f32))
        exponent = core.sub(127 + 32, zeros)
        scale = core.bits(core.shl(exponent, 23), f32)
        result = core.mul(digits, scale)
    if signed:
        result = core.select(code.is_negative(a), core.negate(result), result)
    rw.define(op.result, result)


def _need_pairs(op: Operation, code: LimbCode, a: Limbs) -> None:
    if code.width != 32 or len(a) != 2:
        raise PassError(
            op,
            "split-float",
            f"{op.name} is between floats and integers of {len(a) * code.width} bits",
            hint="convert by atlas.cvt, whose expansion goes by way of 64 bits",
        )


@limb_rule(arith.FPToSIOp, arith.FPToUIOp, on=_result)
def to_integer(rw: Rewriter, op: Any) -> None:
    """The magnitude by 2^32, and what that leaves, which are both exact."""
    code, x = limbs_of(rw), rw.value(op.input)
    core = code.core
    _need_pairs(op, code, code.number(0, limb_count(rw, op.result.type)))
    size = core.op(math.TruncOp(core.op(math.AbsFOp(x))))
    high = core.op(math.TruncOp(core.mul(size, 2.0**-32)))
    low = core.sub(size, core.mul(high, 2.0**32))
    limbs = tuple(core.op(arith.FPToUIOp(v, code.limb)) for v in (low, high))
    if isinstance(op, arith.FPToSIOp):
        limbs = code.select(core.compare("olt", x, 0.0), code.negate(limbs), limbs)
    rw.define(op.result, *limbs)


@RULES.on(arith.BitcastOp)
def bits(rw: Rewriter, op: arith.BitcastOp) -> None:
    """Floats of 64 bits are beside integers of 64 bits only."""
    if is_split(rw, op.input.type) or is_split(rw, op.result.type):
        raise PassError(
            op,
            "device-refuses-f64-bits",
            f"{op.name} is between {op.input.type} and {op.result.type}, and this device's integers have "
            f"{limbs_of(rw).width} bits",
            hint="isa.md section 7: a device may refuse f64 where it lacks it; compute in f32, or on another device",
        )
    rw.rebuild(op)


# Control flow and functions


RULES.on(
    memref.AllocaOp, memref.GetGlobalOp, memref.CastOp, memref.ViewOp, scf.IfOp, scf.ForOp, scf.WhileOp, scf.YieldOp,
    scf.ConditionOp, func.CallOp, func.ReturnOp, gpu.ReturnOp,
)(Rewriter.retype)  # fmt: skip


@RULES.on(func.FuncOp, gpu.FuncOp)
def function(rw: Rewriter, op: func.FuncOp | gpu.FuncOp) -> None:
    """Arguments in parts. What fills the trap record is each language's own, so its body goes."""
    name = op.sym_name.data
    bare = name in TRAP_FUNCTIONS
    body = Region() if bare or not op.body.blocks else _resonate(rw, op) if name == RESONATE else rw.region(op.body)
    properties = {**op.properties, "function_type": cast("FunctionType", rw.type(op.function_type))}
    if op.arg_attrs is not None or not bare:
        properties["arg_attrs"] = ArrayAttr(_argument_attributes(rw, op))
    rw.emit(type(op).create(properties=properties, attributes=op.attributes, regions=[body]))


def _argument_attributes(rw: Rewriter, op: func.FuncOp | gpu.FuncOp) -> list[DictionaryAttr]:
    """The attributes of arguments; the first part of a kernel's scalar is aligned as the whole."""
    inputs = list(op.function_type.inputs)
    given = list(op.arg_attrs or [DictionaryAttr({})] * len(inputs))
    arg_attrs: list[DictionaryAttr] = []
    for type, attributes in zip(inputs, given, strict=True):
        if count := limb_count(rw, type):
            aligned = {marks.ALIGN: IntegerAttr(8, i64)} if isinstance(op, gpu.FuncOp) else {}
            first = DictionaryAttr({**attributes.data, **aligned})
            arg_attrs += [first, *[DictionaryAttr({})] * (count - 1)]
        else:
            arg_attrs.append(attributes)
    return arg_attrs
