"""MLIR text as an input form: the file extension `.mlir`."""

from __future__ import annotations

from hologram.dialects.mlir_parser import MlirParser, parse_module

__all__ = ["MlirParser", "parse_module"]
