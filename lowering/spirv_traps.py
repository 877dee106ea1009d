"""How a lane of a Vulkan program fills the trap record: sixteen words of 32 bits, since few devices exchange 64."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import SSAValue

from hologram.dialects import spirv
from hologram.lowering import spirv_build as sb
from hologram.lowering.conversion import Rewriter


def record_trap(rw: Rewriter, words: Sequence[SSAValue]) -> None:
    """Fills the record with site, lane and values, unless a lane did before. The first word holds the site plus 1.

    Numbers come whole, or in halves where the device has no integers of 64 bits.
    """
    site = words[0]
    # Nobody reads the record before the launch has ended, so nothing is ordered by the claim.
    properties = {
        "memory_scope": spirv.ScopeAttr("Device"),
        "equal_semantics": sb.RELAXED,
        "unequal_semantics": sb.RELAXED,
    }
    zero = sb.constant(rw, 0)
    number = sb.emit(rw, "IAdd", (sb.resize(rw, site, i32, signed=False), sb.constant(rw, 1)), i32)

    def fill() -> None:
        found = sb.emit(rw, "AtomicCompareExchange", (_word(rw, 0), number, zero), i32, properties)
        with sb.selection(rw, sb.emit(rw, "IEqual", (found, zero), i1)):
            halves = [half for word in words for half in _halves(rw, word)]
            for place, half in enumerate(halves[2:], 2):
                sb.store(rw, _word(rw, place), half)

    kernel = sb.kernel_of(rw)
    if kernel.alive is None:
        fill()
        return
    with sb.selection(rw, sb.load(rw, kernel.alive)):
        fill()


def _halves(rw: Rewriter, word: SSAValue) -> Sequence[SSAValue]:
    if word.type == i32:
        return (word,)
    upper = sb.emit(rw, "ShiftRightLogical", (word, sb.constant(rw, 32, i64)), i64)
    return [sb.resize(rw, part, i32, signed=False) for part in (word, upper)]


def _word(rw: Rewriter, number: int) -> SSAValue:
    """A pointer to a word of the record."""
    kernel = sb.kernel_of(rw)
    assert kernel.trap is not None, "flatten-kernels passes the record to what may trap"
    place = (sb.constant(rw, 0), sb.constant(rw, number))
    return sb.element(rw, kernel.trap, place, i32)
