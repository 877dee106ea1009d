"""Emits operations at a place of the IR: index arithmetic that folds, accesses to memory and loops."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from hologram.dialects.verbs import Arith, Index, IndexArithmetic, Verb

INDEX = IndexType()
OpT = TypeVar("OpT", bound=Operation)


class OpBuilder(IndexArithmetic):
    """Emits before an operation, or at the end of a block, with the location of `source`, by default the operation's.

    Its own verbs compute indices and fold what is known at compile time; those of `core` take values of any type.
    """

    def __init__(self, at: Operation | Block, source: Operation | None = None):
        if source is None:
            assert isinstance(at, Operation)
            source = at
        self.at = at
        self.source = source
        self.core = Arith(self.emit)
        """The verbs on values of any type of arith."""

    def emit(self, op: OpT) -> OpT:
        """Emits an operation, and returns it."""
        op.location = self.source.location
        if isinstance(self.at, Block):
            self.at.add_op(op)
        else:
            block = self.at.parent_block()
            assert block is not None
            block.insert_op_before(op, self.at)
        return op

    def op(self, op: Operation) -> SSAValue:
        """Emits an operation with one result, and returns that."""
        return self.emit(op).results[0]

    def index(self, value: Index) -> SSAValue:
        """The value of an index, a constant where it is known."""
        return self.op(arith.ConstantOp(IntegerAttr(value, INDEX))) if isinstance(value, int) else value

    def emitted(self, verb: Verb, a: Index, b: Index) -> SSAValue:
        return self.core.binary(verb, self.index(a), self.index(b))

    def load(self, buffer: SSAValue, *indices: Index) -> SSAValue:
        """Loads an element."""
        return self.op(memref.LoadOp.get(buffer, [self.index(i) for i in indices]))

    def store(self, value: SSAValue, buffer: SSAValue, *indices: Index) -> None:
        """Stores an element."""
        self.emit(memref.StoreOp.get(value, buffer, [self.index(i) for i in indices]))

    @contextmanager
    def loop(
        self, lower: Index, upper: Index, step: Index = 1, name: str | None = None
    ) -> Generator[tuple[OpBuilder, SSAValue]]:
        """A counted loop; gives a builder of its body, and its index."""
        bounds = [self.index(v) for v in (lower, upper, step)]
        body = Block(arg_types=[INDEX])
        body.args[0].name_hint = name
        inside = OpBuilder(body, self.source)
        yield inside, body.args[0]
        inside.emit(scf.YieldOp())
        self.emit(scf.ForOp(bounds[0], bounds[1], bounds[2], [], body))
