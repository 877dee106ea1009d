"""Parses the parts of a circuit that nest in nothing: targets and prefixes."""

from __future__ import annotations

from hologram.classes import CLASS_COUNT, PAGES_PER_CLASS
from hologram.dialects.sigil.target import COPY, FORMS_OF, PAIR, RANGE, SINGLE, SWAP, Sigil, Target, Transform
from hologram.dialects.sigil.tokens import AXES, VARIANTS, Token, Tokens
from hologram.errors import CircuitError


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
        found = self.transform()
        self.take("@", "@, or the next part of a prefix (R, D, T, ~ in this order, each once)")
        return found

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
            said = f"{generator} has {', '.join(known)}" if known else f"{generator} has no variants"
            raise CircuitError(
                "circuit-variant", f"'{token.text}' is no variant of {generator}", self.tokens.text, token.offset,
                name=self.tokens.name, width=len(token.text), hint=said,
            )  # fmt: skip
        return token.text

    def target(self, generator: str) -> Target:
        """What an operation works on."""
        forms = FORMS_OF[generator]
        token = self.list[self.at]
        if token.kind == "range" and RANGE in forms:
            return self._range()
        if token.kind != "class":
            self.tokens.refuse(token, "a sigil such as c00" + (" or a range" if RANGE in forms else ""))
        first = self._sigil()
        kind = self.list[self.at].kind
        if kind == "->" and COPY in forms:
            self.at += 1
            return Target(COPY, (first, self._sigil()))
        if kind == "<->" and SWAP in forms:
            self.at += 1
            return Target(SWAP, (first, self._sigil()))
        if kind == "[" and PAIR in forms:
            self.at += 1
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
            if (said := self.list[self.at]).kind == "axis":
                axis = said.text
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
            raise CircuitError(
                "circuit-range", f"the range goes from {first} down to {last}", self.tokens.text, token.offset,
                name=self.tokens.name, width=len(token.text), hint=f"write c[{last}..{first}]",
            )  # fmt: skip
        self.take("]", "]")
        return Target(RANGE, (Sigil(first), Sigil(last)))

    def _bound(self) -> int:
        token = self.take("number", "the number of a class")
        return self.tokens.number(token, token.text, "class", CLASS_COUNT)


def parse_target(text: str, generator: str) -> Target:
    """The target that a text is, of a generator."""
    parts = Parts(Tokens(text, "<target>"))
    found = parts.target(generator)
    parts.end()
    return found


def parse_transform(text: str) -> Transform:
    """The transform that a text is."""
    parts = Parts(Tokens(text, "<transform>"))
    found = parts.transform()
    parts.end()
    return found


__all__ = ["Parts", "parse_target", "parse_transform"]
