"""Classes, their memory and the state of a lane at the kernel level.

Class memory is a hidden argument, and pointers into it are as all pointers are.

A lane's phases, and the sum of its R where a program asks for it, are private memory, cleared where the lane begins. R
itself is kept for the launch alone, by `@hologram_resonate`: its sums are exact and wrap, so lanes may add to them in
any order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, func, math, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, f32, f64, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from hologram import classes
from hologram.dialects import gpu
from hologram.dialects.arith import IndexCastUIOp
from hologram.dialects.atlas.instructions.types import DType
from hologram.dialects.atlas.lanes import class_memory, state
from hologram.dialects.atlas.lanes.programs import CallOp, FuncOp, ProgramOp
from hologram.errors import PassError
from hologram.lowering.lanes import pointer_rules as pointers
from hologram.lowering.lanes.state import AtlasRewriter, scalar_rule
from hologram.lowering.numbers import class_formulas
from hologram.lowering.numbers.class_formulas import Numbers
from hologram.lowering.rewriting.conversion import Rules
from hologram.lowering.rewriting.core_builder import Core
from hologram.lowering.rewriting.helper_functions import RESONATE
from hologram.lowering.rewriting.hidden_arguments import CLASSES, RESONANCE, callee_of, find
from hologram.lowering.rewriting.traps import enclosing_function
from hologram.support.walking import operations
from hologram.transforms.analysis.integer_ranges import proves_inside

RULES = Rules()
Pair = tuple[SSAValue, SSAValue]
"""The low and the high word of a value in 64.64 fixed point."""

TAKES_CLASS = (*state.ROWS, state.PhaseReadOp, state.PhaseWriteOp, state.ResAccumOp)
TAKES_VALUE = (state.ResAccumOp, state.UnityTestOp)
_PARTS = (
    (classes.CLASS_COUNT, classes.BYTES_PER_CLASS),
    (classes.PAGES_PER_CLASS, classes.BYTES_PER_PAGE),
    (classes.BYTES_PER_PAGE, 1),
)
"""How many classes, pages, bytes there are, and how many bytes lie between them."""


def may_trap(op: Operation) -> bool:
    """Return whether it is given a class or a place that may be none, or a value that R may have no place for.

    The guards of accesses to class memory are found with all accesses.
    """
    if isinstance(op, class_memory.BoundMapOp):
        return not all(proves_inside(v, end) for v, (end, _) in zip(op.operands, _PARTS, strict=True))
    if isinstance(op, class_memory.ClassAddressOp):
        return True
    no_class = isinstance(op, TAKES_CLASS) and not proves_inside(op.operands[0], classes.CLASS_COUNT)
    return no_class or isinstance(op, TAKES_VALUE)


def checked(rw: AtlasRewriter, op: Operation) -> SSAValue:
    """The class that an instruction is given, after the guard."""
    core = Core(rw)
    c = rw.value(op.operands[0])
    if not proves_inside(op.operands[0], classes.CLASS_COUNT):
        bad = core.compare("uge", c, classes.CLASS_COUNT)
        rw.trap_if(op, bad, f"{op.name}: {state.NO_CLASS}", lambda: [c], signed=False)
    return c


# The graph


_FORMULAS: dict[Any, Callable[..., SSAValue]] = {
    state.MirrorOp: class_formulas.mirror,
    state.IsUnityOp: class_formulas.is_unity,
    state.NbrCountOp: class_formulas.degree,
    state.NbrGetOp: class_formulas.neighbour,
}


@scalar_rule(RULES, *_FORMULAS)
def formula(rw: AtlasRewriter, core: Core, op: Any, t: DType, args: list[SSAValue]) -> SSAValue:
    """A formula of the class, and of the number of a neighbour where that is given."""
    return _FORMULAS[type(op)](Numbers(rw), checked(rw, op), *args[1:])


# The state of a lane

PHASE = MemRefType(i32, [1], memory_space=gpu.PRIVATE)
CLASS_PHASE = MemRefType(i32, [classes.CLASS_COUNT], memory_space=gpu.PRIVATE)
TOTAL = MemRefType(i64, [2], memory_space=gpu.PRIVATE)
_HELD: tuple[tuple[MemRefType[Any], tuple[type[Operation], ...]], ...] = (
    (PHASE, (state.PhaseGetOp, state.PhaseAdvOp)),
    (CLASS_PHASE, (state.PhaseReadOp, state.PhaseWriteOp)),
    (TOTAL, (state.UnityTestOp,)),
)
"""What a lane keeps, and the instructions that make a program keep it."""


def state_of_functions(module: ModuleOp) -> dict[str, tuple[MemRefType[Any], ...]]:
    """Return what each function needs of the state of the lane that calls it, for itself or for what it calls.

    Where any program asks for the sum of its lane's R, functions that add to R need it.
    """
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}
    tests = any(isinstance(op, state.UnityTestOp) for op in operations(module))
    needed = {name: {kind for kind, _ in _HELD if _names(op, kind, tests)} for name, op in functions.items()}
    calls = {name: {callee_of(o) for o in operations(op) if isinstance(o, CallOp)} for name, op in functions.items()}
    changed = bool(functions)
    while changed:
        before = sum(map(len, needed.values()))
        for name, callees in calls.items():
            needed[name] |= {kind for callee in callees for kind in needed.get(callee or "", ())}
        changed = sum(map(len, needed.values())) != before
    return {name: tuple(kind for kind, _ in _HELD if kind in kinds) for name, kinds in needed.items()}


def _names(code: Operation, kind: MemRefType[Any], tests: bool = False) -> bool:
    """Return whether a program or function has instructions over a part of the state."""
    instructions = next(op_types for held, op_types in _HELD if held is kind)
    return any(isinstance(op, instructions) or (tests and kind is TOTAL and isinstance(op, state.ResAccumOp))
               for op in operations(code))  # fmt: skip


def take_state(rw: AtlasRewriter, name: str, block: Block) -> list[MemRefType[Any]]:
    """Has a function take, behind its other arguments, what it needs of the state. Gives the types."""
    kinds = rw.function_state[name]
    rw.state = {kind: block.insert_arg(kind, len(block.args)) for kind in kinds}
    return list(kinds)


def declare_state(rw: AtlasRewriter, program: ProgramOp) -> None:
    """Declares and clears, at the start of a lane, what its program, and what that calls, names of the state."""
    core = Core(rw)
    rw.state = {}
    callees = {callee_of(op) or "" for op in operations(program) if isinstance(op, CallOp)}
    passed = {kind for callee in callees for kind in rw.function_state.get(callee, ())}
    for kind, _ in _HELD:
        if kind not in passed and not _names(program, kind):
            continue
        place = rw.emit(memref.AllocaOp.build(operands=[[], []], result_types=[kind])).results[0]
        zero = core.constant(0, kind.element_type)
        rw.state[kind] = place
        for number in range(kind.get_shape()[0]) if kind is not CLASS_PHASE else ():
            rw.emit(memref.StoreOp.get(zero, place, [core.constant(number, IndexType())]))
        if kind is CLASS_PHASE:
            body = Block(arg_types=[IndexType()])
            body.add_ops([memref.StoreOp.get(zero, place, [body.args[0]]), scf.YieldOp()])
            start, end, step = (core.constant(n, IndexType()) for n in (0, classes.CLASS_COUNT, 1))
            rw.emit(scf.ForOp(start, end, step, [], body))


def _held(rw: AtlasRewriter, op: Operation, kind: MemRefType[Any]) -> SSAValue:
    if rw.linear_lane is None:
        _refuse(op)
    return rw.state[kind]


def _refuse(op: Operation) -> None:
    raise PassError(
        op, "core-state-place", f"'{op.name}' is about the state of a lane, which lane programs alone have",
        hint="use it in an atlas.program, or in an atlas.func that one calls",
    )  # fmt: skip


@RULES.on(state.ClsGetOp)
def cls_get(rw: AtlasRewriter, op: state.ClsGetOp) -> None:
    """`block.x` modulo 96."""
    if rw.linear_lane is None:
        _refuse(op)
    core = Core(rw)
    block = core.index_cast(core.op(gpu.BlockIdOp(gpu.X)), i32)
    rw.define(op.result, core.rem(block, classes.CLASS_COUNT))


@RULES.on(state.PhaseGetOp)
def phase_get(rw: AtlasRewriter, op: state.PhaseGetOp) -> None:
    """A load."""
    rw.replace(op, memref.LoadOp.get(_held(rw, op, PHASE), [Core(rw).constant(0, IndexType())]))


@RULES.on(state.PhaseAdvOp)
def phase_adv(rw: AtlasRewriter, op: state.PhaseAdvOp) -> None:
    """n modulo 768 first, so that the sum does not wrap."""
    core = Core(rw)
    place, zero, end = _held(rw, op, PHASE), core.constant(0, IndexType()), core.constant(classes.PHASE_MODULUS, i32)
    old = core.op(memref.LoadOp.get(place, [zero]))
    moved = core.add(old, core.rem(rw.value(op.n), end))
    rw.emit(memref.StoreOp.get(core.rem(moved, end), place, [zero]))


@RULES.on(state.PhaseReadOp)
def phase_read(rw: AtlasRewriter, op: state.PhaseReadOp) -> None:
    """A load at the class."""
    place = _held(rw, op, CLASS_PHASE)
    index = Core(rw).op(IndexCastUIOp(checked(rw, op), IndexType()))
    rw.replace(op, memref.LoadOp.get(place, [index]))


@RULES.on(state.PhaseWriteOp)
def phase_write(rw: AtlasRewriter, op: state.PhaseWriteOp) -> None:
    """A store at the class."""
    place = _held(rw, op, CLASS_PHASE)
    index = Core(rw).op(IndexCastUIOp(checked(rw, op), IndexType()))
    rw.emit(memref.StoreOp.get(rw.value(op.value), place, [index]))


# Resonance


def _fixed(rw: AtlasRewriter, op: Any) -> tuple[Pair, SSAValue]:
    """The instruction's value as a multiple of 2^-64, after the guard, and whether it is negative."""
    core = Core(rw)
    value, t = rw.value(op.operands[-1]), op.dtype
    zero = core.constant(0, i64)
    if not t.is_float:
        wide = core.resize(value, i64, signed=not t.is_unsigned)
        negative = core.compare("slt", wide, zero)
        if t.bits == 64:
            least = core.compare("eq", wide, -(1 << 63))
            _guard(rw, op, negative if t.is_unsigned else least, wide)
        return (zero, wide), negative
    # Exact in f32 too, whose numbers need not become f64, which a device may lack.
    wide = core.widen(value, f64 if t.bits == 64 else f32)
    size = core.op(math.AbsFOp(wide))
    # True of NaN too.
    _guard(rw, op, core.compare("uge", size, 2.0**63), wide)
    whole = core.op(math.TruncOp(size))
    # The difference and the product are exact; what is left to round is below 2^64, and so is what that gives.
    part = core.mul(core.sub(size, whole), 2.0**64)
    low, high = (core.op(arith.FPToUIOp(v, i64)) for v in (core.op(math.RoundEvenOp(part)), whole))
    negative = core.compare("olt", wide, 0.0)
    return _negated_if(core, (low, high), negative), negative


