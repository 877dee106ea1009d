"""The tensor dialect: xDSL's operations, and rows for what it lacks, or takes fewer programs of than upstream."""

from __future__ import annotations

from xdsl.dialects import tensor

from hologram.dialects.custom.rows import RowDialect

_ROWS = (tensor.ExpandShapeOp, tensor.PadOp, tensor.ReshapeOp)
"""The classes in whose place there are rows."""
Tensor = RowDialect(
    "tensor",
    [op for op in tensor.Tensor.operations if op not in _ROWS],
    [*tensor.Tensor.attributes],
    rows="hologram.dialects.custom.tensor_rows",
)
