"""Writes kernels of the flat form in a language: names, control flow, functions. What a language says is its table.

One statement an operation, with the operation's name hint; constants are written where they are used. Control flow
stays structured. Results of `scf.if` and what loops carry are variables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import cf, func, memref, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from hologram.dialects import gpu
from hologram.errors import PassError
from hologram.errors.limits import LONGEST_NAME
from hologram.lowering.targets.text.kinds import LANES, element_kind, kind_of, lane_type, space_of, static_size
from hologram.lowering.targets.text.language import Language, Parameter
from hologram.support.registry import Registry
from hologram.support.walking import operations

Rule = Callable[["Printer", Any], None]
RULES = Registry[Rule]()
"""How each operation is written, by its name."""

TRAP_FUNCTIONS = {"hologram_trap": 2, "hologram_trap_words": 6}
"""The functions that fill the trap record, by the words of values that they take: each language has its own form."""


class Printer:
    """Writes one gpu.module."""

    def __init__(self, language: Language):
        self.language = language
        self.globals: list[str] = []
        """Lines of the module that stand before the functions."""
        self.entry: list[str] = []
        """Lines that stand at the beginning of the kernel that is being written."""
        self.lines: list[str] = []
        self.depth = 0
        self.values: dict[SSAValue, str] = {}
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}
        """The next number to try behind a name that is taken."""
        self.module_names: set[str] = set(language.reserved)
        self.parameters: dict[SSAValue, Parameter] = {}
        """The buffers of the kernel or function that is being written."""
        self.alive: str | None = None
        """In a kernel whose lanes can't leave, the variable that says whether this one still takes part."""
        self.may_have_ended = False
        """Whether a lane may have ended before what is being written."""
        self.function: Operation | None = None
        self.shared: str | None = None
        """In a kernel, the name of the memory that a launch asks for."""
        self.tables: dict[str, tuple[str, str]] = {}
        """The module's constant arrays: by symbol the name and the kind of the elements."""
        self.spaces: Sequence[str] = ("global",)
        """The spaces that addresses may be in."""

    # Text

    def line(self, text: str) -> None:
        """Adds a line at the depth of the block."""
        self.lines.append(f"{'    ' * self.depth}{text}" if text else "")

    def open(self, text: str) -> None:
        """A line that opens a block."""
        self.line(f"{text} {{")
        self.depth += 1

    def open_last(self) -> None:
        """Opens the block of the line before."""
        self.line("{")
        self.depth += 1

    def close(self, text: str = "}") -> None:
        """A line that closes a block."""
        self.depth -= 1
        self.line(text)

    def fresh(self, hint: str | None) -> str:
        """A name that nothing has yet."""
        base = re.sub(r"\W", "_", (hint or "v")[:LONGEST_NAME], flags=re.ASCII)
        if not base[0].isalpha():
            base = f"v{base}"
        base = base.rstrip("_") or "v"
        name, number = base if hint else "v0", self.numbers.get(base, 0)
        while name in self.taken or name in self.module_names or "__" in name:
            base = base.replace("__", "_")
            name = f"{base}{'_' if hint else ''}{number}"
            number += 1
        self.numbers[base] = number
        self.taken.add(name)
        return name

    def outside(self, name: str) -> str:
        """The name in the module for something of a kernel, that it has nowhere else."""
        number, free = 0, name
        while free in self.module_names:
            number, free = number + 1, f"{name}_{number}"
        self.module_names.add(free)
        return free

    def open_else(self) -> None:
        """Closes a block and opens the one for the other case."""
        self.close("} else {")
        self.depth += 1

    @contextmanager
    def guarded(self) -> Generator[None]:
        """Statements that a lane which has ended must not run."""
        guard = self.guard
        if guard is not None:
            self.open(f"if ({guard})")
        yield
        if guard is not None:
            self.close()

    # Values

    @property
    def guard(self) -> str | None:
        """The variable that says whether the lane still takes part, where it may have ended."""
        return self.alive if self.may_have_ended else None

    def value(self, value: SSAValue) -> str:
        """The expression of a value: a name or a literal."""
        return self.values[value]

    def kind(self, value: SSAValue) -> str:
        """The kind of a scalar value."""
        owner = value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        assert op is not None
        kind = kind_of((lane_type(value.type) if self.language.has_lanes else None) or value.type, op)
        self.known(kind, op)
        return kind

    def is_memory(self, value: SSAValue) -> bool:
        """Return whether a value is a buffer."""
        return isinstance(value.type, MemRefType)

    def known(self, kind: str, op: Operation) -> None:
        """Refuses a kind that the language has no type for."""
        self.language.used.add(kind)
        if kind not in self.language.kinds:
            raise PassError(
                op,
                "device-refuses-type",
                f"{op.name} works on {kind}, which {self.language.name} has not on this device",
                hint="isa.md section 7: a device may refuse the type where it lacks it; compute in f32, or on another "
                "device",
            )

    def alias(self, result: SSAValue, expression: str) -> None:
        """Makes a value another name of an expression."""
        self.values[result] = expression

    def define(self, result: SSAValue, expression: str) -> None:
        """A statement that gives a value a name."""
        name = self.fresh(result.name_hint)
        self.line(self.language.constant(self.kind(result), name, expression))
        self.values[result] = name

    def declare(self, value: SSAValue, initial: str | None = None) -> str:
        """A variable for a value."""
        name = self.fresh(value.name_hint)
        memory = value.type
        if self.is_memory(value):
            owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
            assert owner is not None
            if not self.language.functions_take_memory:
                raise PassError(
                    owner,
                    "device-refuses-pointers",
                    f"{owner.name} chooses between buffers, and {self.language.name} has no pointers that can change",
                    hint="isa.md section 7: this device refuses pointers across objects; choose between the values",
                )
            pointer = self.language.changing_pointer(space_of(memory), element_kind(memory, owner))
            self.line(f"{pointer}{name}" + ("" if initial is None else f" = {initial}") + ";")
        else:
            self.line(self.language.variable(self.kind(value), name, initial))
        self.values[value] = name
        return name

    def array(self, value: SSAValue, q: Parameter, size: int) -> None:
        """Declares an array of the kernel."""
        self.parameters[value] = q
        self.alias(value, q.name)
        for line in self.language.array(self, value, q, size):
            self.line(line)

    def assign(self, names: Sequence[str], values: Sequence[SSAValue]) -> None:
        """Assigns values to variables, all at once."""
        pairs = [(n, self.value(v), v) for n, v in zip(names, values, strict=True) if n != self.value(v)]
        changed = [n for n, _, _ in pairs]
        moved: dict[str, str] = {}
        for at, (_, text, value) in enumerate(pairs):
            if text in changed[:at] and text not in moved:
                moved[text] = self.fresh("next")
                self.line(self.language.constant(self.kind(value), moved[text], text))
        for name, text, _ in pairs:
            self.line(f"{name} = {moved.get(text, text)};")

    # Code

    def block(self, block: Block) -> None:
        """The operations of a block but the last."""
        for op in block.ops:
            if op.next_op is not None:
                self.operation(op)

    def operation(self, op: Operation) -> None:
        """One operation."""
        write = RULES.find(type(op)) or Printer.unknown
        scalars = self.language
        if not op.regions and any(lane_type(v.type) for v in (*op.results, *op.operands)):
            self.language = scalars.for_lanes() or scalars
        write(self, op)
        self.language = scalars

    def unknown(self, op: Operation) -> None:
        """Refuses an operation that nothing is said of."""
        raise PassError(
            op,
            "kernel-text-op",
            f"{op.name} has no form in {self.language.name}",
            hint="kernels as text are written from the flat form: run flatten-kernels, and expand-math, before",
        )


