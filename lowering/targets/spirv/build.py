"""Short ways to build operations of the spirv dialect inside a conversion rule, and what the rules know of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import spirv
from hologram.dialects.gpu import PRIVATE, WORKGROUP
from hologram.dialects.verbs import Level, Operand, Verb
from hologram.lowering.rewriting.conversion import Rewriter, Rules

PHYSICAL = "PhysicalStorageBuffer"
"""The storage class of buffers that are passed as addresses."""
WORD, WIDE_WORD = i32, i64
"""What `index` is: buffers have fewer than 2^31 elements. Kernels that compute with larger indices are an exception."""
RELAXED = spirv.MemorySemanticsAttr("None")
"""What atomics order: nothing (isa.md section 2). A driver may also make a barrier of any other order: Mesa's for
processors does, and lanes that come to it another number of times than others never end what they do."""


@dataclass(frozen=True)
class Buffer:
    """Memory that a kernel accesses by linear indices."""

    type: MemRefType[Attribute]
    pointer: SSAValue
    held: Attribute
    """What an element is in memory."""
    address: SSAValue | None = None
    """Where it is, as a number, if the kernel gets its buffers so."""
    image: SSAValue | None = None
    """What the driver reads it by, if it is a texel buffer."""

    @property
    def storage(self) -> str:
        """Its storage class."""
        return cast(spirv.PointerType, self.pointer.type).storage_class.data

    @property
    def scope(self) -> spirv.EnumAttr:
        """The scope of atomic accesses to it."""
        return spirv.ScopeAttr("Workgroup" if self.storage == "Workgroup" else "Device")


@dataclass
class Kernel:
    """The kernel that is being converted."""

    name: str
    entry: Block
    word: IntegerType
    """What `index` is in it."""
    semantics: str
    """The memory that a barrier orders."""
    alive: SSAValue | None = None
    """Where lanes can't leave, since they wait for each other or could in too many places: the variable that says
    whether this one would still run."""
    block_size: Sequence[int] | None = None
    grid: Callable[[str], SSAValue] | None = None
    """The sizes of the grid, by axis."""
    trap: SSAValue | None = None
    """The trap record."""
    used: dict[str, spirv.PointerType] = field(default_factory=dict[str, spirv.PointerType])
    """The global variables that it uses."""
    buffers: dict[SSAValue, Buffer] = field(default_factory=dict[SSAValue, Buffer])
    """By the value of memref type that they are."""
    as_integers: frozenset[SSAValue] = frozenset()
    """The buffers of floats that are updated atomically: their elements are integers in memory."""


@dataclass
class Shared:
    """The state that the kernels of a module share."""

    bytes: int
    """Of the memory of a block."""
    functions: dict[str, func.FuncOp] = field(default_factory=dict[str, func.FuncOp])
    """What they call, which is inlined."""
    inlined: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """How many operations a function has with others in place of their calls, and places where a lane may leave."""
    tables: dict[str, memref.GlobalOp] = field(default_factory=dict[str, memref.GlobalOp])
    module_ops: dict[str, Operation] = field(default_factory=dict[str, Operation])
    """What the module declares, by symbol."""
    are_addresses: bool = False
    """Whether kernels get their buffers as addresses."""
    flushes: bool = False
    """Whether the device may take subnormal numbers of f32 for zeros."""
    rough_roots: bool = False
    """Whether square roots of f32 may be off in their last places; `fma` then rounds once."""


class SpirvRewriter(Rewriter):
    """A walk that carries the kernel."""

    def __init__(self, rules: Rules, shared: Shared):
        super().__init__(rules)
        self.shared = shared
        self.kernel: Kernel | None = None

    def declare_global(self, name: str, type: spirv.PointerType, **how: Any) -> SSAValue:
        """The pointer that is a global variable; declares it where that was not done."""
        if name not in self.shared.module_ops:
            self.shared.module_ops[name] = spirv.GlobalVariableOp(name, type, **how)
        return address_of(self, name, type)


def walk(rw: Rewriter) -> SpirvRewriter:
    """The rewriter of a rule, as that of this conversion."""
    assert isinstance(rw, SpirvRewriter)
    return rw


def kernel_of(rw: Rewriter) -> Kernel:
    """The kernel that is being converted."""
    kernel = walk(rw).kernel
    assert kernel is not None
    return kernel


# Types


def type_conversion(word: IntegerType) -> Callable[[Attribute], Sequence[Attribute] | None]:
    """The conversion of the types of values: `index` to a word, bf16 to its bits."""

    def convert(type: Attribute) -> Sequence[Attribute] | None:
        if isinstance(type, IndexType):
            return (word,)
        if isinstance(type, BFloat16Type):
            return (i16,)
        if isinstance(type, VectorType):
            vector = cast("VectorType[Attribute]", type)
            (element,) = convert(vector.element_type) or (vector.element_type,)
            return (VectorType(element, vector.get_shape()),)
        return None

    return convert


def held_type(rw: Rewriter, memory: SSAValue) -> Attribute:
    """The type of an element in memory: a truth value is a byte, and `index` in buffers has 64 bits."""
    memref = cast("MemRefType[Attribute]", memory.type)
    element = memref.element_type
    if element == i1:
        return i8
    if isinstance(element, IndexType) and not is_local(memref):
        return i64
    converted = rw.type(element)
    as_integers = memory in kernel_of(rw).as_integers
    return bits_type(converted) if as_integers and spirv.is_float(converted) else converted


def is_local(memref: MemRefType[Attribute]) -> bool:
    """Return whether a buffer is the block's or the lane's."""
    return memref.memory_space in (WORKGROUP, PRIVATE)


def pointer_to(memref: MemRefType[Attribute], held: Attribute, outside: str = "StorageBuffer") -> spirv.PointerType:
    """The type of the variable that a buffer is; `outside` is the storage class of those that are passed."""
    if is_local(memref):
        storage = "Workgroup" if memref.memory_space == WORKGROUP else "Function"
        return spirv.PointerType.to(spirv.ArrayType.of(memref.get_shape()[0], held), storage)
    array = spirv.RuntimeArrayType.of(held, spirv.size_of(held))
    return spirv.PointerType.to(spirv.StructType.of([array], [0]), outside)


# Values


def emit(
    rw: Rewriter,
    name: str,
    operands: Sequence[SSAValue],
    type: Attribute,
    properties: Mapping[str, Attribute] | None = None,
    *,
    exact: bool = False,
) -> SSAValue:
    """Emits an operation with one result. `exact` forbids to contract a product and a sum."""
    flags = {"no_contraction": UnitAttr()} if exact else {}
    return rw.emit(spirv.build(name, operands, (type,), properties, flags)).results[0]


def constant(rw: Rewriter, value: float, type: Attribute = i32) -> SSAValue:
    """A constant of a scalar or vector type, once a function."""
    return literal(rw, attribute(value, type))


def attribute(value: float, type: Attribute) -> Attribute:
    """The attribute of a constant."""
    if isinstance(type, VectorType):
        return DenseIntOrFPElementsAttr.from_list(cast(Any, type), [value])
    if isinstance(type, IntegerType):
        width = type.bitwidth
        bits = int(value) & (1 << width) - 1
        signed = bits - (1 << width) if width > 1 and bits >> width - 1 else bits
        return IntegerAttr(signed, cast("IntegerType", type))
    return FloatAttr(value, cast(Any, type))


def literal(rw: Rewriter, value: Attribute) -> SSAValue:
    """The constant of an attribute, once a function."""
    kernel = kernel_of(rw)
    return rw.once(
        ("constant", str(value)),
        lambda: cast(spirv.ConstantOp, _at_entry(rw, spirv.ConstantOp(value))).constant,
        scope=kernel.entry,
    )


def _at_entry(rw: Rewriter, op: Operation) -> Operation:
    rw.emit_at_entry(op)
    return op


def array_constant(rw: Rewriter, values: Attribute, type: spirv.ArrayType) -> SSAValue:
    """A constant array, at the start of the function."""
    return _at_entry(rw, spirv.ConstantOp(values, type)).results[0]


def address_of(rw: Rewriter, name: str, type: spirv.PointerType) -> SSAValue:
    """The pointer that is a global variable, once a function."""
    kernel = kernel_of(rw)
    kernel.used[name] = type

    def make() -> SSAValue:
        op = spirv.AddressOfOp.create(properties={"variable": SymbolRefAttr(name)}, result_types=[type])
        return _at_entry(rw, op).results[0]

    return rw.once(("address", name), make, scope=kernel.entry)


def load(rw: Rewriter, pointer: SSAValue) -> SSAValue:
    """The value behind a pointer."""
    type = cast(spirv.PointerType, pointer.type)
    return emit(rw, "Load", (pointer,), type.pointee, _alignment(type))


def store(rw: Rewriter, pointer: SSAValue, value: SSAValue) -> None:
    """Puts a value behind a pointer."""
    rw.emit(spirv.build("Store", (pointer, value), (), _alignment(cast(spirv.PointerType, pointer.type))))


def _alignment(type: spirv.PointerType) -> dict[str, Attribute]:
    """The properties that accesses by address must have."""
    if type.storage_class.data != PHYSICAL:
        return {}
    size = spirv.size_of(type.pointee)
    return {"memory_access": spirv.MemoryAccessAttr("Aligned"), "alignment": IntegerAttr(size, i32)}


def element(rw: Rewriter, base: SSAValue, indices: Sequence[SSAValue], type: Attribute) -> SSAValue:
    """A pointer to a part of what a pointer leads to."""
    storage = cast(spirv.PointerType, base.type).storage_class.data
    return emit(rw, "AccessChain", (base, *indices), spirv.PointerType.to(type, storage))


def variable(rw: Rewriter, type: Attribute, start: SSAValue | None = None) -> SSAValue:
    """A variable of this lane; `start` is what it holds at first."""
    op = spirv.VariableOp(spirv.PointerType.to(type, "Function"), start)
    return _at_entry(rw, op).results[0]


def private_array(rw: Rewriter, memory: SSAValue) -> None:
    """Make a variable of this lane for an array."""
    type, held = cast("MemRefType[Attribute]", memory.type), held_type(rw, memory)
    kernel_of(rw).buffers[memory] = Buffer(type, variable(rw, pointer_to(type, held).pointee), held)


def compare_exchange(
    rw: Rewriter, pointer: SSAValue, value: SSAValue, expected: SSAValue, scope: spirv.EnumAttr
) -> SSAValue:
    """The old value, which is replaced if it is the expected one; all as in memory."""
    properties = {"memory_scope": scope, "equal_semantics": RELAXED, "unequal_semantics": RELAXED}
    return emit(rw, "AtomicCompareExchange", (pointer, value, expected), value.type, properties)


def shaped(type: Attribute, like: Attribute) -> Attribute:
    """`type`, or a vector of it where `like` is one."""
    return VectorType(type, like.get_shape()) if isinstance(like, VectorType) else type


def width_of(type: Attribute) -> int:
    """The bits of a scalar, or of an element of a vector."""
    element = spirv.element_of(type)
    return cast(Any, element).bitwidth


def bits_type(type: Attribute) -> Attribute:
    """The integers that hold a float's bits."""
    return shaped(IntegerType(width_of(type)), type)


