"""Whether the body of a loop can run on vectors, and the vectors' code: what vectorize-loops knows of loop bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from typing import Any, cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects import vector as xdsl_vector
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
    i1,
)
from xdsl.dialects.math import Math
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from hologram.dialects import vector
from hologram.dialects.arith import Arith as ArithDialect
from hologram.dialects.arith import RemFOp, constant_of
from hologram.dialects.layouts import as_memref, layout_of
from hologram.dialects.memref import PrefetchOp
from hologram.dialects.op_builder import INDEX, OpBuilder
from hologram.dialects.verbs import Arith
from hologram.support.walking import is_within

LINE = 64
"""The bytes of a cache line."""

_SLOW = (
    arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.CeilDivSIOp, arith.CeilDivUIOp,
    arith.FloorDivSIOp, RemFOp, arith.ConstantOp,
)  # fmt: skip
"""What processors have no vectors for; a division by zero in a lane that is masked off would also be one too many."""


_CHEAP = frozenset(
    f"math.{name}" for name in ("absf", "absi", "ceil", "copysign", "floor", "fma", "roundeven", "sqrt", "trunc")
)
"""Functions that are one instruction."""


@cache
def _elementwise() -> Mapping[str, type[Operation]]:
    """The operations that work on vectors as on each element, by name; our classes, which take vectors everywhere."""
    kinds = [*ArithDialect.operations, *Math.operations]
    # Not by `issubclass`, which asks abstract classes for all their subclasses.
    return {o.name: o for o in kinds if not set(_SLOW) & set(o.__mro__)}


class Role(Enum):
    """The way in which an operation of the body is computed for all lanes."""

    SCALAR = "once, at the first lane"
    VECTOR = "on vectors"
    LOAD = "neighbours from memory"
    STORE = "neighbours to memory"
    GATHER = "from places that lie apart"
    SCATTER = "to places that lie apart"
    PREFETCH = "a line of neighbours at a time"
    LOOKUP = "from a table, at an index of its own"
    LOOP = "with a body on vectors, as often for each lane"


_STORES = (Role.STORE, Role.SCATTER)


@dataclass
class Plan:
    """The roles of a loop's operations when its body runs on vectors."""

    loop: scf.ForOp
    roles: list[tuple[Operation, Role]] = field(default_factory=list[tuple[Operation, Role]])
    strides: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """What a scalar of the body grows by from lane to lane, 0 if it is the same in all."""
    bits: int = 8
    """Of the widest element in a vector."""
    inner: dict[Operation, list[tuple[Operation, Role]]] = field(
        default_factory=dict[Operation, list[tuple[Operation, Role]]]
    )
    """The bodies of loops in the body."""

    @cached_property
    def dear(self) -> bool:
        """Return whether a function is computed, for which it pays to bring the lanes together one by one."""
        return any(op.name.startswith("math.") and op.name not in _CHEAP for op in self.loop.body.block.ops)

    @property
    def work(self) -> int:
        """The operations on vectors."""
        return sum(role not in (Role.SCALAR, Role.PREFETCH) for _, role in self.all_roles)

    @property
    def stores(self) -> list[memref.StoreOp]:
        """The stores of the body, in order."""
        return [cast("memref.StoreOp", op) for op, role in self.all_roles if role in _STORES]

    @property
    def all_roles(self) -> list[tuple[Operation, Role]]:
        """The roles of all operations, those of loops in the body too."""
        return [*self.roles, *(pair for roles in self.inner.values() for pair in roles)]


def plan_of(loop: scf.ForOp) -> Plan | None:
    """The plan for a loop, or None where it can't run on vectors."""
    if loop.iter_args or not isinstance(loop.lb.type, IndexType):
        return None
    plan = Plan(loop)
    block = loop.body.block
    plan.strides[block.args[0]] = 1
    if not _plan_block(plan, block, plan.roles):
        return None
    return plan if any(role in _STORES for _, role in plan.all_roles) else None