@RULES.on("arith.constant")
def constant(p: Printer, op: Any) -> None:
    """Written where it is used."""
    kind = p.kind(op.result)
    if p.language.has_lanes:
        p.alias(op.result, p.language.row(kind, patterns_of(op.value, p.language.bits(kind), LANES)))
    elif isinstance(op.value, DenseIntOrFPElementsAttr):
        p.known(kind, op)
        dense: DenseIntOrFPElementsAttr[Any] = op.properties["value"]
        element = kind_of(dense.get_element_type(), op)
        words = patterns_of(dense, p.language.bits(element), len(dense))
        p.alias(op.result, f"{p.language.type(kind)}({', '.join(p.language.literal(element, w) for w in words)})")
    else:
        p.alias(op.result, p.language.given(op, kind, pattern_of(p, op.value, kind)))


def pattern_of(p: Printer, value: Any, kind: str) -> int:
    """The bits of a constant."""
    data = value.value.data
    if isinstance(data, int):
        return data & ((1 << p.language.bits(kind)) - 1)
    return int.from_bytes(value.type.pack((data,)), "little")


def patterns_of(values: DenseIntOrFPElementsAttr[Any], bits: int, count: int) -> list[int]:
    """The bits of so many constants."""
    width, data = max(bits, 8) // 8, values.data.data
    return [int.from_bytes(data[n * width : (n + 1) * width], "little") for n in range(count)]


