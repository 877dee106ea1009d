"""Reads indexing maps: `(d0, d1) -> (d1, d0 * 2 + 1)`."""

from __future__ import annotations

from hologram.dialects.machine.index_maps import DEEPEST, LARGEST, settled
from hologram.dialects.machine.listing import Index, IndexMap
from hologram.frontend.assembler.instructions import Reader

PRODUCTS = ("*", "floordiv", "ceildiv", "mod")


def read_map(reader: Reader) -> IndexMap:
    """The indexing map that comes next."""
    what = "an indexing map such as (d0, d1) -> (d1)"
    reader.expect("(", what)
    loops = 0

    def loop() -> None:
        nonlocal loops
        token = reader.word(f"d{loops}")
        if token.text != f"d{loops}":
            reader.fault(
                "asm-map-loop", token, f"expected d{loops}, found {token}",
                "the loops of a map are d0, d1, ... in order",
            )  # fmt: skip
        loops += 1

    reader.listed(")", what, loop)
    reader.expect("->", what)
    reader.expect("(", what)
    indices = reader.listed(")", what, lambda: _sum(reader, loops, DEEPEST))
    return settled(IndexMap(loops, tuple(indices)))


def _sum(reader: Reader, loops: int, depth: int) -> Index:
    start = reader.token
    if not depth:
        reader.fault("asm-map-deep", start, "an index expression is nested too deeply")
    expr, terms = _product(reader, loops, depth), 1
    while reader.token.kind == "punctuation" and reader.token.text in "+-":
        minus = reader.take().text == "-"
        term = _product(reader, loops, depth)
        expr = ("+", expr, _negated(term) if minus else term)
        terms += 1
        if terms > DEEPEST:
            reader.fault("asm-map-long", start, "an index expression has too many terms")
    return expr


def _negated(term: Index) -> Index:
    return ("c", -term[1]) if len(term) == 2 and term[0] == "c" else ("*", term, ("c", -1))


def _product(reader: Reader, loops: int, depth: int) -> Index:
    start = reader.token
    expr, factors = _term(reader, loops, depth), 1
    while reader.token.text in PRODUCTS:
        token = reader.take()
        right = _term(reader, loops, depth)
        if token.text == "*" and expr[0] == "c":
            expr, right = right, expr
        fits = len(right) == 2 and right[0] == "c" and (token.text == "*" or right[1] > 0)
        if not fits:
            wanted = "a number on one side" if token.text == "*" else "a number from 1 up on its right"
            reader.fault("asm-map-factor", token, f"'{token.text}' takes {wanted}")
        expr = (token.text, expr, right)
        factors += 1
        if factors > DEEPEST:
            reader.fault("asm-map-factors", start, "an index expression has too many factors")
    return expr


def _term(reader: Reader, loops: int, depth: int) -> Index:
    token = reader.token
    if reader.accept("("):
        expr = _sum(reader, loops, depth - 1)
        reader.expect(")", "an index expression")
        return expr
    if reader.accept("-"):
        return _negated(_term(reader, loops, depth - 1)) if depth else _sum(reader, loops, 0)
    if token.kind == "word":
        reader.take()
        digits = token.text[1:]
        if token.text[0] != "d" or not digits.isdigit() or len(digits) > 4 or int(digits) >= loops:
            reader.fault(
                "asm-map-name", token, f"there is no loop {token} in this map",
                f"it has {', '.join(f'd{n}' for n in range(loops)) or 'none'}",
            )  # fmt: skip
        return "d", int(digits)
    value = reader.integer("a loop such as d0 or a number")
    if value >= LARGEST:
        reader.fault("asm-map-number", token, "a number of a map is below 2^62")
    return "c", value