def _plan_block(plan: Plan, block: Block, roles: list[tuple[Operation, Role]]) -> bool:
    """Finds the role of each operation of a block but the last; false where one has none."""
    for op in block.ops:
        if op is block.last_op:
            break
        role = _role(plan, op)
        if role is None:
            return False
        roles.append((op, role))
        for value in (*op.results, *op.operands) if role is not Role.SCALAR else ():
            if not isinstance(value.type, MemRefType | IndexType):
                plan.bits = max(plan.bits, element_bits(value.type))
    return True


def element_bits(type: Attribute) -> int:
    """Return the bits that an element takes in memory; i1 takes a byte."""
    return 64 if isinstance(type, IndexType) else 8 if type == i1 else cast("Any", type).bitwidth


def _can_be_lane(type: Attribute) -> bool:
    if isinstance(type, IntegerType):
        return type.bitwidth in (1, 8, 16, 32, 64)
    return isinstance(type, IndexType | Float16Type | BFloat16Type | Float32Type | Float64Type)


def _stride(plan: Plan, value: SSAValue) -> int | None:
    """Return what a value grows by from lane to lane: 0 for what comes from outside, None for vectors."""
    if value in plan.strides:
        return plan.strides[value]
    return None if is_within(value, plan.loop) else 0


def _role(plan: Plan, op: Operation) -> Role | None:
    match op:
        case arith.ConstantOp():
            plan.strides[op.result] = 0
            return Role.SCALAR
        case memref.GetGlobalOp():
            plan.strides[op.memref] = 0
            return Role.SCALAR
        case memref.LoadOp():
            return _load_role(plan, op)
        case memref.StoreOp():
            return _store_role(plan, op)
        case PrefetchOp():
            return Role.PREFETCH if _neighbours(plan, op.memref, op.indices) else None
        case scf.ForOp():
            return _loop_role(plan, op)
        case _ if op.name in _elementwise() and len(op.results) == 1:
            return _computed_role(plan, op)
        case _:
            return None


def _load_role(plan: Plan, op: memref.LoadOp) -> Role | None:
    if all(_stride(plan, i) == 0 for i in op.indices):
        plan.strides[op.res] = 0
        return Role.SCALAR
    if _neighbours(plan, op.memref, op.indices):
        return Role.LOAD
    if isinstance(op.memref.owner, memref.GetGlobalOp) and _only_last_varies(plan, op.indices):
        return Role.LOOKUP
    return Role.GATHER if plan.dear and _apart(plan, op.memref, op.indices) else None


def _only_last_varies(plan: Plan, indices: Sequence[SSAValue]) -> bool:
    """Return whether the lanes' last indices have nothing to do with each other, and the others are the same."""
    *outer, last = (_stride(plan, i) for i in indices)
    return last is None and all(s == 0 for s in outer)


def _store_role(plan: Plan, op: memref.StoreOp) -> Role | None:
    if _neighbours(plan, op.memref, op.indices):
        return Role.STORE
    return Role.SCATTER if plan.dear and _apart(plan, op.memref, op.indices) else None


def _apart(plan: Plan, memory: SSAValue, indices: Sequence[SSAValue]) -> bool:
    """Return whether the lanes' elements lie evenly along the last axis."""
    type = as_memref(memory.type)
    layout = None if type is None else layout_of(type)
    if layout is None or not indices or not _can_be_lane(layout.type.element_type):
        return False
    *outer, last = (_stride(plan, i) for i in indices)
    return last is not None and last != 0 and not any(s != 0 for s in outer)


def _loop_role(plan: Plan, op: scf.ForOp) -> Role | None:
    """A loop that runs as often for each lane; what it carries is in vectors."""
    same = all(_stride(plan, bound) == 0 for bound in (op.lb, op.ub, op.step))
    if not same or not isinstance(op.lb.type, IndexType) or not all(_can_be_lane(v.type) for v in op.iter_args):
        return None
    plan.strides[op.body.block.args[0]] = 0
    roles: list[tuple[Operation, Role]] = []
    plan.inner[op] = roles
    return Role.LOOP if _plan_block(plan, op.body.block, roles) else None


