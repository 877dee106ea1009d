"""The pass that proves, guards or refuses what a program at the kernel level does with memory."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.support.walking import operations
from hologram.transforms.guards import accesses, arithmetic, memory, views
from hologram.transforms.guards.guards import GUARDS, Guards
from hologram.transforms.guards.lifetimes import Lifetimes, Memory, check_returns
from hologram.transforms.guards.refusals import refuse_unsafe

MODULES = (accesses, arithmetic, memory, views)
"""What fills the table of guards."""


@dataclass(frozen=True)
class GuardMemoryPass(ModulePass):
    """Proves that a program at the kernel level stays in its memory, or has it trap, or refuses it.

    Indices are proven in range by the loops and conditions around them; other accesses get a check that traps. Views
    are checked where they are made. Memory that is freed must be proven to be used no more, new memory holds zeros,
    and arithmetic that upstream leaves undefined follows the ISA. Raw pointers, foreign functions and recursion are
    refused. Pipelines begin with this pass unless `unsafe-memory=true`.

    Before::

        %v = memref.load %x[%i] : memref<?xf32>

    After::

        %n = memref.dim %x, %c0 : memref<?xf32>
        %inside = arith.cmpi ult, %i, %n : index
        atlas.assert %inside, "memref.load: index {} is out of range for size {}" values(%i, %n : index, index)
        %v = memref.load %x[%i] : memref<?xf32>
    """

    name = "guard-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_unsafe(op)
        known = Memory(op)
        for function in known.functions:
            check_returns(known, function)
            if any(isinstance(o, memref.DeallocOp) for o in operations(function)):
                Lifetimes(known).check(function)
        arithmetic.believe_nothing(op)
        guards = Guards(known)
        for nested in operations(op):
            if (guard := GUARDS.find(type(nested))) is not None:
                guard(guards, nested)
