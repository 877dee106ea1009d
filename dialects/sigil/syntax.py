"""The parts of a circuit that nest in nothing (classes.md section 6): tokens, sigils, targets and transforms.

The text of a circuit is split into tokens; from these come targets and transforms, as values with a canonical text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn

from hologram.classes import CLASS_COUNT, PAGES_PER_CLASS
from hologram.classes import Transform as Element
from hologram.errors import CircuitError, did_you_mean

GENERATORS = ("mark", "copy", "swap", "merge", "split", "quote", "evaluate")
VARIANTS: dict[str, tuple[str, ...]] = {
    "merge": ("add", "mul", "min", "max", "abs", "exp", "log", "sqrt", "sigmoid", "tanh", "gelu", "relu"),
    "split": ("sub", "div"),
}
"""The variants of the generators that have any; the first is meant where none is named."""
AXES = ("R", "D", "T")
MAX_DIGITS = 1000
"""Of a number: Python converts longer ones slowly, and not at all past 4,300."""

_ALL_VARIANTS = frozenset(v for variants in VARIANTS.values() for v in variants)
_KINDS: dict[str, str] = {g: "generator" for g in GENERATORS} | {axis: "axis" for axis in AXES}
_TOKEN = re.compile(
    r"""[ \t\n]+ | //[^\n]*
      | (?P<class>c[0-9]+)
      | (?P<range>c\[)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<mark><->|->|\|\||\.\.|[][@.(),^~+-])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token. Its kind is `generator`, `variant`, `axis`, `class`, `range`, `number`, `end`, or its own text."""

    kind: str
    text: str
    offset: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else f"'{self.text}'"


class Tokens:
    """The tokens of a text, which errors call by a name; the last one is the end."""

    def __init__(self, text: str, name: str):
        self.text, self.name = text, name
        self.list = self._split()

    def _split(self) -> list[Token]:
        text, tokens, at = self.text, list[Token](), 0
        match, end = _TOKEN.match, len(text)
        while at < end:
            piece = match(text, at)
            if piece is None:
                place = self.at(at)
                raise CircuitError(
                    "circuit-character", f"{text[at]!r} means nothing in a circuit", **place,
                    hint="comments start with //",
                )  # fmt: skip
            start, at = at, piece.end()
            kind = piece.lastgroup
            if kind is None:
                continue
            word = piece[0]
            if kind == "word":
                tokens.append(Token(_KINDS.get(word) or self._variant(word, start, tokens), word, start))
            else:
                tokens.append(Token(word if kind == "mark" else kind, word, start))
        tokens.append(Token("end", "", end))
        return tokens

    def at(self, offset: int, width: int = 1) -> dict[str, Any]:
        """The arguments by which a CircuitError names a place of the text."""
        return {"text": self.text, "offset": offset, "name": self.name, "width": width}

    def _variant(self, word: str, offset: int, before: list[Token]) -> str:
        """`variant`, if the word stands where one may; no other word is left."""
        follows = len(before) > 1 and before[-1].kind == "." and before[-2].kind == "generator"
        if follows and word in _ALL_VARIANTS:
            return "variant"
        known = (*VARIANTS.get(before[-2].text, ()), *GENERATORS) if follows else GENERATORS
        hint = "a class is c00 to c95" if word[0] == "c" and len(word) < 3 else did_you_mean(word, known)
        hint = hint or f"the generators are {', '.join(GENERATORS)}; transforms are written R+1, D-1, T+2 and ~"
        raise CircuitError("circuit-word", f"'{word}' is no word of circuits", **self.at(offset, len(word)), hint=hint)

    def refuse(self, token: Token, expected: str) -> NoReturn:
        """Raises the error of a token that can't continue."""
        place = self.at(token.offset, max(1, len(token.text)))
        raise CircuitError("circuit-token", f"expected {expected}, found {token}", **place)

    def number(self, token: Token, digits: str, what: str, end: int | None) -> int:
        """The number of a token; below `end`, if there is one."""
        short = digits.lstrip("0") or "0"
        value = int(short) if len(short) <= MAX_DIGITS else None
        if value is None or (end is not None and value >= end):
            text = short if len(short) < 20 else f"of {len(short)} digits"
            limit = f"0 to {end - 1}" if end is not None else f"{MAX_DIGITS} digits"
            place = self.at(token.offset, len(token.text))
            raise CircuitError("circuit-number", f"{what} is {text}, out of the range of {limit}", **place)
        return value


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
    """The class that each class becomes. There are 192 elements."""
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
    """The target of an operation: a form and its sigils; of a range they are the first class and the last."""

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
        """Yield the targets that an element of the group makes of it, on plain classes: one, or several of a range."""
        if self.form != RANGE:
            yield Target(self.form, tuple(Sigil(image(element, s.class_), page=s.page) for s in self.sigils))
            return
        for first, last in runs([image(element, s.number) for s in self.leaves]):
            yield Target(RANGE, (Sigil(first), Sigil(last)))


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """A set of numbers as runs without gaps, each by its first and last."""
    pairs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if pairs and pairs[-1][1] == number - 1:
            pairs[-1] = (pairs[-1][0], number)
        else:
            pairs.append((number, number))
    return pairs