def _neighbours(plan: Plan, memory: SSAValue, indices: Sequence[SSAValue]) -> bool:
    """Return whether the lanes' elements lie side by side."""
    type = as_memref(memory.type)
    layout = None if type is None else layout_of(type)
    if layout is None or not indices or not _can_be_lane(layout.type.element_type):
        return False
    *outer, last = (_stride(plan, i) for i in indices)
    return last == 1 and not any(s != 0 for s in outer) and layout.strides[-1] == 1


def _computed_role(plan: Plan, op: Operation) -> Role | None:
    result = op.results[0]
    strides = [_stride(plan, v) for v in op.operands]
    if all(s == 0 for s in strides):
        plan.strides[result] = 0
        return Role.SCALAR
    if (linear := _linear(op, strides)) is not None:
        plan.strides[result] = linear
        return Role.SCALAR
    return Role.VECTOR if all(_can_be_lane(v.type) for v in (*op.operands, result)) else None


def _linear(op: Operation, strides: Sequence[int | None]) -> int | None:
    """Return what an integer computed from scalars grows by, if it grows evenly. Integers wrap, so this holds too."""
    type = op.results[0].type
    if None in strides or type == i1 or not isinstance(type, IndexType | IntegerType):
        return None
    known = cast("Sequence[int]", strides)
    match op:
        case arith.AddiOp():
            return known[0] + known[1]
        case arith.SubiOp():
            return known[0] - known[1]
        case arith.MuliOp():
            return _scaled(known[0], op.rhs) if known[1] == 0 else _scaled(known[1], op.lhs) if known[0] == 0 else None
        case arith.IndexCastOp() if isinstance(op.input.type, IndexType) or element_bits(op.input.type) == 64:
            return known[0]
        case arith.TruncIOp():
            return known[0]
        case _:
            return None


def _scaled(stride: int, factor: SSAValue) -> int | None:
    number = constant_of(factor)
    return None if number is None else stride * number


