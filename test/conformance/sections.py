"""Programs of several sections, of which a scalar chooses the one that runs: what one does wrong, no other sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.batch import Cell

CHOICE, OFFSET = "r250", "r248"
"""The registers of the section's number, and of a number of bytes that a launch gives."""


@dataclass
class Sections:
    """Collects sections; scalars of the program are the section's number (u32) and an offset (u64)."""

    parameters: Sequence[str]
    """Element types of the buffers, in order."""
    block: int
    declared: Sequence[str] = ()
    """Lines of directives."""
    before: str = ""
    """Lines before the program."""
    prologue: str = ""
    """Lines before all sections."""
    sections: list[tuple[Cell, str]] = field(default_factory=list[tuple[Cell, str]])

    def add(self, cell: Cell, lines: str) -> int:
        """Adds a section; gives its number."""
        self.sections.append((cell, lines))
        return len(self.sections) - 1

    def text(self) -> str:
        """The program."""
        buffers = "".join(f"buf{n}: {name}[?], " for n, name in enumerate(self.parameters))
        lines = [
            self.before,
            f".program batch({buffers}{CHOICE}: u32, {OFFSET}: u64) {{",
            f"  .launch block({self.block}, 1, 1)",
        ]
        lines += [f"  {directive}" for directive in self.declared]
        lines.append(_indented(self.prologue))
        for number, (_, body) in enumerate(self.sections):
            lines += [f"  mov_imm.u32 r251, {number}", f"  setne.u32 p15, {CHOICE}, r251", f"  @p15 bra next{number}"]
            lines += [_indented(body), f"next{number}:"]
        return "\n".join(line for line in lines if line) + "\n  exit\n}\n"


def _indented(lines: str) -> str:
    return "\n".join(line if line.endswith(":") else f"  {line}" for line in map(str.strip, lines.splitlines()) if line)