def _guard(rw: AtlasRewriter, op: Any, bad: SSAValue, value: SSAValue) -> None:
    rw.trap_if(op, bad, f"{op.name} {op.dtype.name}: {state.NO_RESONANCE}", lambda: [value])


def _negated_if(core: Core, pair: Pair, condition: SSAValue) -> Pair:
    """-pair where the condition holds: the high word takes a borrow unless the low one is 0."""
    low, high = pair
    zero = core.constant(0, i64)
    less = core.select(core.compare("ne", low, zero), -1, zero)
    opposite = core.add(core.sub(zero, high), less)
    return core.select(condition, core.sub(zero, low), low), core.select(condition, opposite, high)


def _sum(core: Core, a: Pair, b: Pair) -> Pair:
    low = core.add(a[0], b[0])
    carry = core.resize(core.compare("ult", low, b[0]), i64, signed=False)
    return low, core.add(core.add(a[1], b[1]), carry)


def _total(rw: AtlasRewriter, place: SSAValue) -> Pair:
    core = Core(rw)
    low, high = (core.op(memref.LoadOp.get(place, [core.constant(n, IndexType())])) for n in range(2))
    return low, high


@RULES.on(state.ResAccumOp)
def res_accum(rw: AtlasRewriter, op: state.ResAccumOp) -> None:
    """Adds to the launch's sums, and to the lane's own where the program tests it."""
    core = Core(rw)
    around = enclosing_function(op)
    sums = None if around is None else find(around, RESONANCE)
    if sums is None or rw.linear_lane is None:
        _refuse(op)
    assert sums is not None
    c = checked(rw, op)
    pair, _ = _fixed(rw, op)
    rw.emit(func.CallOp(RESONATE, [rw.value(sums), core.op(IndexCastUIOp(c, IndexType())), *pair], []))
    if (place := rw.state.get(TOTAL)) is not None:
        for number, word in enumerate(_sum(core, _total(rw, place), pair)):
            rw.emit(memref.StoreOp.get(word, place, [core.constant(number, IndexType())]))


