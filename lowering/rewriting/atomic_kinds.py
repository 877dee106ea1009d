"""The kinds of `memref.atomic_rmw` for the words of `llvm.atomicrmw`."""

OF_WORD = {
    "xchg": "assign", "add": "addi", "_and": "andi", "_or": "ori", "_xor": "xori", "max": "maxs", "min": "mins",
    "umax": "maxu", "umin": "minu", "fadd": "addf",
}  # fmt: skip
"""The kind that is meant by a word of `llvm.atomicrmw`."""
