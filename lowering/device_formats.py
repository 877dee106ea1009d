"""The formats of device code, and what is said of its kernels. One row a format below; it is imported when asked for.

A format is a function `(module, target, features) -> bytes`. `module` is the gpu.module, in the flat form or what
the format's own conversion made of that; `target` is the architecture or version that is asked for, empty for the
format's default, and `features` are what the device has of what devices may lack.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DictionaryAttr, IntegerType, MemRefType, StringAttr, VectorType, i1
from xdsl.ir import Attribute, SSAValue

from hologram.dialects import gpu
from hologram.errors import PassError, UsageError, did_you_mean
from hologram.lowering.entry_record import ACCESS, DTYPES
from hologram.lowering.hidden_arguments import ORDER
from hologram.lowering.llvm_types import byte_size

Emit = Callable[[gpu.ModuleOp, str, Sequence[str]], bytes]

_FORMATS: dict[str, tuple[str, str, str]] = {
    # format: (module in hologram.lowering.emit, function, what gpu.object calls it)
    "msl": ("text_kernels", "msl_code", "assembly"),
    "opencl-c": ("text_kernels", "opencl_code", "assembly"),
    "ptx": ("ptx", "ptx_code", "assembly"),
    "spirv": ("spirv_target", "spirv_code", "bin"),
    "wgsl": ("text_kernels", "wgsl_code", "assembly"),
    "mlir": ("device_text", "mlir_code", "offload"),
}
TENSOR_MAP = "hologram.tensor_map"
"""On an argument of a kernel: it is a tensor map, which comes by value and whose address copies take."""
_added: dict[str, tuple[str, str, str]] = {}
"""Formats of plugins."""
KERNELS = "hologram.kernels"
"""On a gpu.module and a gpu.binary: what the kernels take, as a JSON list."""


@dataclass(frozen=True)
class Format:
    """A row of the registry, imported."""

    emit: Emit
    kind: str


def add_format(name: str, module: str, function: str, kind: str = "assembly") -> None:
    """Adds a format of a plugin: `module` is imported when the format is asked for, and has the function."""
    _added[name] = (module, function, kind)


def find_format(name: str) -> Format:
    """The format called `name`."""
    if name in _added:
        module, function, kind = _added[name]
        return Format(getattr(import_module(module), function), kind)
    if name not in _FORMATS:
        known = [*_FORMATS, *_added]
        raise UsageError(
            "device-format",
            f"there is no format '{name}' of device code",
            hint=did_you_mean(name, known) or f"there are {', '.join(sorted(known))}",
        )
    module, function, kind = _FORMATS[name]
    return Format(getattr(import_module(f"hologram.lowering.emit.{module}"), function), kind)


def target_of(name: str, target: str) -> Attribute:
    """What a gpu.object of a format says it is for: upstream's attribute where there is one, else words."""
    if name == "ptx":
        from hologram.lowering.emit.ptx import ptx_target

        return ptx_target(target)
    return StringAttr(" ".join(filter(None, (name, target))))


# What kernels take


def describe_kernels(module: gpu.ModuleOp) -> None:
    """Writes to a gpu.module in flat form what its kernels take."""
    kernels = [o for o in module.body.block.ops if isinstance(o, gpu.FuncOp) and o.kernel is not None]
    text = json.dumps([_describe(kernel) for kernel in kernels], separators=(",", ":"))
    module.attributes[KERNELS] = StringAttr(text)


def kernels_of(op: gpu.ModuleOp | gpu.BinaryOp) -> list[dict[str, Any]]:
    """What is said of the kernels of a gpu.module or gpu.binary."""
    said = op.attributes.get(KERNELS)
    if not isinstance(said, StringAttr):
        raise PassError(
            op,
            "device-kernels",
            f"'{op.name}' does not say what its kernels take",
            hint="run flatten-kernels first, which writes hologram.kernels",
        )
    return json.loads(said.data)


def _describe(kernel: gpu.FuncOp) -> dict[str, Any]:
    size = kernel.known_block_size
    block = None if size is None else list(cast("DenseArrayBase[Any]", size).get_values())
    shared = sum(_bytes(v) for v in kernel.workgroup)
    said = kernel.arg_attrs.data if kernel.arg_attrs is not None else ()
    arguments: list[dict[str, Any]] = []
    for number, argument in enumerate(kernel.body.block.args[: kernel.argument_count]):
        attributes = said[number].data if number < len(said) else DictionaryAttr({}).data
        arguments.append(_argument(kernel, argument, attributes))
    return {"name": kernel.sym_name.data, "block": block, "shared": shared, "arguments": arguments}


def _argument(kernel: gpu.FuncOp, argument: SSAValue, said: Any) -> dict[str, Any]:
    type = argument.type
    if TENSOR_MAP in said:
        return {"kind": "map", "dtype": "u8"}
    if not isinstance(type, MemRefType):
        return {"kind": "scalar", "dtype": _dtype(kernel, type)}
    access = said.get(ACCESS)
    role = next((kind.name for kind in ORDER if kind.attribute in said), None)
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
    count = 1 if type.element_type == i1 else byte_size(type.element_type) or 1
    for size in type.get_shape():
        count *= size
    return count