class VectorBody:
    """The body's code for a number of lanes, from the first lane's index on; appended to a block."""

    def __init__(self, plan: Plan, lanes: int, block: Block, mask: SSAValue | None = None):
        self.plan = plan
        self.lanes = lanes
        self.block = block
        self.mask = mask
        self.past_cache = 0
        self.zeros: dict[Attribute, SSAValue] = {}
        self.scalars: dict[SSAValue, SSAValue] = {}
        self.vectors: dict[SSAValue, SSAValue] = {}

    def emit(self, index: SSAValue, *, past_cache: int = 0) -> None:
        """All of it. With `past_cache` stores are non-temporal, at multiples of the bytes of so many elements."""
        self.past_cache = past_cache
        emit_together([self], [index])

    def one(self, op: Operation, role: Role) -> None:
        """Emits one operation other than a loop."""
        _CODE[role](self, op)

    def enter(self, block: Block) -> VectorBody:
        """The body's code inside of a loop: what is made there is not seen behind it."""
        inner = VectorBody(self.plan, self.lanes, block, self.mask)
        inner.zeros, inner.scalars, inner.vectors = dict(self.zeros), dict(self.scalars), dict(self.vectors)
        return inner

    def add(self, op: Operation, source: Operation) -> Operation:
        """Appends an operation in place of one of the loop's."""
        op.location = source.location
        self.block.add_op(op)
        return op

    def _type(self, element: Attribute) -> VectorType[Any]:
        return VectorType(element, [self.lanes])

    def scalar(self, op: Operation) -> None:
        """Emits an operation once, as it is."""
        new = self.add(op.clone({v: self.scalars.get(v, v) for v in op.operands}), op)
        self.scalars[op.results[0]] = new.results[0]

    def elementwise(self, op: Operation) -> None:
        """Emits an operation on vectors."""
        operands = [self.vector(v, op) for v in op.operands]
        if isinstance(op, arith.SelectOp) and _stride(self.plan, op.cond) == 0:
            operands[0] = self.scalars.get(op.cond, op.cond)
        kind = _elementwise()[op.name]
        result = op.results[0]
        new = kind.create(
            operands=operands,
            result_types=[self._type(result.type)],
            properties=op.properties,
            attributes=op.attributes,
        )
        self.define(result, self.add(new, op).results[0])

    def define(self, old: SSAValue, new: SSAValue) -> None:
        """Says what vector a value of the body is."""
        new.name_hint = old.name_hint
        self.vectors[old] = new

    def vector(self, value: SSAValue, user: Operation) -> SSAValue:
        """A value in all lanes."""
        if value not in self.vectors:
            self.vectors[value] = self._spread(value, user)
        return self.vectors[value]

    def _spread(self, value: SSAValue, user: Operation) -> SSAValue:
        type = self._type(value.type)
        if isinstance(value, OpResult) and isinstance(value.op, arith.ConstantOp):
            number: Any = value.op.value
            return self._core(user).constant(number.value.data, type)
        first = self.add(xdsl_vector.BroadcastOp(self.scalars.get(value, value), type), user).results[0]
        stride = _stride(self.plan, value)
        assert stride is not None
        if stride == 0:
            return first
        width = 64 if isinstance(value.type, IndexType) else cast("IntegerType", value.type).width.data
        steps = [_wrapped(n * stride, width) for n in range(self.lanes)]
        return self._core(user).add(first, self._constant(value.type, steps, user))

    def _core(self, user: Operation) -> Arith:
        """The verbs for what one of the loop's operations becomes."""
        return OpBuilder(self.block, user).core

    def load(self, op: memref.LoadOp) -> None:
        """Emits a load of neighbours."""
        type = self._type(op.res.type)
        indices = [self.scalars.get(i, i) for i in op.indices]
        if self.mask is None:
            new: Operation = vector.LoadOp(self._memory(op), indices, type)
        else:
            new = xdsl_vector.MaskedLoadOp(self._memory(op), indices, self.mask, self._zero(type, op))
        self.define(op.res, self.add(new, op).results[0])

    def prefetch(self, op: PrefetchOp) -> None:
        """Emits a prefetch for each line that the lanes take, or one if they take less."""
        *outer, last = (self.scalars.get(i, i) for i in op.indices)
        lanes = LINE * 8 // element_bits(cast("MemRefType[Attribute]", op.memref.type).element_type)
        for start in range(0, self.lanes, lanes):
            at = OpBuilder(self.block, op)
            place = at.index(at.add(last, start))
            new = op.clone(dict(zip(op.operands, (self._memory(op), *outer, place), strict=True)))
            self.add(new, op)

    def _memory(self, op: memref.LoadOp | memref.StoreOp | PrefetchOp) -> SSAValue:
        """Return the memory that an access goes to: a global may be named in the body."""
        return self.scalars.get(op.memref, op.memref)

    def gather(self, op: memref.LoadOp) -> None:
        """Emits a load from places that lie apart."""
        indices, places, mask = self._places(op)
        new = vector.GatherOp(self._memory(op), indices, places, mask, self._zero(self._type(op.res.type), op))
        self.define(op.res, self.add(new, op).results[0])

    def lookup(self, op: memref.LoadOp) -> None:
        """Emits a load from a table at indices of the lanes' own."""
        *outer, last = op.indices
        # Whatever a lane that is masked off has for an index is no place to read from.
        mask = self.mask if self.mask is not None else self._constant(i1, [1], op)
        first = [*(self.scalars.get(i, i) for i in outer), self._core(op).constant(0, INDEX)]
        places, other = self.vector(last, op), self._zero(self._type(op.res.type), op)
        new = vector.GatherOp(self._memory(op), first, places, mask, other)
        self.define(op.res, self.add(new, op).results[0])

    def scatter(self, op: memref.StoreOp) -> None:
        """Emits a store to places that lie apart."""
        indices, places, mask = self._places(op)
        self.add(vector.ScatterOp(self._memory(op), indices, places, mask, self.vector(op.value, op)), op)

    def _places(self, op: memref.LoadOp | memref.StoreOp) -> tuple[list[SSAValue], SSAValue, SSAValue]:
        """The first lane's indices, how far the lanes are from it, and which take part."""
        step = _stride(self.plan, op.indices[-1])
        assert step is not None
        places = self._constant(INDEX, [lane * step for lane in range(self.lanes)], op)
        mask = self.mask if self.mask is not None else self._constant(i1, [1], op)
        return [self.scalars.get(i, i) for i in op.indices], places, mask

    def _constant(self, element: Attribute, values: Sequence[int], user: Operation) -> SSAValue:
        type = self._type(element)
        return self.add(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, values), type), user).results[0]

    def _zero(self, type: VectorType[Any], user: Operation) -> SSAValue:
        if type not in self.zeros:
            self.zeros[type] = self._core(user).constant(0, type)
        return self.zeros[type]

    def store(self, op: memref.StoreOp) -> None:
        """Emits a store of neighbours."""
        value = self.vector(op.value, op)
        indices = [self.scalars.get(i, i) for i in op.indices]
        if self.mask is not None:
            self.add(xdsl_vector.MaskedStoreOp(self._memory(op), indices, self.mask, value), op)
            return
        alignment = self.past_cache * element_bits(op.value.type) // 8 or None
        self.add(vector.StoreOp(value, self._memory(op), indices, nontemporal=bool(alignment), alignment=alignment), op)