def single(number: int, page: int | None = None) -> Target:
    """The target of one class."""
    return Target(SINGLE, (Sigil(number, page=page),))


class Parts:
    """A place in the tokens of a text, from which parts are parsed."""

    def __init__(self, tokens: Tokens):
        self.tokens = tokens
        self.list = tokens.list
        self.at = 0

    @property
    def token(self) -> Token:
        """The token at the place."""
        return self.list[self.at]

    def take(self, kind: str, expected: str) -> Token:
        """The token at the place, which must be of a kind, and goes past it."""
        token = self.list[self.at]
        if token.kind != kind:
            self.tokens.refuse(token, expected)
        self.at += 1
        return token

    def skip(self, kind: str) -> bool:
        """Goes past a token of a kind, if one is there."""
        if self.list[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def end(self) -> None:
        """Sees that nothing follows."""
        self.take("end", "the end of the text")

    # Numbers and transforms

    def _signed(self) -> int:
        sign = self.list[self.at]
        if sign.kind not in ("+", "-"):
            self.tokens.refuse(sign, "a sign, + or -")
        self.at += 1
        token = self.take("number", "a number")
        value = self.tokens.number(token, token.text, "the amount", None)
        return -value if sign.kind == "-" else value

    def transform(self) -> Transform:
        """`R+1 D-1 T+2 ~`, at least one part of it."""
        start = self.at
        amounts: dict[str, int] = {}
        for axis in AXES:
            token = self.list[self.at]
            if token.kind == "axis" and token.text == axis:
                self.at += 1
                amounts[axis.lower()] = self._signed()
        mirror = self.skip("~")
        if self.at == start:
            self.tokens.refuse(self.token, "R, D, T or ~")
        return Transform(**amounts, mirror=mirror)

    def prefix(self) -> Transform:
        """A transform and its @."""
        transform = self.transform()
        self.take("@", "@, or the next part of a prefix (R, D, T, ~ in this order, each once)")
        return transform

    # Operations

    def operation(self) -> tuple[str, str, Target]:
        """A generator, its variant (or nothing) and its target."""
        generator = self.take("generator", "an operation, a prefix or (").text
        variant = self.variant(generator) if self.skip(".") else ""
        self.take("@", "@ and what the operation works on")
        return generator, variant, self.target(generator)

    def variant(self, generator: str) -> str:
        """A variant of a generator."""
        token = self.take("variant", f"a variant of {generator}")
        known = VARIANTS.get(generator, ())
        if token.text not in known:
            hint = f"{generator} has {', '.join(known)}" if known else f"{generator} has no variants"
            place = self.tokens.at(token.offset, len(token.text))
            raise CircuitError("circuit-variant", f"'{token.text}' is no variant of {generator}", **place, hint=hint)
        return token.text

    def target(self, generator: str) -> Target:
        """Parse the target of a generator."""
        forms = FORMS_OF[generator]
        token = self.list[self.at]
        if token.kind == "range" and RANGE in forms:
            return self._range()
        if token.kind != "class":
            self.tokens.refuse(token, "a sigil such as c00" + (" or a range" if RANGE in forms else ""))
        first = self._sigil()
        if COPY in forms and self.skip("->"):
            return Target(COPY, (first, self._sigil()))
        if SWAP in forms and self.skip("<->"):
            return Target(SWAP, (first, self._sigil()))
        if PAIR in forms and self.skip("["):
            context = self._sigil()
            self.take(",", "a comma")
            destination = self._sigil()
            self.take("]", "]")
            return Target(PAIR, (first, context, destination))
        return Target(SINGLE, (first,))

    def _sigil(self) -> Sigil:
        token = self.take("class", "a sigil such as c00")
        number = self.tokens.number(token, token.text[1:], "class", CLASS_COUNT)
        kind = self.list[self.at].kind
        if kind not in ("^", "~", "@"):
            return Sigil(number)
        axis, amount = "", 0
        if self.skip("^"):
            axis = "T"
            if (token := self.list[self.at]).kind == "axis":
                axis = token.text
                self.at += 1
            amount = self._signed()
        mirror = self.skip("~")
        page = None
        if self.skip("@"):
            token = self.take("number", "a page")
            page = self.tokens.number(token, token.text, "page", PAGES_PER_CLASS)
        return Sigil(number, axis, amount, mirror, page)

    def _range(self) -> Target:
        self.take("range", "a range")
        first = self._bound()
        self.take("..", "..")
        token = self.token
        last = self._bound()
        if last < first:
            place, hint = self.tokens.at(token.offset, len(token.text)), f"write c[{last}..{first}]"
            raise CircuitError("circuit-range", f"the range goes from {first} down to {last}", **place, hint=hint)
        self.take("]", "]")
        return Target(RANGE, (Sigil(first), Sigil(last)))

    def _bound(self) -> int:
        token = self.take("number", "the number of a class")
        return self.tokens.number(token, token.text, "class", CLASS_COUNT)


def parse_target(text: str, generator: str) -> Target:
    """The target that a text is, of a generator."""
    parts = Parts(Tokens(text, "<target>"))
    target = parts.target(generator)
    parts.end()
    return target


def parse_transform(text: str) -> Transform:
    """The transform that a text is."""
    parts = Parts(Tokens(text, "<transform>"))
    transform = parts.transform()
    parts.end()
    return transform