# Control flow


@RULES.on("scf.if")
def write_if(p: Printer, op: scf.IfOp) -> None:
    """Results are variables that both sides assign."""
    names = [p.declare(r) for r in op.results]
    p.open(f"if ({p.value(op.cond)})")
    _branch(p, op.true_region.blocks[0], names)
    other = op.false_region.blocks
    if other and (len(other[0].ops) > 1 or names):
        p.open_else()
        _branch(p, other[0], names)
    p.close()


def _branch(p: Printer, block: Block, names: Sequence[str]) -> None:
    p.block(block)
    assert block.last_op is not None
    p.assign(names, block.last_op.operands)


@RULES.on("scf.for")
def write_for(p: Printer, op: scf.ForOp) -> None:
    """Bounds are signed; what the loop carries are variables, its results too."""
    kind = p.kind(op.lb)
    names = [p.declare(r, p.value(v)) for r, v in zip(op.results, op.iter_args, strict=True)]
    index, *carried = op.body.block.args
    for arg, name in zip(carried, names, strict=True):
        p.alias(arg, name)
    name = p.fresh(index.name_hint or "i")
    p.alias(index, name)
    first = p.language.variable(kind, name, p.value(op.lb)).rstrip(";")
    below = f"{p.language.signed(kind, name)} < {p.language.signed(kind, p.value(op.ub))}"
    p.may_have_ended |= _has(op, cf.AssertOp)
    p.open(f"for ({first}; {below}; {name} += {p.value(op.step)})")
    _branch(p, op.body.block, names)
    p.close()


@RULES.on("scf.while")
def write_while(p: Printer, op: scf.WhileOp) -> None:
    """A loop that leaves in its middle."""
    before, after = op.before_region.block, op.after_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert after.last_op is not None
    carried = [p.declare(a, p.value(v)) for a, v in zip(before.args, op.arguments, strict=True)]
    results = [p.declare(r) for r in op.results]
    p.may_have_ended |= _has(op, cf.AssertOp)
    p.open("while (true)")
    p.block(before)
    more = p.value(condition.condition)
    if p.guard is not None and not _has(op, gpu.BarrierOp):
        more = f"{more} && {p.guard}"
    p.open(f"if (!({more}))")
    p.assign(results, condition.args)
    p.line("break;")
    p.close()
    for arg, value in zip(after.args, condition.args, strict=True):
        p.alias(arg, p.value(value))
    p.block(after)
    p.assign(carried, after.last_op.operands)
    p.close()


def _has(op: Operation, kind: type[Operation]) -> bool:
    return any(isinstance(o, kind) for o in operations(op))


@RULES.on("cf.assert")
def write_assert(p: Printer, op: Any) -> None:
    """The lane ends; where it has to come to the next barrier it goes on without touching memory."""
    condition = p.value(op.arg)
    if p.alive is not None:
        p.line(f"{p.alive} = {p.alive} && {condition};")
        p.may_have_ended = True
        return
    p.open(f"if (!{condition})")
    p.line("return;")
    p.close()


