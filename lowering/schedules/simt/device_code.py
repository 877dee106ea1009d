"""Code of a kernel in 32-bit integers, addresses of shared memory, and operations of a device's own dialect."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8, i32, i64
from xdsl.ir import Operation, SSAValue

from hologram.dialects import llvm
from hologram.dialects.llvm.enums import GEP_INBOUNDS
from hologram.dialects.verbs import Index, Verb
from hologram.lowering.rewriting.kernel_builder import Builder

Word = Index
"""A 32-bit integer: a Python int where it is known."""


class DeviceCode(Builder):
    """Emits what every builder does, with words for indices."""

    kind = i32

    def emit(self, op: Operation) -> None:
        """Emits an operation without results, or whose results nobody needs."""
        self.rw.emit(op)

    def long(self, value: Word) -> SSAValue:
        """A word, or a constant, as 64 bits without a sign."""
        return self.index(value, i64) if isinstance(value, int) else self.op(arith.ExtUIOp(value, i64))

    def emitted(self, verb: Verb, a: Word, b: Word) -> SSAValue:
        return self.core.binary(verb, self.index(a), self.index(b))

    def at(self, base: SSAValue, offset: Word) -> SSAValue:
        """The address some bytes on."""
        if offset == 0:
            return base
        return self.op(llvm.GEPOp(base, [offset], i8, GEP_INBOUNDS))

    def until(self, done: Callable[[], SSAValue]) -> None:
        """Asks again and again until the answer is yes."""
        self.repeat([], lambda _: (self.core.complement(done()), ()))
