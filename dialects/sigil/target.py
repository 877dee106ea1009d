"""The parts of an operation of a circuit: sigils, what it works on, and transforms, as values with a canonical text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from hologram.classes import CLASS_COUNT
from hologram.classes import Transform as Element


class Transform(NamedTuple):
    """A transform as it is written, `R+1 D-1 T+2 ~`: R, D and T first, then the mirror. Amounts may be any integers."""

    r: int = 0
    d: int = 0
    t: int = 0
    mirror: bool = False

    @property
    def text(self) -> str:
        """Its canonical text; an amount of 0 is left out, but `R+0` stands for none at all."""
        parts = [f"{axis}{n:+}" for axis, n in zip("RDT", self[:3], strict=True) if n]
        return " ".join([*parts, *(["~"] if self.mirror else [])]) or "R+0"

    @property
    def element(self) -> Element:
        """The element of the group that it is. Its mirror acts last, that of an element first: M D = D^-1 M."""
        return Element.of(self.r, -self.d if self.mirror else self.d, self.t, self.mirror)


IDENTITY = Element()


def image(element: Element, number: int) -> int:
    """The class that an element of the group makes of a class."""
    return _images(element)[number]


@cache
def _images(element: Element) -> tuple[int, ...]:
    """What becomes of each class; there are 192 elements."""
    return tuple(map(element, range(CLASS_COUNT)))


class Sigil(NamedTuple):
    """A class as a circuit names it: `c21^R+1~@3` is class 21, rotated, then mirrored, page 3 of it."""

    number: int
    axis: str = ""
    """`R`, `D` or `T`, or nothing."""
    amount: int = 0
    mirror: bool = False
    page: int | None = None

    @property
    def transform(self) -> Transform:
        """The transform that it names itself."""
        if not self.axis:
            return Transform(mirror=self.mirror)
        return Transform(mirror=self.mirror)._replace(**{self.axis.lower(): self.amount})

    @property
    def class_(self) -> int:
        """The class after its own transform."""
        return image(self.transform.element, self.number) if self.axis or self.mirror else self.number

    @property
    def text(self) -> str:
        """Its canonical text."""
        moved = f"^{self.axis}{self.amount:+}" if self.axis else ""
        page = "" if self.page is None else f"@{self.page}"
        return f"c{self.number:02}{moved}{'~' if self.mirror else ''}{page}"


SINGLE, RANGE, COPY, SWAP, PAIR = "sigil", "range", "copy", "swap", "pair"
"""The forms of targets: `c00`, `c[0..5]`, `c00->c01`, `c00<->c01`, `c00[c01,c02]`."""
SHAPES = {SINGLE: "{}", RANGE: "c[{}..{}]", COPY: "{}->{}", SWAP: "{}<->{}", PAIR: "{}[{},{}]"}
FORMS_OF: dict[str, tuple[str, ...]] = {
    "mark": (SINGLE, RANGE),
    "copy": (SINGLE, COPY),
    "swap": (SINGLE, SWAP),
    "merge": (SINGLE, RANGE, PAIR),
    "split": (SINGLE, PAIR),
    "quote": (SINGLE, RANGE),
    "evaluate": (SINGLE, RANGE),
}
"""The forms that each generator takes."""


class Target(NamedTuple):
    """What an operation works on: a form and its sigils; of a range they are the first class and the last."""

    form: str
    sigils: tuple[Sigil, ...]

    @property
    def text(self) -> str:
        """Its canonical text."""
        return self.shape.format(*(s.number if self.form == RANGE else s.text for s in self.sigils))

    @property
    def shape(self) -> str:
        """Its text with a place for each sigil."""
        return SHAPES[self.form]

    @property
    def leaves(self) -> tuple[Sigil, ...]:
        """The sigils, of a range one for each of its classes."""
        if self.form != RANGE:
            return self.sigils
        first, last = self.sigils
        return tuple(Sigil(number) for number in range(first.number, last.number + 1))

    def moved(self, element: Element) -> Iterator[Target]:
        """What it becomes by an element of the group: the same on plain classes. A range may fall into several."""
        if self.form != RANGE:
            yield Target(self.form, tuple(Sigil(image(element, s.class_), page=s.page) for s in self.sigils))
            return
        for first, last in runs([image(element, s.number) for s in self.leaves]):
            yield Target(RANGE, (Sigil(first), Sigil(last)))


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """A set of numbers as runs without gaps, each by its first and last."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def single(number: int, page: int | None = None) -> Target:
    """The target of one class."""
    return Target(SINGLE, (Sigil(number, page=page),))


__all__ = [
    "COPY", "FORMS_OF", "IDENTITY", "PAIR", "RANGE", "SHAPES", "SINGLE", "SWAP", "Sigil", "Target", "Transform",
    "image", "runs", "single",
]  # fmt: skip