@RULES.on("func.call")
def write_call(p: Printer, op: func.CallOp) -> None:
    """Calls return at most one value."""
    name = op.callee.string_value()
    if name in TRAP_FUNCTIONS:
        p.line(p.language.trap_call(p, name, op.operands[0], op.operands[1:]))
        return
    call = f"{name}({', '.join(p.value(v) for v in op.operands)})"
    if not op.results:
        p.line(f"{call};")
    else:  # What gives more was put in line.
        p.define(op.results[0], call)


# Lanes


@RULES.on("gpu.thread_id", "gpu.block_id", "gpu.block_dim", "gpu.grid_dim")
def write_id(p: Printer, op: Any) -> None:
    """Positions and sizes; the block's size where it is known."""
    axis = "xyz".index(op.dimension.data.value)
    known = p.function.known_block_size if isinstance(p.function, gpu.FuncOp) else None
    if op.name == "gpu.block_dim" and known is not None:
        p.alias(op.result, p.language.literal("index", int(known.get_values()[axis])))
        return
    p.define(op.result, p.language.identities[op.name][axis])


@RULES.on("gpu.barrier")
def write_barrier(p: Printer, op: gpu.BarrierOp) -> None:
    """All lanes of the block."""
    for line in p.language.barrier():
        p.line(line)


@RULES.on("llvm.fence")
def write_fence(p: Printer, op: Any) -> None:
    """Write a fence by its scope."""
    scope = op.syncscope.data if getattr(op, "syncscope", None) is not None else ""
    for line in p.language.fence(p, op, scope):
        p.line(line)


# Memory


@RULES.on("memref.alloca")
def write_alloca(p: Printer, op: memref.AllocaOp) -> None:
    """An array of the lane's own, or of the block's."""
    memory = op.memref.type
    if op.dynamic_sizes:
        raise PassError(
            op,
            "kernel-text-alloca",
            f"{op.name} has a size that is not constant, which {p.language.name} has no arrays of",
            hint="give local arrays a constant size",
        )
    space = "workgroup" if space_of(memory) == "workgroup" else "private"
    name = p.fresh(op.memref.name_hint or "local")
    kind = element_kind(memory, op)
    p.known(kind, op)
    p.array(op.memref, Parameter(name, op.memref, True, kind, space), static_size(memory))


@RULES.on("memref.get_global")
def write_get_global(p: Printer, op: memref.GetGlobalOp) -> None:
    """A table of the module."""
    name, _ = p.tables[op.name_.string_value()]
    p.alias(op.memref, name)


@RULES.on("memref.cast")
def write_memref_cast(p: Printer, op: memref.CastOp) -> None:
    """The same memory."""
    p.alias(op.dest, p.value(op.source))
    if op.source in p.parameters:
        p.parameters[op.dest] = p.parameters[op.source]


def index_text(p: Printer, indices: Sequence[SSAValue], op: Operation) -> str:
    """The index of an access to memory of at most one dimension."""
    if len(indices) > 1:
        raise PassError(
            op,
            "kernel-text-rank",
            f"{op.name} has {len(indices)} indices; kernels as text have linear accesses",
            hint="run flatten-kernels before",
        )
    return p.value(indices[0]) if indices else p.language.literal("index", 0)


@RULES.on("memref.load")
def write_load(p: Printer, op: memref.LoadOp) -> None:
    """Write a load; a lane that may have ended gets zero."""
    kind = element_kind(op.memref.type, op)
    read(p, op.res, kind, p.language.load(p, op.memref, kind, index_text(p, op.indices, op)))


def read(p: Printer, result: SSAValue, kind: str, text: str) -> None:
    """Define a result by a text that reads memory, and where the lane may have ended by zero."""
    if p.guard is None:
        p.define(result, text)
        return
    name = p.declare(result, p.language.literal(kind, 0))
    with p.guarded():
        p.line(f"{name} = {text};")


@RULES.on("memref.store")
def write_store(p: Printer, op: memref.StoreOp) -> None:
    """Nothing where the lane may have ended."""
    kind = element_kind(op.memref.type, op)
    lines = p.language.store(p, op.memref, kind, index_text(p, op.indices, op), p.value(op.value))
    guarded(p, lines)


def guarded(p: Printer, lines: Sequence[str]) -> None:
    """Statements that a lane that has ended must not run."""
    with p.guarded():
        for line in lines:
            p.line(line)
