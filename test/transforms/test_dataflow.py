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
def _of_sum(depth: Depth, op: arith.AddiOp, result: SSAValue) -> int:
    return 1 + max(map(depth.of, op.operands))


@Depth.transfers.on(arith.AddUIExtendedOp)
def _of_sum_and_carry(depth: Depth, op: arith.AddUIExtendedOp, result: SSAValue) -> int:
    return 100 if result is op.overflow else 1


def test_results_of_one_operation_have_facts_of_their_own() -> None:
    value = arith.ConstantOp.from_int_and_width(3, 32).result
    op = arith.AddUIExtendedOp(value, value)
    depth = Depth()
    assert [depth.of(result) for result in op.results] == [1, 100]
    assert depth.of(arith.AddiOp(value, op.sum).result) == 2


def test_each_analysis_has_facts_of_its_own() -> None:
    value = arith.ConstantOp.from_int_and_width(3, 32).result
    for _ in range(3):
        value = arith.AddiOp(value, value).result
    depth = Depth()
    assert depth.of(value) == 3
    assert value in depth.known
    assert Depth().known == {}
