"""The dialect `sigil`: circuits of classes as IR (classes.md section 6)."""

from xdsl.ir import Dialect

from hologram.dialects.classes import ConstantMaterialization
from hologram.dialects.sigil import cycle, ops

Sigil = Dialect("sigil", [*ops.OPS, *cycle.OPS], [ops.TargetAttr, ops.TransformAttr], [ConstantMaterialization()])
