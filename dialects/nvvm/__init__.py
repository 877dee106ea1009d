"""The `nvvm` dialect as upstream MLIR 22 has it: what NVIDIA's GPUs execute beside LLVM's instructions.

Families of operations are rows of tables; `OPERATIONS` has every class by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hologram.dialects.custom.rows import RowDialect
from hologram.dialects.nvvm import tensor_core
from hologram.dialects.nvvm.registers import REGISTERS
from hologram.dialects.nvvm.target import NVVMTargetAttr
from hologram.dialects.nvvm.tensor_core import ATTRIBUTES, Barrier0Op, ExitOp

__all__ = ["OPERATIONS", "REGISTERS", "Barrier0Op", "ExitOp", "NVVMTargetAttr", "Nvvm"]

OPERATIONS: Mapping[str, type[Any]] = {op.name: op for op in (*REGISTERS.values(), *tensor_core.OPERATIONS)}

Nvvm = RowDialect("nvvm", [*OPERATIONS.values()], [*ATTRIBUTES, NVVMTargetAttr], rows="hologram.dialects.nvvm.rows")
