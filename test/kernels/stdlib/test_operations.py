"""Every operation that the specification names has a kernel, or a reason."""

from __future__ import annotations

from collections import Counter

from hologram.dialects import get_all_dialects
from hologram.dialects.atlas.arrays.named import NamedOp
from hologram.dialects.atlas.instructions.scalar import INSTRUCTIONS
from hologram.kernels.stdlib.operations import OPERATIONS
from kernels.stdlib.cases import rows

KERNELS = {row.kernel_name for row in rows()}
COUNTS = {
    "core.md": 54,
    "backends.md": 57,
    "isa.md": len(INSTRUCTIONS) + 2 + 30,
    "beyond isa.md": 4,
}
"""The number of operations that each specification names, so that an operation that the list lacks is noticed. isa.md
has `cvt` and `setcc` beside the scalar instructions, and the forms of the array level, of which there are more."""


def test_each_operation_has_kernels_or_a_reason():
    for operation in OPERATIONS:
        assert bool(operation.kernels) != bool(operation.reason), operation
        assert set(operation.kernels) <= KERNELS, operation


def test_none_is_missing():
    assert Counter(o.place.partition(",")[0] for o in OPERATIONS) == COUNTS
    assert max(Counter((o.place, o.name) for o in OPERATIONS).values()) == 1


def test_every_instruction_of_the_isa_is_named():
    named = {o.name for o in OPERATIONS if o.place == "isa.md, scalar instructions"}
    assert named == {*INSTRUCTIONS, "cvt", "setcc"}


def test_every_form_of_the_array_level_is_named():
    atlas = get_all_dialects()["atlas"]()
    forms = {op.name.removeprefix("atlas.") for op in atlas.operations if issubclass(op, NamedOp)}
    assert {o.name for o in OPERATIONS if o.place.endswith("isa.md, array level")} == forms
