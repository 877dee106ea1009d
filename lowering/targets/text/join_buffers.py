"""Has kernels of many buffers take some of them in one, for devices that bind few."""

from __future__ import annotations

import json
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from hologram.dialects import gpu, marks
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.errors import UsageError
from hologram.lowering.blocks.kernel_records import kernels_of
from hologram.lowering.rewriting.hidden_arguments import ORDER
from hologram.lowering.targets.text.kinds import element_kind
from hologram.support.walking import operations

LEAST = 4
"""The three that a launch passes itself, and one that holds the others."""


@dataclass(frozen=True)
class JoinBuffersPass(ModulePass):
    """Marks the last buffers of kernels that take more than `most`, so that these and one that holds the marked ones
    are `most`. A launch copies the marked ones into that one, one behind another, and what was written back.

    What a launch passes itself is not marked, nor what atomic operations of 64 bits work on.

    Before::

        gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32>, %e: memref<?xf32>)

    After (`most=4`)::

        gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %d: memref<?xf32> {hologram.joined},
                    %e: memref<?xf32> {hologram.joined})
    """

    name = "join-buffers"
    most: int = 8

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.most < LEAST:
            raise UsageError("join-most", f"option 'most' of join-buffers is at least {LEAST}, not {self.most}")
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            kernels = [o for o in module.body.block.ops if isinstance(o, gpu.FuncOp) and o.kernel is not None]
            joined = {kernel.sym_name.data: numbers for kernel in kernels if (numbers := _join(kernel, self.most))}
            if joined:
                _describe(module, joined)


def _join(kernel: gpu.FuncOp, most: int) -> set[int]:
    """Marks arguments; gives their numbers among the buffers."""
    arguments = kernel.body.block.args[: kernel.argument_count]
    buffers = [a for a in arguments if isinstance(a.type, MemRefType)]
    if len(buffers) <= most:
        return set()
    empty = [DictionaryAttr({})] * len(arguments)
    arg_attrs: list[dict[str, Attribute]] = [dict(a.data) for a in kernel.arg_attrs or empty]
    kept = {hidden.attribute for hidden in ORDER}
    fixed = _atomic_of_64(kernel)
    free = [a for a in buffers if a not in fixed and not kept & arg_attrs[a.index].keys()]
    chosen = free[-(len(buffers) - most + 1) :]
    for argument in chosen:
        arg_attrs[argument.index][marks.JOINED] = UnitAttr()
    kernel.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in arg_attrs])
    return {buffers.index(argument) for argument in chosen}


def _atomic_of_64(kernel: gpu.FuncOp) -> set[SSAValue]:
    """The buffers that atomic operations of 64 bits work on."""
    buffers: set[SSAValue] = set()
    for op in operations(kernel):
        if isinstance(op, memref.AtomicRMWOp | GenericAtomicRMWOp):
            if element_kind(op.memref.type, op) in ("i64", "f64"):
                buffers.add(op.memref)
    return buffers


def _describe(module: gpu.ModuleOp, joined: dict[str, set[int]]) -> None:
    """Says it in what the module says of its kernels."""
    kernels = kernels_of(module)
    for kernel in kernels:
        buffers = [a for a in kernel["arguments"] if a["kind"] == "buffer"]
        for number in joined.get(kernel["name"], ()):
            buffers[number]["joined"] = True
    module.attributes[marks.KERNELS] = StringAttr(json.dumps(kernels, separators=(",", ":")))