_CODE: dict[Role, Callable[[VectorBody, Any], None]] = {
    Role.SCALAR: VectorBody.scalar,
    Role.VECTOR: VectorBody.elementwise,
    Role.LOAD: VectorBody.load,
    Role.STORE: VectorBody.store,
    Role.GATHER: VectorBody.gather,
    Role.SCATTER: VectorBody.scatter,
    Role.PREFETCH: VectorBody.prefetch,
    Role.LOOKUP: VectorBody.lookup,
}
"""What emits an operation; loops are emitted for all bodies together."""


def emit_together(bodies: Sequence[VectorBody], indices: Sequence[SSAValue]) -> None:
    """The code of several runs of lanes, operation by operation in turns, so that loops in the body are run just once,
    and memory is read in its order."""
    counter = bodies[0].plan.loop.body.block.args[0]
    for body, index in zip(bodies, indices, strict=True):
        body.scalars[counter] = index
    _emit_roles(bodies, bodies[0].plan.roles)


def _emit_roles(bodies: Sequence[VectorBody], roles: Sequence[tuple[Operation, Role]]) -> None:
    for op, role in roles:
        if role is Role.LOOP:
            _emit_loop(bodies, cast("scf.ForOp", op))
            continue
        for body in bodies:
            body.one(op, role)


def _emit_loop(bodies: Sequence[VectorBody], op: scf.ForOp) -> None:
    """One loop that carries the vectors of all bodies."""
    old, block = op.body.block, Block(arg_types=[INDEX])
    block.args[0].name_hint = old.args[0].name_hint
    start = [[body.vector(v, op) for v in op.iter_args] for body in bodies]
    inner = [body.enter(block) for body in bodies]
    for body, values in zip(inner, start, strict=True):
        body.scalars[old.args[0]] = block.args[0]
        for arg, value in zip(old.args[1:], values, strict=True):
            body.define(arg, block.insert_arg(value.type, len(block.args)))
    _emit_roles(inner, bodies[0].plan.inner[op])
    leave = old.last_op
    assert leave is not None
    inner[0].add(scf.YieldOp(*(body.vector(v, op) for body in inner for v in leave.operands)), op)
    bounds = [bodies[0].scalars.get(v, v) for v in (op.lb, op.ub, op.step)]
    flat = [v for values in start for v in values]
    new = bodies[0].add(scf.ForOp(bounds[0], bounds[1], bounds[2], flat, block), op)
    new.attributes |= op.attributes
    results = iter(new.results)
    for body in bodies:
        for result in op.results:
            body.define(result, next(results))


def _wrapped(value: int, width: int) -> int:
    """A number as a signed one of `width` bits."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value
