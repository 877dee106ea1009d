"""The names of what a launch passes to a program beside its arguments, where its code asks for it."""

from __future__ import annotations

TRAP, CLASSES, RESONANCE = "trap", "classes", "resonance"
"""The trap record, the bytes of class memory, and the sums of R."""
HIDDEN = (TRAP, CLASSES, RESONANCE)
"""All of them, in the order of the launch ABI."""
