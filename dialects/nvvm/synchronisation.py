"""Barriers, and how a lane ends."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect


@irdl_op_definition
class Barrier0Op(IRDLOperation):
    """Waits until all lanes of the block have come here, or have ended: barrier 0."""

    name = "nvvm.barrier0"

    assembly_format = "attr-dict"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self) -> None:
        Operation.__init__(self)


@irdl_op_definition
class ExitOp(IRDLOperation):
    """Ends the lane."""

    name = "nvvm.exit"

    assembly_format = "attr-dict"

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self) -> None:
        Operation.__init__(self)
