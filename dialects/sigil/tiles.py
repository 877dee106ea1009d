"""The tile reading of single operations: which tiles one reads, which it writes, and by which scalar instruction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hologram.classes import BYTES_PER_CLASS, BYTES_PER_PAGE, PAGES_PER_CLASS
from hologram.dialects.sigil.syntax import RANGE, SINGLE, VARIANTS, Sigil, Target
from hologram.dialects.sigil.tree import Leaf

BINARY = ("add", "mul", "min", "max", "sub", "div")
"""The variants that take the context too; the others are functions of the source."""
MOVES = ("copy", "swap")
"""The steps that are no scalar instruction, but move values."""
QUIET = ("mark", "quote", "evaluate")
"""The generators that leave tiles as they are."""


class Tile(NamedTuple):
    """A class of the arena, or a page of one."""

    class_: int
    page: int | None = None

    @property
    def start(self) -> int:
        """Its first byte in class memory."""
        return self.class_ * BYTES_PER_CLASS + (self.page or 0) * BYTES_PER_PAGE

    @property
    def bytes(self) -> int:
        """Its size."""
        return BYTES_PER_CLASS if self.page is None else BYTES_PER_PAGE

    @property
    def pages(self) -> range:
        """The pages that it has."""
        return range(PAGES_PER_CLASS) if self.page is None else range(self.page, self.page + 1)

    def overlaps(self, other: Tile) -> bool:
        """Return whether they share bytes."""
        return self.class_ == other.class_ and (self.page is None or other.page is None or self.page == other.page)

    def __str__(self) -> str:
        return f"c{self.class_:02}" + ("" if self.page is None else f"@{self.page}")


@dataclass(frozen=True, slots=True)
class Step:
    """The effect of an operation: outs := instruction(ins), element by element; `copy` and `swap` are such too."""

    instruction: str
    ins: tuple[Tile, ...]
    outs: tuple[Tile, ...]

    @property
    def touched(self) -> tuple[Tile, ...]:
        """All tiles that it reads or writes."""
        return (*self.ins, *self.outs)


class NoTileReading(Exception):
    """An operation that does nothing to tiles for which a meaning is given."""


def step_of(leaf: Leaf) -> Step | None:
    """The step of an operation on plain classes; None if it leaves tiles as they are.

    A page that only some of its sigils name holds for all, if it is one. Raises NoTileReading.
    """
    return None if leaf.generator in QUIET else _step(leaf.generator, leaf.variant, leaf.target)


@lru_cache(maxsize=4096)
def _step(generator: str, variant: str, target: Target) -> Step:
    """Circuits repeat their operations: the same step serves all of them."""
    if target.form in (SINGLE, RANGE):
        wanted = {"copy": "c00->c01", "swap": "c00<->c01"}.get(generator, "c00[c01,c02]")
        raise NoTileReading(
            f"'{generator}@{target.text}' names one class, and so has no tile reading: as in {generator}@{wanted}, "
            "it must say which tiles it reads and writes"
        )
    tiles = _tiles(target)
    if generator == "copy":
        return Step("copy", tiles[:1], tiles[1:])
    if generator == "swap":
        return Step("swap", tiles, tiles[::-1])
    source, context, destination = tiles
    instruction = variant or VARIANTS[generator][0]
    return Step(instruction, (source, context) if instruction in BINARY else (source,), (destination,))


def _tiles(target: Target) -> tuple[Tile, ...]:
    sigils = target.sigils
    pages = {s.page for s in sigils}
    if None in pages and len(pages) > 2:
        raise NoTileReading(f"'{target.text}' names several pages, but not one for each class")
    only = next((p for p in pages if p is not None), None)

    def tile(sigil: Sigil) -> Tile:
        return Tile(sigil.class_, only if sigil.page is None else sigil.page)

    return tuple(map(tile, sigils))
