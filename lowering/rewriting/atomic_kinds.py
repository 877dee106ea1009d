"""The names of atomic updates: the kinds of `memref.atomic_rmw`, and the words of `llvm.atomicrmw` for them."""

KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
    "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""Upstream's kinds of `memref.atomic_rmw`, by their number."""
OF_WORD = {
    "xchg": "assign", "add": "addi", "_and": "andi", "_or": "ori", "_xor": "xori", "max": "maxs", "min": "mins",
    "umax": "maxu", "umin": "minu", "fadd": "addf",
}  # fmt: skip
"""The kind that is meant by a word of `llvm.atomicrmw`."""