def bitcast(rw: Rewriter, value: SSAValue, type: Attribute) -> SSAValue:
    """The same bits as another type."""
    return value if value.type == type else emit(rw, "Bitcast", (value,), type)


def resize(rw: Rewriter, value: SSAValue, type: Attribute, *, signed: bool) -> SSAValue:
    """An integer in another width; a truth value is 0 or 1, or -1 where it is signed."""
    if value.type == type:
        return value
    if spirv.is_bool(value.type):
        ones, zeros = constant(rw, -1 if signed else 1, type), constant(rw, 0, type)
        return emit(rw, "Select", (value, ones, zeros), type)
    if spirv.is_bool(type):
        last = emit(rw, "BitwiseAnd", (value, constant(rw, 1, value.type)), value.type)
        return emit(rw, "INotEqual", (last, constant(rw, 0, value.type)), type)
    return emit(rw, "SConvert" if signed else "UConvert", (value,), type)


# Verbs

FLOATS: dict[Verb, str] = {"add": "FAdd", "sub": "FSub", "mul": "FMul", "div": "FDiv"}
INTEGERS: dict[Verb, str] = {
    "add": "IAdd", "sub": "ISub", "mul": "IMul", "div": "UDiv", "sdiv": "SDiv", "rem": "UMod",
    "shl": "ShiftLeftLogical", "shr": "ShiftRightLogical", "ashr": "ShiftRightArithmetic", "and": "BitwiseAnd",
    "or": "BitwiseOr", "xor": "BitwiseXor", "smax": "GL.SMax", "smin": "GL.SMin", "max": "GL.UMax", "min": "GL.UMin",
}  # fmt: skip
BOOLS: dict[Verb, str] = {
    "add": "LogicalNotEqual", "sub": "LogicalNotEqual", "mul": "LogicalAnd", "and": "LogicalAnd", "or": "LogicalOr",
    "xor": "LogicalNotEqual", "max": "LogicalOr", "min": "LogicalAnd", "smax": "LogicalAnd", "smin": "LogicalOr",
}  # fmt: skip
"""What arithmetic of one bit is on truth values."""
_ORDERS = {
    "eq": "Equal", "ne": "NotEqual", "lt": "LessThan", "le": "LessThanEqual", "gt": "GreaterThan",
    "ge": "GreaterThanEqual",
}  # fmt: skip