@RULES.on(state.UnityTestOp)
def unity_test(rw: AtlasRewriter, op: state.UnityTestOp) -> None:
    """|total| < eps, and eps above 0; the magnitude of the least total is 2^127, read as unsigned."""
    core = Core(rw)
    total = _total(rw, _held(rw, op, TOTAL))
    eps, negative = _fixed(rw, op)
    size = _negated_if(core, total, core.compare("slt", total[1], 0))
    same = core.compare("eq", size[1], eps[1])
    below = core.either(core.compare("ult", size[1], eps[1]), core.both(same, core.compare("ult", size[0], eps[0])))
    rw.define(op.result, core.both(below, core.xor(negative, 1)))


# Class memory


@RULES.on(class_memory.BoundMapOp)
def bound_map(rw: AtlasRewriter, op: class_memory.BoundMapOp) -> None:
    """class * 12288 + page * 256 + byte, after the guard."""
    core = Numbers(rw)
    around = enclosing_function(op)
    arena = None if around is None else find(around, CLASSES)
    assert arena is not None
    parts = [rw.value(v) for v in op.operands]
    _guard_place(rw, op, parts)
    offset = core.constant(0, i64)
    for part, (_, step) in zip(parts, _PARTS, strict=True):
        bytes = core.mul(core.resize(part, i64, signed=False), step)
        offset = core.add(offset, bytes)
    start = core.index_cast(core.op(memref.ExtractAlignedPointerAsIndexOp.get(rw.value(arena))), i64)
    rw.define(op.result, start, core.constant(classes.ARENA_BYTES, i64), offset)


