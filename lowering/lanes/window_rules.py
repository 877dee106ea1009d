"""`atlas.reduce.*` over a window of values: the tree of the fixed association, as scalar instructions."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from hologram.dialects.atlas.instructions import scalar
from hologram.dialects.atlas.instructions.types import working_type
from hologram.dialects.atlas.lanes.reductions import WINDOWS, WindowOp
from hologram.lowering.rewriting.conversion import Rewriter, Rules

RULES = Rules()
ACCUMULATORS = 128


@RULES.on(*WINDOWS)
def window(rw: Rewriter, op: WindowOp) -> None:
    """Builds the tree at the atlas level, instruction by instruction, and converts each."""
    dtype, kind = op.dtype, op.KIND
    is_sum = kind in ("add", "mul")
    work = working_type(kind, dtype)

    def make(new: Operation) -> SSAValue:
        new.location = op.location
        rw.convert(new)
        return new.results[0]

    def join(a: SSAValue, b: SSAValue) -> SSAValue:
        return make(scalar.INSTRUCTIONS[kind](work, a, b))

    values: list[SSAValue] = list(op.values)
    if work is not dtype:
        values = [make(scalar.CvtOp(dtype, work, v)) for v in values]
    if work.is_float and not is_sum:
        # The identity stands where there is nothing but NaN.
        first = make(scalar.MovImmOp.of(work.greatest if kind == "min" else work.least, work))
        values = [join(first, v) for v in values[:ACCUMULATORS]] + values[ACCUMULATORS:]
    accumulators = values[:ACCUMULATORS]
    for number, value in enumerate(values[ACCUMULATORS:]):
        accumulators[number] = join(accumulators[number], value)
    width = 1 << (len(accumulators) - 1).bit_length()
    while width > 1:
        width //= 2
        upper = accumulators[width:]
        accumulators = [join(a, b) for a, b in zip(accumulators, upper, strict=False)] + accumulators[
            len(upper) : width
        ]
    total = accumulators[0]
    rw.define(op.result, rw.value(total if work is dtype else make(scalar.CvtOp(work, dtype, total))))