def order_of(predicate: str, type: Attribute) -> str:
    """The comparison that a predicate of arith is, of floats `olt` and so on, of integers `slt`."""
    if spirv.is_float(type):
        return "FOrdNotEqual" if predicate == "one" else _FLOAT_SIDES[predicate[0]] + _ORDERS[predicate[1:]]
    if predicate in _ORDERS:
        return "I" + _ORDERS[predicate]
    return predicate[0].upper() + _ORDERS[predicate[1:]]


_FLOAT_SIDES = {"o": "FOrd", "u": "FUnord"}
Formula = Callable[..., SSAValue]
_EXTENDED_WIDTH = 32
"""The set GLSL.std.450 takes integers of this width for sure."""


class Spirv(Level):
    """Emits operations of spirv. Those of integers of one bit are operations of truth values here."""

    def __init__(self, rw: Rewriter):
        self.rw = rw

    def op(self, name: str, *operands: SSAValue, type: Attribute | None = None, exact: bool = False) -> SSAValue:
        """Emit an operation with one result, of the first operand's type where none is given."""
        return emit(self.rw, name, operands, operands[0].type if type is None else type, exact=exact)

    def type(self, op: Operation) -> Attribute:
        """The type that an operation's result becomes."""
        return self.rw.type(op.results[0].type)

    def resize(self, value: SSAValue, type: Attribute, *, signed: bool = False) -> SSAValue:
        """An integer in another width."""
        return resize(self.rw, value, type, signed=signed)

    def bitcast(self, value: SSAValue, type: Attribute) -> SSAValue:
        """The same bits as another type."""
        return bitcast(self.rw, value, type)

    def words(self, value: SSAValue) -> list[SSAValue]:
        """An integer as words of 32 bits, the lowest first."""
        parts = [value] if width_of(value.type) <= 32 else [value, self.shr(value, 32)]
        return [self.resize(part, shaped(i32, value.type)) for part in parts]

    def bits(self, value: SSAValue) -> SSAValue:
        """The bits of a float, as an integer."""
        return bitcast(self.rw, value, bits_type(value.type))

    def constant(self, value: float, type: Attribute) -> SSAValue:
        return constant(self.rw, value, type)

    def binary(self, verb: Verb, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        if spirv.is_float(a.type):
            return self.op(FLOATS[verb], a, b)
        if spirv.is_bool(a.type):
            return self.op(BOOLS[verb], a, b)
        if verb in ("min", "max", "smin", "smax") and width_of(a.type) != _EXTENDED_WIDTH:
            sign, order = "s" if verb[0] == "s" else "u", "gt" if verb.endswith("max") else "lt"
            return self.select(self.compare(sign + order, a, b), a, b)
        return self.op(INTEGERS[verb], a, b)

    def compare(self, predicate: str, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        return self.op(order_of(predicate, a.type), a, b, type=shaped(i1, a.type))

    def select(self, condition: SSAValue, a: Operand, b: Operand) -> SSAValue:
        a, b = self.operands(a, b)
        return self.op("Select", condition, a, b, type=a.type)


def computed(rules: Rules, *kinds: type[Operation]) -> Callable[[Formula], Formula]:
    """Register a function that computes the result of an operation from its operands: `(x, op, *operands)`."""

    def register(formula: Formula) -> Formula:
        def rule(rw: Rewriter, op: Operation) -> None:
            rw.define(op.results[0], formula(Spirv(rw), op, *[rw.value(v) for v in op.operands]))

        rules.on(*kinds)(rule)
        return formula

    return register


# Control flow


@contextmanager
def selection(rw: Rewriter, condition: SSAValue) -> Generator[None]:
    """A branch: the code that is emitted inside runs where the condition holds."""
    outer = rw.insertion_block
    header, then, merge = Block(), Block(), Block()
    header.add_op(spirv.BranchConditionalOp(condition, then, merge))
    merge.add_op(spirv.MergeOp())
    body = Region([header, then, merge])
    rw.move_to(then)
    yield
    if (last := rw.insertion_block.last_op) is None or not isinstance(last, spirv.ReturnOp):
        rw.emit(spirv.BranchOp(merge))
    rw.move_to(outer)
    rw.emit(spirv.SelectionOp(body))


class Loop:
    """The blocks of a loop: entry, header with what is carried, body, the way back, merge."""

    def __init__(self, rw: Rewriter, carried: Sequence[SSAValue]):
        types = [v.type for v in carried]
        self.entry, self.header, self.back, self.merge = Block(), Block(arg_types=types), Block(), Block()
        self.body = Block()
        self.entry.add_op(spirv.BranchOp(self.header, list(carried)))
        self.merge.add_op(spirv.MergeOp())
        self.outer = rw.insertion_block

    def emit(self, rw: Rewriter, *more: Block) -> None:
        """Puts the loop where it was begun."""
        rw.move_to(self.outer)
        blocks = [self.entry, self.header, self.body, *more, self.back, self.merge]
        rw.emit(spirv.LoopOp(Region(blocks)))


def guarded(rw: Rewriter, action: Callable[[], None]) -> None:
    """Does something, unless the lane has trapped and can't leave."""
    alive = kernel_of(rw).alive
    if alive is None:
        action()
        return
    with selection(rw, load(rw, alive)):
        action()