def _guard_place(rw: AtlasRewriter, op: class_memory.BoundMapOp, parts: list[SSAValue]) -> None:
    core = Numbers(rw)
    checks = [
        (part, core.constant(end, i32))
        for old, part, (end, _) in zip(op.operands, parts, _PARTS, strict=True)
        if not proves_inside(old, end)
    ]
    if not checks:
        return
    outside = [core.compare("uge", part, end) for part, end in checks]
    rw.trap_outside(op, f"{op.name}: place out of class memory", checks, outside, signed=False)


def _class_and_rest(rw: AtlasRewriter, op: Any) -> tuple[SSAValue, SSAValue]:
    """The class of an address, as i32, and the bytes from where that class begins."""
    core = Numbers(rw)
    offset, end = pointers.total_offset(rw, op), core.constant(classes.ARENA_BYTES, i64)
    text = f"{op.name} {op.type.data.value}: address out of range"
    rw.trap_if(op, core.compare("uge", offset, end), text, lambda: [offset, end])
    step = core.constant(classes.BYTES_PER_CLASS, i64)
    number = core.div(offset, step)
    return core.resize(number, i32, signed=False), core.rem(offset, step)


@RULES.on(class_memory.ClsOfOp)
def cls_of(rw: AtlasRewriter, op: class_memory.ClsOfOp) -> None:
    """The address by the bytes of a class."""
    rw.define(op.result, _class_and_rest(rw, op)[0])


def _neighbour_place(rw: AtlasRewriter, op: Any) -> SSAValue:
    """The same place in a neighbour, as an llvm pointer, after the guards."""
    core = Numbers(rw)
    number, rest = _class_and_rest(rw, op)
    i = rw.value(op.i)
    past = core.compare("uge", i, class_formulas.degree(core, number))
    rw.trap_if(op, past, f"{op.name} {op.type.data.value}: {state.NO_NEIGHBOUR}", lambda: [number, i], signed=False)
    neighbour = core.resize(class_formulas.neighbour(core, number, i), i64, signed=False)
    start = core.mul(neighbour, classes.BYTES_PER_CLASS)
    offset = pointers.guarded_offset(rw, op, core.add(start, rest))
    return pointers.address(rw, op, offset)


@RULES.on(class_memory.NbrLoadOp)
def nbr_load(rw: AtlasRewriter, op: class_memory.NbrLoadOp) -> None:
    """A guarded load."""
    rw.define(op.result, pointers.raw_load(rw, op.dtype, _neighbour_place(rw, op)))


@RULES.on(class_memory.NbrStoreOp)
def nbr_store(rw: AtlasRewriter, op: class_memory.NbrStoreOp) -> None:
    """A guarded store."""
    place = _neighbour_place(rw, op)
    pointers.raw_store(rw, op.dtype, place, rw.value(op.value))
