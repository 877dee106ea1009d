"""Device code as MLIR text: kernels in the flat form, for devices that read it and for tests."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from hologram.dialects import gpu
from hologram.dialects.mlir_printer import MlirPrinter


def mlir_code(module: gpu.ModuleOp, target: str, features: Sequence[str]) -> bytes:
    """The gpu.module as text."""
    stream = StringIO()
    MlirPrinter(stream=stream).print_op(module)
    return stream.getvalue().encode()
