"""The readings of a circuit as classes, bytes, addresses and words (classes.md section 6)."""

from __future__ import annotations

from collections.abc import Iterator

from hologram import classes
from hologram.classes import Transform as Element
from hologram.dialects.sigil.syntax import IDENTITY, RANGE, Transform, image, runs
from hologram.dialects.sigil.tree import Body, Leaf, Node, Par, leaves, total

BEGIN, SEPARATOR, END = "⊗_begin", "⊗_sep", "⊗_end"


def read_classes(body: Body) -> list[int]:
    """The class of each leaf after its transforms, in source order; a range has a leaf for each of its classes."""
    return [image(around, s.class_) for leaf, around in leaves(body) for s in leaf.target.leaves]


def read_addresses(body: Body) -> list[int]:
    """256 page + byte of the leaves that name a page."""
    return [
        classes.BYTES_PER_PAGE * s.page + classes.canonical_byte(image(around, s.class_))
        for leaf, around in leaves(body)
        for s in leaf.target.leaves
        if s.page is not None
    ]


def read_calls(body: Body) -> list[str]:
    """The operations in source order on the classes that they work on: `mark 45`, `copy 29->30`, `quote 58..63`."""
    return [_call(leaf, around) for leaf, around in leaves(body)]


def _call(leaf: Leaf, around: Element) -> str:
    name = f"{leaf.generator}.{leaf.variant}" if leaf.variant else leaf.generator
    numbers = [image(around, s.class_) for s in leaf.target.leaves]
    if leaf.target.form == RANGE:
        ranges = (f"{first}..{last}" if last > first else str(first) for first, last in runs(numbers))
        return f"{name} {','.join(ranges)}"
    pages = ["" if s.page is None else f"@{s.page}" for s in leaf.target.sigils]
    shape = leaf.target.shape
    return f"{name} {shape.format(*(f'{n}{p}' for n, p in zip(numbers, pages, strict=True)))}"


def read_words(body: Body) -> list[str]:
    """The words: a sequence's last item first, prefixes around their bodies with all amounts around them added up."""
    out: list[str] = []
    # What is left to emit, the next one last: words, and nodes with the transform around them and the amounts of it.
    work: list[str | tuple[Node, Element, Transform]] = [(node, IDENTITY, Transform()) for node in body]
    while work:
        item = work.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        node, around, amounts = item
        match node:
            case Leaf():
                out += _words(node, around)
            case Par():
                out.append(BEGIN)
                work.append(END)
                for number, branch in enumerate(reversed(node.branches)):
                    work += [*([SEPARATOR] if number else []), *((n, around, amounts) for n in branch)]
            case _:
                inner = total(node.chain, around)
                for transform in reversed(node.chain):
                    amounts = _sum(amounts, transform)
                    out += _prefix_words("→", amounts)
                    work += reversed([*_prefix_words("←", amounts)])
                work += [(n, inner, amounts) for n in node.body]
    return out


def _sum(a: Transform, b: Transform) -> Transform:
    """The amounts of both as written; mirrors cancel."""
    return Transform(a.r + b.r, a.d + b.d, a.t + b.t, a.mirror != b.mirror)


def _prefix_words(arrow: str, amounts: Transform) -> Iterator[str]:
    r, d, t, mirror = amounts
    if r:
        yield f"{arrow}ρ[{r}]"
    if d:
        yield f"{arrow}δ[{d % 3}]"
    if t:
        yield f"{arrow}τ[{t}]"
    if mirror:
        yield f"{arrow}μ"


def _words(leaf: Leaf, around: Element) -> Iterator[str]:
    """The words of one operation, of a range those of each of its classes, as of a sequence the last one first."""
    sigils = leaf.target.leaves if leaf.target.form == RANGE else leaf.target.sigils[:1]
    for sigil in reversed(sigils):
        h2, d, l = classes.sigil(image(around, sigil.class_))  # noqa: E741
        match leaf.generator:
            case "copy" | "merge":
                yield f"{leaf.generator}[d={d}]"
            case "split" | "quote":
                yield f"{leaf.generator}[ℓ={l}]"
            case "evaluate":
                yield f"phase[h₂={h2}]"
                yield "evaluate"
            case _:
                yield leaf.generator
