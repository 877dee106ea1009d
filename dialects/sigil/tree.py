"""A circuit as a tree of plain values: what the parser makes, the readings read, and the rewrites work on.

A body is a list of nodes, which follow one another. Nothing here recurses, so nesting may be of any depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from hologram.classes import Transform as Element
from hologram.dialects.sigil.syntax import IDENTITY, RANGE, Target, Transform, single


@dataclass(slots=True, eq=False)
class Leaf:
    """One operation."""

    generator: str
    target: Target
    variant: str = ""
    """Nothing stands for the generator's first."""
    place: Any = 0
    """Where it comes from: an offset in the text, or an operation."""

    @property
    def text(self) -> str:
        """Its canonical text."""
        return f"{self.generator}{'.' if self.variant else ''}{self.variant}@{self.target.text}"


@dataclass(slots=True, eq=False)
class Prefix:
    """Transforms of a body, the innermost first."""

    chain: list[Transform]
    body: Body
    place: Any = 0


@dataclass(slots=True, eq=False)
class Par:
    """Two or more branches beside each other."""

    branches: list[Body]
    place: Any = 0


Node: TypeAlias = Leaf | Prefix | Par
Body: TypeAlias = list[Node]


def leaves(body: Body) -> Iterator[tuple[Leaf, Element]]:
    """The operations in source order, each with all transforms around it."""
    work: list[tuple[Node, Element]] = [(node, IDENTITY) for node in reversed(body)]
    while work:
        node, around = work.pop()
        match node:
            case Leaf():
                yield node, around
            case Prefix():
                inner = total(node.chain, around)
                work += [(n, inner) for n in reversed(node.body)]
            case Par():
                work += [(n, around) for branch in reversed(node.branches) for n in reversed(branch)]


def total(chain: list[Transform], around: Element) -> Element:
    """The transforms of a chain inside another one."""
    for transform in reversed(chain):
        around = around.after(transform.element)
    return around


def transformed(body: Body, make: Callable[[Body], Body] = lambda body: body) -> Body:
    """The same tiles without prefixes: each operation names the classes that it works on.

    `make` is given each finished sequence, those of branches before that around them, and may rewrite it.
    """
    return rebuilt(body, _resolved, make)


def rebuilt(body: Body, each: Callable[[Leaf, Element], Body], make: Callable[[Body], Body]) -> Body:
    """A circuit without prefixes, of what `each` makes of an operation with the transform around it, and `make` of each
    finished sequence, those of branches before that around them."""
    done: Body = []
    # A frame: what is left of a body, the transform around it, what is done, and the `Par` that it is a branch of.
    stack: list[tuple[Iterator[Node], Element, Body, Par | None]] = [(iter(body), IDENTITY, done, None)]
    while stack:
        rest, around, into, owner = stack[-1]
        node = next(rest, None)
        match node:
            case None:
                stack.pop()
                if owner is not None:
                    owner.branches.append(make(into))
            case Leaf():
                into += each(node, around)
            case Prefix():
                stack.append((iter(node.body), total(node.chain, around), into, None))
            case Par():
                par = Par([], node.place)
                into.append(par)
                stack += [(iter(b), around, [], par) for b in reversed(node.branches)]
    return make(done)


def _resolved(leaf: Leaf, around: Element) -> Body:
    return [Leaf(leaf.generator, target, leaf.variant, leaf.place) for target in _plain(leaf.target, around)]


def _plain(target: Target, around: Element) -> Iterator[Target]:
    moved = [*target.moved(around)]
    for image in moved:
        one = image.form == RANGE and image.sigils[0] == image.sigils[1]
        yield single(image.sigils[0].number) if one and len(moved) > 1 else image


def print_circuit(body: Body) -> str:
    """The canonical text: parsed, it gives the same tree."""
    out: list[str] = []
    # What is left to print: texts, and nodes with whether nothing but a closing parenthesis follows them.
    work: list[str | tuple[Node, bool]] = _sequence(body, True)
    while work:
        item = work.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        node, last = item
        match node:
            case Leaf():
                out.append(node.text)
            case Prefix() if not last:
                work += [")", (node, True), "("]
            case Prefix():
                out += [f"{transform.text}@ " for transform in reversed(node.chain)]
                work += _sequence(node.body, True)
            case Par():
                work += [")", *_branches(node), "("]
    return "".join(out)


def _sequence(body: Body, last: bool) -> list[str | tuple[Node, bool]]:
    """The work that prints a sequence, the first part last. `last`: a closing parenthesis or the end follows it."""
    if last and len(body) == 1 and isinstance(body[0], Par):
        return _branches(body[0])
    parts: list[str | tuple[Node, bool]] = []
    for number, node in enumerate(reversed(body)):
        parts += [(node, last and number == 0), " . "]
    return parts[:-1]


def _branches(par: Par) -> list[str | tuple[Node, bool]]:
    parts: list[str | tuple[Node, bool]] = []
    for number, branch in enumerate(reversed(par.branches)):
        alone = len(branch) == 1 and isinstance(branch[0], Par)
        parts += _sequence(branch, number == 0 and not alone)
        parts.append(" || ")
    return parts[:-1]
