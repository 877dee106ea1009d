"""What integers become in limbs, as the rules of split-wide-integers ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, MemRefType
from xdsl.ir import Attribute

from hologram.lowering.conversion import Rewriter, Rules
from hologram.lowering.limbs import LimbCode


@dataclass
class LimbRules(Rules):
    """The rules for limbs of a width."""

    width: int = 64

    def count(self, type: Attribute) -> int:
        """How many limbs a type takes; 0 if it is none of those that are split."""
        bits = type.bitwidth if isinstance(type, IntegerType) else 0
        return -(-bits // self.width) if bits > self.width else 0

    def split(self, type: Attribute) -> Sequence[Attribute] | None:
        """What a type becomes."""
        if count := self.count(type):
            return [IntegerType(self.width)] * count
        if isinstance(type, MemRefType):
            kind = cast("MemRefType[Attribute]", type)
            if not (count := self.count(kind.element_type)):
                return None
            shape = [n if n == DYNAMIC_INDEX else n * count for n in kind.get_shape()]
            return [MemRefType(IntegerType(self.width), shape or [count], kind.layout, kind.memory_space)]
        return None


def limbs_of(rw: Rewriter) -> LimbCode:
    """Emits limbs of the width that is asked for."""
    return LimbCode(rw, cast("LimbRules", rw.rules).width)


def is_split(rw: Rewriter, type: Attribute) -> bool:
    """Whether an integer of this type becomes several."""
    return limb_count(rw, type) > 0


def limb_count(rw: Rewriter, type: Attribute) -> int:
    """How many limbs an integer of this type becomes; 0 if it stays as it is."""
    return cast("LimbRules", rw.rules).count(type)
