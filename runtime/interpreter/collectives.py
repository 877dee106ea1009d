"""The reference of the collectives on one device."""

from __future__ import annotations

from xdsl.ir import Operation

from hologram.dialects.atlas import collectives
from hologram.runtime.interpreter.machine import Handler
from hologram.runtime.interpreter.search import extension_form
from hologram.runtime.interpreter.values import Array


def _all_reduce(op: collectives.AllReduceOp, x: Array) -> Array:
    return x.copy()


def _all_gather(op: collectives.AllGatherOp, x: Array) -> Array:
    return x[None].copy()


COLLECTIVES: dict[type[Operation], Handler] = {
    collectives.AllReduceOp: extension_form(_all_reduce),
    collectives.AllGatherOp: extension_form(_all_gather),
}
"""What executes each of them."""
