"""Circuits of classes as IR (classes.md section 6)."""

from xdsl.ir import Dialect

from hologram.dialects.sigil import ops

Sigil = Dialect("sigil", ops.OPS, [ops.TargetAttr, ops.TransformAttr])

__all__ = ["Sigil"]
