"""The parser of circuits: recursive descent over the grammar of classes.md section 6, with a stack of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from hologram.dialects.sigil.syntax import Parts, Token, Tokens, Transform
from hologram.dialects.sigil.tree import Body, Leaf, Par, Prefix


def parse_tree(text: str, name: str = "<circuit>") -> Body:
    """The tree of a circuit. Groups without `||` dissolve, and prefixes right inside one another are one chain.

    Raises CircuitError.
    """
    return _Parser(Tokens(text, name)).run()


@dataclass(slots=True)
class _Open:
    """A construct that is still open: the circuit, a parenthesis or a prefix, which holds as much as it can."""

    start: int
    """How long the list of nodes was when it began; what follows there is its own."""
    place: int
    prefix: Transform | None = None
    group: bool = False
    branches: list[Body] = field(default_factory=list[Body])


class _Parser:
    def __init__(self, tokens: Tokens):
        self.parts = Parts(tokens)
        self.nodes: Body = []
        """The nodes of all sequences that are open, one after the other."""
        self.open = [_Open(0, 0)]

    def run(self) -> Body:
        """The tree of all tokens."""
        while True:
            self._term()
            if self._go_on():
                return self.nodes

    def _term(self) -> None:
        """A term, with the prefixes and parentheses that open before it."""
        parts = self.parts
        while True:
            token = parts.token
            if token.kind in ("axis", "~"):
                self.open.append(_Open(len(self.nodes), token.offset, prefix=parts.prefix()))
            elif token.kind == "(":
                parts.at += 1
                self.open.append(_Open(len(self.nodes), token.offset, group=True))
            else:
                generator, variant, target = parts.operation()
                self.nodes.append(Leaf(generator, target, variant, token.offset))
                return

    def _go_on(self) -> bool:
        """Goes past what follows a term, up to the next one; says whether the text ended."""
        parts = self.parts
        while True:
            token = parts.token
            match token.kind:
                case ".":
                    parts.at += 1
                    return False
                case "||":
                    parts.at += 1
                    self._branch(self.open[-1])
                    return False
                case ")":
                    self._leave(token)
                    parts.at += 1
                case "end":
                    self._leave(token)
                    return True
                case _:
                    parts.tokens.refuse(token, "'.', '||', ')' or the end of the text")

    def _branch(self, around: _Open) -> None:
        around.branches.append(self.nodes[around.start :])
        del self.nodes[around.start :]

    def _leave(self, token: Token) -> None:
        """Closes prefixes, and the parenthesis that the token closes or the circuit that ends."""
        while self.open[-1].prefix is not None:
            self._close()
        wanted = token.kind == ")"
        if self.open[-1].group is not wanted:
            self.parts.tokens.refuse(token, "')'" if self.open[-1].group else "'.', '||' or the end of the text")
        self._close()

    def _close(self) -> None:
        around = self.open.pop()
        if around.branches:
            self._branch(around)
            self.nodes.append(Par(around.branches, around.place))
        if around.prefix is None:
            return
        body = self.nodes[around.start :]
        if len(body) == 1 and isinstance(inner := body[0], Prefix):
            inner.chain.append(around.prefix)
            inner.place = around.place
            return
        del self.nodes[around.start :]
        self.nodes.append(Prefix([around.prefix], body, around.place))
