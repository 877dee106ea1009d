"""Chains of `tensor.insert_slice` that fill an empty tensor part by part, as a concatenation becomes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import I64, DenseArrayBase
from xdsl.ir import SSAValue

from hologram.dialects.shapes import DYNAMIC, shape_of
from hologram.dialects.sizes import Size
from hologram.transforms.shape_analysis import ShapeAnalysis


def mixed(static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
    """Static numbers, with the dynamic values where they belong."""
    given = iter(dynamic)
    return [next(given) if n == DYNAMIC else n for n in static.get_values()]


def uses(value: SSAValue) -> int:
    """How many operands a value is."""
    return sum(1 for _ in value.uses)


def inserts_nothing(op: tensor.InsertSliceOp) -> bool:
    """Whether the part is known to be empty, as it starts at the end of an axis or behind it: a view can't do that."""
    starts = mixed(op.static_offsets, op.offsets)
    return any(
        isinstance(a, int) and n != DYNAMIC and a >= n for a, n in zip(starts, shape_of(op.result.type), strict=True)
    )


def inserts_before(op: tensor.InsertSliceOp) -> list[tensor.InsertSliceOp]:
    """The insertions that end in `op`, each into the result of the one before, which nothing else reads."""
    chain = [op]
    while isinstance(before := chain[0].dest.owner, tensor.InsertSliceOp) and uses(before.result) == 1:
        chain.insert(0, before)
    return chain


def fills_without_overlap(chain: Sequence[tensor.InsertSliceOp], analysis: ShapeAnalysis) -> bool:
    """Whether the parts go one behind the other into a tensor that holds nothing yet.

    Then they may be computed right in their places, in any order.
    """
    if not isinstance(chain[0].dest.owner, tensor.EmptyOp):
        return False
    spans = [_spans(op, analysis) for op in chain]
    rank = len(spans[0])
    if any(s is None for span in spans for s in span) or any(len(span) != rank for span in spans):
        return False
    return len(chain) == 1 or any(_ascends([span[axis] for span in spans]) for axis in range(rank))


def _spans(op: tensor.InsertSliceOp, analysis: ShapeAnalysis) -> list[tuple[Size, Size] | None]:
    """For each axis where the part starts and how long it is; None where it leaves gaps."""

    def sizes(values: Sequence[SSAValue | int]) -> list[Size]:
        return [Size.of(v) if isinstance(v, int) else analysis.sizes(v)[0] for v in values]

    starts = sizes(mixed(op.static_offsets, op.offsets))
    counts = sizes(mixed(op.static_sizes, op.sizes))
    strides = mixed(op.static_strides, op.strides)
    return [(a, n) if s == 1 else None for a, n, s in zip(starts, counts, strides, strict=True)]


def _ascends(spans: Sequence[tuple[Size, Size] | None]) -> bool:
    """Whether each span is known to start where the one before ends, or behind."""
    known = [s for s in spans if s is not None]
    return all((b - (a + n)).natural for (a, n), (b, _) in zip(known[:-1], known[1:], strict=True))
