"""Code of a kernel in 32-bit integers, addresses of shared memory, and operations of a device's own dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i8, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from hologram.dialects import llvm
from hologram.dialects.llvm.enums import GEP_INBOUNDS
from hologram.dialects.verbs import Index, IndexArithmetic, Verb
from hologram.lowering.rewriting.kernel_builder import Builder

Word = Index
"""A 32-bit integer: a Python int where it is known."""


class DeviceCode(IndexArithmetic):
    """Emits through a builder; arithmetic of known integers is done here."""

    def __init__(self, b: Builder):
        self.b = b

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result."""
        return self.b.op(op)

    def emit(self, op: Operation) -> None:
        """Emits an operation without results, or whose results nobody needs."""
        self.b.rw.emit(op)

    # Integers

    def word(self, value: Word, type: IntegerType = i32) -> SSAValue:
        """The value of a word, a constant where it is known."""
        if isinstance(value, SSAValue):
            return value
        make = lambda: self.op(arith.ConstantOp(IntegerAttr(value, type)))  # noqa: E731
        return self.b.once(("word", value, type), make)

    def long(self, value: Word) -> SSAValue:
        """A word, or a constant, as 64 bits without a sign."""
        return self.word(value, i64) if isinstance(value, int) else self.op(arith.ExtUIOp(value, i64))

    def emitted(self, verb: Verb, a: Word, b: Word) -> SSAValue:
        return self.b.core.binary(verb, self.word(a), self.word(b))

    def xor(self, a: Word, b: Word) -> Word:
        """The bits in which a and b differ."""
        return self.binary("xor", a, b)

    def equal(self, a: Word, b: Word) -> SSAValue:
        """Whether a = b."""
        return self.b.core.compare("eq", self.word(a), self.word(b))

    def differ(self, a: Word, b: Word) -> SSAValue:
        """Whether a and b differ."""
        return self.b.core.compare("ne", self.word(a), self.word(b))

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether both hold."""
        return self.b.core.both(a, b)

    def select(self, condition: SSAValue, yes: Word, no: Word) -> SSAValue:
        """One of two words."""
        return self.b.core.select(condition, self.word(yes), self.word(no))

    # Addresses

    def at(self, base: SSAValue, offset: Word) -> SSAValue:
        """The address some bytes on."""
        if offset == 0:
            return base
        return self.op(llvm.GEPOp(base, [offset], i8, GEP_INBOUNDS))

    # Control

    @contextmanager
    def when(self, condition: SSAValue):
        """Code that runs only where the condition holds."""
        with self.b.when(condition):
            yield

    def either(self, condition: SSAValue, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """One of two pieces of code."""
        self.b.choose(condition, yes, no)

    def loop(
        self,
        bounds: tuple[Word, Word, Word],
        start: Sequence[SSAValue],
        step: Callable[[SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
        name: str,
    ) -> list[SSAValue]:
        """A loop over words from a first to before a last in steps, which carries values along."""
        lower, upper, stride = (self.word(v) for v in bounds)
        types: list[Attribute] = [i32, *(v.type for v in start)]
        body = Block(arg_types=types)
        body.args[0].name_hint = name
        with self.b.inside(body):
            self.emit(scf.YieldOp(*step(body.args[0], body.args[1:])))
        loop = scf.ForOp(lower, upper, stride, start, body)
        self.emit(loop)
        return list(loop.results)

    def repeat(
        self, start: Sequence[SSAValue], step: Callable[[Sequence[SSAValue]], tuple[SSAValue, Sequence[SSAValue]]]
    ) -> list[SSAValue]:
        """A loop that runs once at least: `step` says whether to go on, and gives the values that are carried along."""
        types = [v.type for v in start]
        before, after = Block(arg_types=types), Block(arg_types=types)
        with self.b.inside(before):
            goes_on, values = step(before.args)
            self.emit(scf.ConditionOp(goes_on, *values))
        with self.b.inside(after):
            self.emit(scf.YieldOp(*after.args))
        loop = scf.WhileOp(list(start), types, Region(before), Region(after))
        self.emit(loop)
        return list(loop.results)

    def until(self, done: Callable[[], SSAValue]) -> None:
        """Asks again and again until the answer is yes."""
        before, after = Block(), Block()
        with self.b.inside(before):
            self.emit(scf.ConditionOp(self.b.core.complement(done())))
        with self.b.inside(after):
            self.emit(scf.YieldOp())
        self.emit(scf.WhileOp([], [], Region(before), Region(after)))
