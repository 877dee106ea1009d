"""Statements of kernels: variables and their types, arrays, control."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType, Space, SpaceAttr
from hologram.dialects.atlas.lanes.memory import AllocaOp, LdgOp, LdlOp, LdsOp, StgOp, StlOp, StsOp, space_of
from hologram.dialects.hologram import kernels as form
from hologram.errors import did_you_mean
from hologram.frontend.kernels import advice, model
from hologram.frontend.kernels.building import Memory, Program
from hologram.frontend.kernels.calls import call, is_pure
from hologram.frontend.kernels.expressions import Expressions
from hologram.frontend.kernels.scopes import assigned, changing
from hologram.frontend.kernels.values import (
    BOOL,
    F32,
    I64,
    Number,
    Operand,
    Typed,
    alone,
    call_it,
    promoted,
    widens,
    with_literal,
)
from hologram.support.promotion import STORED, shown

LOADS: dict[Space, Any] = {Space.global_: LdgOp, Space.shared: LdsOp, Space.local: LdlOp}
STORES: dict[Space, Any] = {Space.global_: StgOp, Space.shared: StsOp, Space.local: StlOp}


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a body."""

    value: SSAValue
    dtype: DType


class Statements:
    """Builds the statements of one body, a kernel's or a function's."""

    def __init__(self, program: Program, block: Block, of: model.Kernel | model.Function):
        self.program = program
        self.fault = program.fault
        self.entry = block
        self.block = block
        self.of = of
        self.names: dict[str, Variable | Typed | Memory | Number] = {}
        self.changing = changing(of.params, of.body)
        """The names that are variables; others mean the value that they were given."""
        self.assigned: set[str] | None = set()
        """The variables that have a value on every way here; None where no way leads."""
        self.loops: list[list[set[str]]] = []
        """Of each loop around: what is assigned where it is left."""
        self.last: Operation | None = None
        """The last declaration; they all stand first."""
        self.returns: list[tuple[form.ReturnOp, Operand | None, model.At | None]] = []
        self.dropped: list[Block] = []
        """What stands behind the ends of ways."""
        self.expressions = Expressions(self)

    # Where things go

    def emit(self, op: Any, at: model.At | None) -> Any:
        """Puts an operation where the body stands; its first result."""
        op.location = self.program.location(at)
        self.block.add_op(op)
        return op.results[0] if op.results else None

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Builds into another block."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    def variable(self, dtype: DType) -> SSAValue:
        """A new variable, declared at the beginning of the body."""
        op = form.VarOp(dtype.ir)
        op.location = self.program.location(self.of.at)
        self._declare(op)
        return op.variable

    def declared(self, type: Attribute, at: model.At | None) -> SSAValue:
        """A new array of the block or of the lane, declared at the beginning of the body."""
        op = AllocaOp(cast("MemRefType[Attribute]", type))
        op.location = self.program.location(at)
        self._declare(op)
        return op.result

    def _declare(self, op: Operation) -> None:
        """Puts a declaration behind those that there are."""
        if self.last is not None:
            self.entry.insert_op_after(op, self.last)
        elif self.entry.first_op is not None:
            self.entry.insert_op_before(op, self.entry.first_op)
        else:
            self.entry.add_op(op)
        self.last = op

    # Names

    def declare(self, params: Sequence[model.Parameter], known: Mapping[str, Number]) -> None:
        """Gives the parameters their values: the arguments of the block, and the constants that are known."""
        arguments = iter(self.entry.args)
        for parameter in params:
            if parameter.name in self.names:
                self.fault("kernel-parameter-twice", parameter.at, f"parameter '{parameter.name}' is there twice")
            if isinstance(parameter.type, model.Constant):
                self.names[parameter.name] = known[parameter.name]
                continue
            value = next(arguments)
            call_it(value, parameter.name)
            self._parameter(parameter, value)

    def _parameter(self, parameter: model.Parameter, value: SSAValue) -> None:
        match parameter.type:
            case model.DeviceArray(dtype=dtype, rank=rank):
                self.names[parameter.name] = Memory(value, DTYPES[dtype], rank)
            case model.Pointer(dtype=dtype):
                self.names[parameter.name] = Memory(value, DTYPES[dtype], 1, sized=False)
            case model.Scalar(dtype=dtype):
                self._scalar(parameter, value, DTYPES[dtype])
            case _:
                raise AssertionError(parameter)

    def _scalar(self, parameter: model.Parameter, value: SSAValue, dtype: DType) -> None:
        """A parameter is a variable if it is assigned to."""
        if parameter.name not in self.changing:
            self.names[parameter.name] = Typed(value, dtype)
            return
        variable = self.variable(dtype)
        self.names[parameter.name] = Variable(variable, dtype)
        self.emit(form.SetOp(variable, value), parameter.at)
        self._mark(parameter.name)

    def declare_given(self, params: Sequence[model.Parameter], given: Sequence[Typed | Memory | Number]) -> None:
        """Gives the parameters of a function what a call gives it: arguments of the block, and literals as they are."""
        arguments = iter(self.entry.args)
        for parameter, what in zip(params, given, strict=True):
            if not isinstance(what, Typed | Memory):
                self.names[parameter.name] = what
                continue
            value = next(arguments)
            call_it(value, parameter.name)
            if isinstance(what, Memory):
                self.names[parameter.name] = Memory(value, what.dtype, what.rank, what.sized)
            else:
                self._scalar(parameter, value, what.dtype)

    def is_array(self, name: str) -> bool:
        """Return whether a name is that of an array."""
        return isinstance(self.names.get(name), Memory)

    def find(self, name: str, at: model.At | None) -> Variable | Typed | Memory | Number:
        """Return what a name means."""
        if name not in self.names:
            if name in assigned(self.of.body):
                self._unassigned(name, at)
            hint = advice.word(name) or did_you_mean(name, self.names)
            self.fault("kernel-name", at, f"there is no variable '{name}'", hint or "give it a value first")
        return self.names[name]

    def read(self, e: model.Var) -> Operand:
        """The value of a variable."""
        binding = self.find(e.name, e.at)
        if isinstance(binding, Memory):
            return self.fault(
                "kernel-array-as-number", e.at, f"'{e.name}' is an array, and this takes a number",
                f"write {e.name}[...] for an element",
            )  # fmt: skip
        if not isinstance(binding, Variable):
            return binding
        if self.assigned is not None and e.name not in self.assigned:
            self._unassigned(e.name, e.at)
        return Typed(self.emit(form.GetOp(binding.value), e.at), binding.dtype)

    def _unassigned(self, name: str, at: model.At | None) -> NoReturn:
        message = f"'{name}' may have no value here: not every way assigns it"
        self.fault("kernel-unassigned", at, message, "give it a value first")

    def array(self, name: str, at: model.At | None) -> Memory:
        """An array by its name."""
        memory = self.find(name, at)
        if not isinstance(memory, Memory):
            self.fault("kernel-not-array", at, f"'{name}' is no array", "this takes the name of an array")
        return memory

    # Elements

    def place(self, e: model.Index) -> tuple[Memory, list[SSAValue]]:
        """An array and indices of an element."""
        memory = self.array(e.array, e.at)
        if len(e.indices) != memory.rank:
            axes = "1 axis" if memory.rank == 1 else f"{memory.rank} axes"
            given = "1 index" if len(e.indices) == 1 else f"{len(e.indices)} indices"
            self.fault("kernel-index-count", e.at, f"'{e.array}' has {axes}, and this has {given}")
        return memory, [self.expressions.integer(i, "an index").value for i in e.indices]

    def load(self, e: model.Index) -> Typed:
        """An element."""
        memory, indices = self.place(e)
        return self._loaded(memory, indices, e.at)

    def _loaded(self, memory: Memory, indices: Sequence[SSAValue], at: model.At | None) -> Typed:
        """Load an element: as an f32 where its type is one of memory alone."""
        load = LOADS[space_of(memory.value.type)](memory.dtype, memory.value, indices)
        element = Typed(self.emit(load, at), memory.dtype)
        return self.expressions.cast(element, F32, at) if memory.dtype.name in STORED else element

    # Statements

    def run(self, statements: Sequence[model.Statement]) -> None:
        """Builds statements, one after the other. Those that no way leads to are checked, and run never."""
        for statement in statements:
            self._statement(statement)

    def _statement(self, s: model.Statement) -> None:
        match s:
            case model.Let():
                self._let(s)
            case model.Assign():
                self._assign(s)
            case model.Array():
                self._array(s)
            case model.If():
                self._if(s)
            case model.For():
                self._for(s)
            case model.While():
                self._while(s)
            case model.Break() | model.Continue():
                self._leave(s)
            case model.Return():
                self._return(s)
            case model.Evaluate():
                self._evaluate(s)
            case model.Assert():
                self._assert(s)

    def _evaluate(self, s: model.Evaluate) -> None:
        if is_pure(s.value.function) and s.value.function not in self.program.functions:
            self.fault("kernel-no-effect", s.at, f"'{s.value.function}' gives a value, and nothing is done with it")
        call(self.expressions, s.value)

    def _assert(self, s: model.Assert) -> None:
        truth = self.expressions.truth(s.condition)
        if isinstance(truth, Typed):
            self.emit(AssertOp(self.expressions.cast(truth, BOOL, s.at).value, s.message), s.at)
        elif not truth:
            self.fault("kernel-assert", s.at, f"no lane gets past this: {s.message}")

    def _mark(self, name: str) -> None:
        if self.assigned is not None:
            self.assigned.add(name)

    def _let(self, s: model.Let) -> None:
        value = self.expressions.of(s.value)
        wanted = DTYPES[s.dtype] if s.dtype is not None else None
        known = self.names.get(s.name)
        dtype = wanted or (value.dtype if isinstance(value, Typed) else alone(value))
        if isinstance(known, Variable | Typed):
            if wanted not in (None, known.dtype):
                self.fault("kernel-declared-twice", s.at, f"'{s.name}' is {known.dtype.name} already")
            dtype = known.dtype
        if s.name not in self.changing and isinstance(known, Typed | None):
            self.check_fits(s.name, dtype, value, s.at)
            self.names[s.name] = given = self.expressions.cast(value, dtype, s.at)
            call_it(given.value, given.value.name_hint or s.name)
            return
        if known is None:
            self.names[s.name] = known = Variable(self.variable(dtype), dtype)
            call_it(known.value, s.name)
        self._set(s.name, value, s.at)

    def _set(self, name: str, value: Operand, at: model.At | None) -> None:
        """Assigns to a variable, in its type."""
        known = self.find(name, at)
        if not isinstance(known, Variable):
            what = "an array" if isinstance(known, Memory) else "a constant"
            self.fault("kernel-assign-kind", at, f"'{name}' is {what}, and can't be assigned to")
        assert isinstance(known, Variable)
        self.check_fits(name, known.dtype, value, at)
        self.emit(form.SetOp(known.value, self.expressions.cast(value, known.dtype, at).value), at)
        self._mark(name)

    def check_fits(self, name: str, dtype: DType, value: Operand, at: model.At | None) -> None:
        """Raises an error where a variable, or the elements of an array, would lose what a value says."""
        fitting = widens(value.dtype, dtype) if isinstance(value, Typed) else with_literal(dtype, value) == dtype
        if not fitting:
            given = value.dtype.name if isinstance(value, Typed) else shown(value)
            hint = f"write {dtype.name}(...) around it"
            if isinstance(self.names.get(name), Variable):
                hint += f", or begin '{name}' with another type"
            message = f"'{name}' is {dtype.name}, and can't hold {given} as it is"
            self.fault("kernel-narrowing", at, message, hint)

    def _assign(self, s: model.Assign) -> None:
        if isinstance(s.target, model.Var):
            name = s.target.name
            if name not in self.names:
                hint = did_you_mean(name, self.names)
                self.fault("kernel-assign-name", s.target.at, f"there is no variable '{name}' to assign to", hint)
            old = None if s.op is None else self.read(s.target)
            value = self.expressions.of(s.value)
            if old is not None and s.op is not None:
                value = self.expressions.combine(s.op, old, value, s.at)
            self._set(name, value, s.at)
            return
        memory, indices, value = self._changed(s.target, s.op, s.value, s.at)
        self.check_fits(s.target.array, memory.dtype, value, s.at)
        stored = self.expressions.cast(value, memory.dtype, s.at).value
        store = STORES[space_of(memory.value.type)]
        self.emit(store(memory.dtype, [stored], memory.value, indices), s.at)

    def _changed(self, e: model.Index, op: str | None, value: model.Expression,
                 at: model.At | None) -> tuple[Memory, list[SSAValue], Operand]:  # fmt: skip
        """The place of an element and its new value, in the order in which Python comes to them."""
        if op is None:
            new_value = self.expressions.of(value)
            return *self.place(e), new_value
        memory, indices = self.place(e)
        old = self._loaded(memory, indices, at)
        return memory, indices, self.expressions.combine(op, old, self.expressions.of(value), at)

    def _array(self, s: model.Array) -> None:
        if s.name in self.names:
            self.fault("kernel-array-twice", s.at, f"'{s.name}' is there already")
        sizes: list[int] = []
        for e in s.shape:
            size = self.expressions.of(e)
            if isinstance(size, Typed) or isinstance(size, bool | float) or size < 1:
                self.fault(
                    "kernel-array-size", s.at, "the sizes of an array of lanes are known numbers of at least 1",
                    "use literals, and parameters that are constants",
                )  # fmt: skip
            sizes.append(size)
        dtype = DTYPES[s.dtype]
        type = MemRefType(dtype.ir, sizes, memory_space=SpaceAttr(Space(s.space)))
        self.names[s.name] = Memory(self.declared(type, s.at), dtype, len(sizes))

    # Control

    def _body(self, statements: Sequence[model.Statement], block: Block) -> set[str] | None:
        """Builds a body of its own; what is assigned at its end."""
        with self.inside(block):
            self.run(statements)
        return self.assigned

    def _if(self, s: model.If) -> None:
        truth = self.expressions.truth(s.condition)
        if not isinstance(truth, Typed):
            # A constant decides: what it leaves out need not fit the types.
            self.run(s.then if truth else s.otherwise)
            return
        condition = self.expressions.cast(truth, DTYPES["bool"], s.at).value
        before = self.assigned
        blocks = Block(), Block()
        ends: list[set[str] | None] = []
        for statements, block in zip((s.then, s.otherwise), blocks, strict=True):
            self.assigned = None if before is None else set(before)
            ends.append(self._body(statements, block))
        self.assigned = _joined(ends)
        other = Region(blocks[1]) if s.otherwise else None
        self.emit(form.IfOp(condition, Region(blocks[0]), other), s.at)

    def _for(self, s: model.For) -> None:
        bounds = [self.expressions.integer(e, "a bound of a range") for e in (s.start, s.stop, s.step)]
        known = self.names.get(s.variable)
        if not isinstance(known, Variable | Typed | None) or (known is not None and known.dtype != I64):
            self.fault(
                "kernel-loop-variable", s.at, f"'{s.variable}' counts, so it is an i64, and it is something else"
            )
        block = Block(arg_types=[I64.ir])
        if s.variable not in self.changing:
            call_it(block.args[0], s.variable)
            self.names[s.variable] = Typed(block.args[0], I64)
        elif known is None:
            self.names[s.variable] = known = Variable(self.variable(I64), I64)
            call_it(known.value, s.variable)
        before = None if self.assigned is None else set(self.assigned)
        self.loops.append([])
        if isinstance(known, Variable):
            with self.inside(block):
                self.emit(form.SetOp(known.value, block.args[0]), s.at)
            self._mark(s.variable)
        self._body(s.body, block)
        self.loops.pop()
        self.assigned = before
        start, stop, step = (b.value for b in bounds)
        self.emit(form.ForOp(start, stop, step, Region(block)), s.at)

    def _while(self, s: model.While) -> None:
        first, block = Block(), Block()
        with self.inside(first):
            holds = self.expressions.truth(s.condition)
            forever = not isinstance(holds, Typed) and bool(holds)
            self.emit(form.ConditionOp(self.expressions.cast(holds, DTYPES["bool"], s.at).value), s.at)
        before = None if self.assigned is None else set(self.assigned)
        self.loops.append([])
        self._body(s.body, block)
        left: list[set[str] | None] = [*self.loops.pop()]
        self.assigned = _joined(left if forever else [*left, before])
        self.emit(form.WhileOp(Region(first), Region(block)), s.at)

    def _leave(self, s: model.Break | model.Continue) -> None:
        if not self.loops:
            word = "break" if isinstance(s, model.Break) else "continue"
            self.fault("kernel-outside-loop", s.at, f"'{word}' stands in a loop, and there is none around it")
        if isinstance(s, model.Break) and self.assigned is not None:
            self.loops[-1].append(set(self.assigned))
        self._end(form.BreakOp() if isinstance(s, model.Break) else form.ContinueOp(), s.at)

    def _return(self, s: model.Return) -> None:
        value = None if s.value is None else self.expressions.of(s.value)
        if isinstance(self.of, model.Kernel) and value is not None:
            self.fault("kernel-returns", s.at, "a kernel gives no value back", "store it in an array")
        op = form.ReturnOp()
        self.returns.append((op, value, s.at))
        self._end(op, s.at)

    def _end(self, op: Any, at: model.At | None) -> None:
        """Ends the way here. Operations after it would never run, and they have a block that is dropped."""
        self.emit(op, at)
        self.block = Block()
        self.dropped.append(self.block)
        self.assigned = None

    def finish(self) -> DType | None:
        """Ends the body; what its function returns: the type that all its values are brought to."""
        for block in self.dropped:
            for op in reversed(list(block.ops)):
                op.detach()
                op.drop_all_references()
        returns = [r for r in self.returns if r[0].parent is not None]
        dtype = self._returned(returns)
        if dtype is None:
            return None
        if self.assigned is not None:
            message = f"'{self.of.name}' returns a value, but not on every way"
            self.fault("kernel-function-end", self.of.at, message, "return one at its end too")
        for op, value, at in returns:
            block = op.parent
            assert block is not None
            assert value is not None
            op.detach()
            with self.inside(block):
                self.emit(form.ReturnOp(self.expressions.cast(value, dtype, at).value), at)
        return dtype

    def _returned(self, returns: Sequence[tuple[form.ReturnOp, Operand | None, model.At | None]]) -> DType | None:
        name = getattr(self.of, "dtype", None)
        if all(v is None for _, v, _ in returns):
            if name is not None:
                self.fault("kernel-function-value", self.of.at, f"'{self.of.name}' returns {name}, and has no value to")
            return None
        dtype: DType | None = None if name is None else DTYPES[name]
        for _, value, at in returns:
            if value is None:
                self.fault(
                    "kernel-function-bare-return", at, f"'{self.of.name}' returns a value elsewhere, and none here"
                )
            if name is not None:
                self.check_fits(self.of.name, DTYPES[name], value, at)
                continue
            given = value.dtype if isinstance(value, Typed) else alone(value)
            dtype = given if dtype is None else promoted(dtype, given)
            if dtype is None:
                self.fault("kernel-function-types", at, f"what '{self.of.name}' returns has no common type")
        return dtype


def _joined(ends: Sequence[set[str] | None]) -> set[str] | None:
    """Return the variables that are assigned where ways join; None where no way leads."""
    assigned: set[str] | None = None
    for end in ends:
        if end is not None:
            assigned = end if assigned is None else assigned & end
    return assigned
