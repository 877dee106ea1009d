"""The base of analyses: a class with a start and transfer functions is a whole analysis."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from hologram.support.registry import Registry
from hologram.transforms.analysis.dataflow import Analysis, Transfer


class Depth(Analysis[int]):
    """How many additions a value is made by."""

    transfers = Registry[Transfer]()

    def start(self, value: SSAValue) -> int:
        return 0


@Depth.transfers.on(arith.AddiOp)
def _of_sum(depth: Depth, op: arith.AddiOp) -> int:
    return 1 + max(map(depth.of, op.operands))


def test_each_analysis_has_facts_of_its_own() -> None:
    value = arith.ConstantOp.from_int_and_width(3, 32).result
    for _ in range(3):
        value = arith.AddiOp(value, value).result
    depth = Depth()
    assert depth.of(value) == 3
    assert value in depth.known
    assert Depth().known == {}
