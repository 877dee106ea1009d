"""Compiles a module for WebAssembly and leaves in its place what launches it from this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import BytesAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import marks
from hologram.support.hidden import HIDDEN

KIND, FORMAT, TARGET = "wasm", "wasm-object", "wasm32+simd128"


@dataclass(frozen=True)
class EmbedWasmPass(ModulePass):
    """Makes a wasm32 object of a module of the llvm dialect. What is left are functions for this machine with the same
    names and parameters, each of which has the device start its kernel: the entry of that name in the object.

    The object is the constant `@hologram_device_code`; the entry records describe it. Arrays are passed by the device's
    addresses, wide integers by those of their limbs here.

    Before::

        llvm.func @main(%x: !llvm.ptr, %n: i64) attributes {hologram.entry = "..."} { ... }

    After::

        llvm.mlir.global external constant @hologram_device_code("...") : !llvm.array<2048 x i8>
        llvm.mlir.global external @hologram_device_context(0 : i64) : i64
        llvm.func @main(%x: !llvm.ptr, %n: i64) attributes {hologram.entry = "..."} {
          ... the addresses of %x and %n in an array
          llvm.call @hologram_device_launch(%context, %kernel, ..., %array) : (...) -> ()
          llvm.return
        }
    """

    name = "embed-wasm"

    level: int = 3
    """LLVM's level of optimisation."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from hologram.dialects.mlir_parser import MlirParser
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
        from hologram.lowering.targets.objects.native import checked_level
        from hologram.lowering.targets.objects.wasm import to_object

        entries = list(_entries(op))
        code = to_object(emit_llvm_ir(op), checked_level(self.level))
        text = _HEAD.format(size=len(code)) + "".join(_stub(n, *entry) for n, entry in enumerate(entries))
        host = MlirParser(ctx, text, "launches").parse()
        kernels = [_kernel(function, record) for function, record in entries]
        device = {"kind": KIND, "format": FORMAT, "target": TARGET, "bytes": len(code), "kernels": kernels}
        for new in host.body.block.ops:
            name = _name(new)
            if name == "hologram_device_code":
                new.properties["value"] = BytesAttr(code)
            for function, record in entries:
                if name == _name(function):
                    new.location = function.location
                    described = {**record, "version": 3, "device": device}
                    new.attributes[marks.ENTRY] = StringAttr(json.dumps(described, separators=(",", ":")))
        for old in list(op.body.block.ops):
            Rewriter.erase_op(old)
        op.body.block.add_ops([new for new in list(host.body.block.ops) if new.detach() is None])


_HEAD = """
llvm.mlir.global external constant @hologram_device_code("") : !llvm.array<{size} x i8>
llvm.mlir.global external @hologram_device_context(0 : i64) : i64
llvm.func @hologram_device_launch(i64, i32, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr)
"""


def _entries(module: ModuleOp) -> Iterator[tuple[Operation, dict[str, Any]]]:
    """The functions that can be launched, with their records."""
    for op in module.body.block.ops:
        record = op.attributes.get(marks.ENTRY)
        if isinstance(record, StringAttr) and op.regions[0].blocks:
            yield op, json.loads(record.data)


def _name(op: Operation) -> str:
    return cast("StringAttr", op.properties["sym_name"]).data


def _arguments(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The kernel's arguments: the parameters of the launch ABI, in its order."""
    given = record["arguments"]
    buffers = [a for a in given if a["kind"] == "buffer"]
    arguments: list[dict[str, Any]] = [
        {"kind": "buffer", "dtype": a["dtype"], "access": a["access"], "role": None} for a in buffers
    ]
    words = sum(n is None for a in buffers for n in (*a["shape"], *(a["strides"] or ())))
    arguments += [{"kind": "scalar", "dtype": "index"}] * words
    arguments += [{"kind": "scalar", "dtype": a["dtype"]} for a in given if a["kind"] == "scalar"]
    for name in HIDDEN:
        if record.get(name):
            arguments.append({"kind": "buffer", "dtype": "i64", "access": "readwrite", "role": name})
    return arguments


def _kernel(function: Operation, record: dict[str, Any]) -> dict[str, Any]:
    return {"name": _name(function), "block": [1, 1, 1], "shared": 0, "arguments": _arguments(record)}


def _stub(number: int, function: Operation, record: dict[str, Any]) -> str:
    """A function that launches the kernel of its number with its own parameters."""
    arguments = _arguments(record)
    # The kernel takes the bits of 16-bit floats; this machine passes them as floats.
    types = [
        argument["dtype"] if argument["kind"] == "scalar" and argument["dtype"] in ("f16", "bf16") else str(type)
        for argument, type in zip(arguments, cast("Any", function.properties["function_type"]).inputs.data, strict=True)
    ]
    parameters = ", ".join(f"%p{i}: {t}" for i, t in enumerate(types))
    lines = [
        f"llvm.func @{_name(function)}({parameters}) {{",
        "  %one = llvm.mlir.constant(1 : i64) : i64",
        "  %none = llvm.mlir.constant(0 : i64) : i64",
        f"  %kernel = llvm.mlir.constant({number} : i32) : i32",
        f"  %array = llvm.alloca %one x !llvm.array<{max(len(types), 1)} x ptr> : (i64) -> !llvm.ptr",
    ]
    for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
        place = f"%p{i}"
        if argument["kind"] == "buffer" or type != "!llvm.ptr":
            place = f"%place{i}"
            lines += [
                f"  {place} = llvm.alloca %one x {type} : (i64) -> !llvm.ptr",
                f"  llvm.store %p{i}, {place} : {type}, !llvm.ptr",
            ]
        # A wide integer is passed by a pointer already.
        lines += [
            f"  %at{i} = llvm.getelementptr %array[{i}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr",
            f"  llvm.store {place}, %at{i} : !llvm.ptr, !llvm.ptr",
        ]
    sizes = ", ".join(["%one"] * 6)
    return "\n".join(
        [
            *lines,
            "  %address = llvm.mlir.addressof @hologram_device_context : !llvm.ptr",
            "  %context = llvm.load %address : !llvm.ptr -> i64",
            f"  llvm.call @hologram_device_launch(%context, %kernel, {sizes}, %none, %array) : "
            "(i64, i32, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr) -> ()",
            "  llvm.return",
            "}\n",
        ]
    )
