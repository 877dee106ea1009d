"""Programs of several sections, of which a scalar chooses the one that runs: what one does wrong, no other sees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from conformance.batch import Batch, Cell

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

    def batch(self) -> Batch:
        """A batch, to which launches are added; a part of it has some of the sections alone."""
        made = Batch(self.text())

        def part(cells: Collection[Cell]) -> Batch:
            return Batch(self.text(cells), [n for n in made.launches if not set(n.cells).isdisjoint(cells)], part)

        made.part = part
        return made

    def text(self, cells: Collection[Cell] | None = None) -> str:
        """The program, with the sections of all cells or of some."""
        buffers = "".join(f"buf{n}: {name}[?], " for n, name in enumerate(self.parameters))
        lines = [
            self.before,
            f".program batch({buffers}{CHOICE}: u32, {OFFSET}: u64) {{",
            f"  .launch block({self.block}, 1, 1)",
        ]
        lines += [f"  {directive}" for directive in self.declared]
        lines.append(_indented(self.prologue))
        for number, (cell, body) in enumerate(self.sections):
            if cells is not None and cell not in cells:
                continue
            lines += [f"  mov_imm.u32 r251, {number}", f"  setne.u32 p15, {CHOICE}, r251", f"  @p15 bra next{number}"]
            lines += [_indented(body), f"next{number}:"]
        return "\n".join(line for line in lines if line) + "\n  exit\n}\n"


def _indented(lines: str) -> str:
    return "\n".join(line if line.endswith(":") else f"  {line}" for line in map(str.strip, lines.splitlines()) if line)
