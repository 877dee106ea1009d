"""Describes the kernels of a gpu.module: the arguments that they take, as JSON beside their code."""

from __future__ import annotations

import json
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, IntegerType, MemRefType, StringAttr, VectorType, i1
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import gpu, marks
from hologram.dialects.layouts import byte_size
from hologram.errors import PassError
from hologram.lowering.rewriting.entry_record import DTYPES
from hologram.lowering.rewriting.hidden_arguments import ORDER


def describe_kernels(module: gpu.ModuleOp) -> None:
    """Writes to a gpu.module in flat form what its kernels take."""
    text = json.dumps([_describe(kernel) for kernel in gpu.kernels_of(module)], separators=(",", ":"))
    module.attributes[marks.KERNELS] = StringAttr(text)


def kernels_of(op: gpu.ModuleOp | gpu.BinaryOp) -> list[dict[str, Any]]:
    """Return the descriptions of the kernels of a gpu.module or gpu.binary."""
    record = op.attributes.get(marks.KERNELS)
    if not isinstance(record, StringAttr):
        raise PassError(
            op,
            "device-kernels",
            f"'{op.name}' does not say what its kernels take",
            hint="run flatten-kernels first, which writes hologram.kernels",
        )
    return json.loads(record.data)


def _describe(kernel: gpu.FuncOp) -> dict[str, Any]:
    size = kernel.known_block_size
    block = None if size is None else list(cast("DenseArrayBase[Any]", size).get_values())
    shared = sum(_bytes(v) for v in kernel.workgroup)
    arg_attrs = kernel.arg_attrs.data if kernel.arg_attrs is not None else ()
    arguments: list[dict[str, Any]] = []
    for number, argument in enumerate(kernel.body.block.args[: kernel.argument_count]):
        attributes = arg_attrs[number].data if number < len(arg_attrs) else DictionaryAttr({}).data
        arguments.append(_argument(kernel, argument, attributes))
    return {"name": kernel.sym_name.data, "block": block, "shared": shared, "arguments": arguments}


def _argument(kernel: gpu.FuncOp, argument: SSAValue, attributes: Any) -> dict[str, Any]:
    type = argument.type
    if marks.TENSOR_MAP in attributes:
        return {"kind": "map", "dtype": "u8"}
    if not isinstance(type, MemRefType):
        return {"kind": "scalar", "dtype": _dtype(kernel, type)}
    access = attributes.get(marks.ACCESS)
    role = next((kind.name for kind in ORDER if kind.attribute in attributes), None)
    return {
        "kind": "buffer",
        "dtype": _element(kernel, cast("MemRefType[Attribute]", type).element_type),
        "access": access.data if isinstance(access, StringAttr) else "readwrite",
        "role": role,
    }


def _element(kernel: gpu.FuncOp, type: Attribute) -> str:
    """Buffers may hold integers of any width, which are limbs, and vectors of words."""
    if isinstance(type, VectorType):
        return _dtype(kernel, cast("VectorType[Attribute]", type).element_type)
    name = str(type)
    wide = isinstance(type, IntegerType) and type.bitwidth > 64
    return name if wide else _dtype(kernel, cast("Attribute", type))


def _dtype(kernel: gpu.FuncOp, type: Attribute) -> str:
    if type not in DTYPES:
        raise PassError(
            kernel,
            "device-argument",
            f"the kernel '{kernel.sym_name.data}' takes a {type}, which a launch can't pass",
            hint=f"kernels take buffers and scalars of {', '.join(DTYPES.values())}",
        )
    return DTYPES[type]


def _bytes(buffer: SSAValue) -> int:
    type = cast("MemRefType[Attribute]", buffer.type)
    return type.element_count() * (1 if type.element_type == i1 else byte_size(type.element_type) or 1)
