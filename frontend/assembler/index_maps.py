"""Reads indexing maps: `(d0, d1) -> (d1, d0 * 2 + 1)`."""

from __future__ import annotations

from hologram.dialects.machine.index_maps import DEEPEST, LARGEST, settled
from hologram.dialects.machine.listing import Index, IndexMap
from hologram.errors import InputError
from hologram.frontend.assembler.instructions import Reader

PRODUCTS = ("*", "floordiv", "ceildiv", "mod")


def read_map(reader: Reader) -> IndexMap:
    """The indexing map that comes next."""
    what = "an indexing map such as (d0, d1) -> (d1)"
    reader.expect("(", what)
    loops = 0
    while not reader.accept(")"):
        if loops:
            reader.expect(",", what)
        token = reader.word(f"d{loops}")
        if token.text != f"d{loops}":
            raise InputError(
                "asm-map-loop", f"expected d{loops}, found {token}", where=reader.at(token),
                hint="the loops of a map are d0, d1, ... in order",
            )  # fmt: skip
        loops += 1
    reader.expect("->", what)
    reader.expect("(", what)
    indices: list[Index] = []
    while not reader.accept(")"):
        if indices:
            reader.expect(",", what)
        indices.append(_sum(reader, loops, DEEPEST))
    return settled(IndexMap(loops, tuple(indices)))


def _sum(reader: Reader, loops: int, depth: int) -> Index:
    start = reader.token
    if not depth:
        raise InputError("asm-map-deep", "an index expression is nested too deeply", where=reader.at(start))
    found, terms = _product(reader, loops, depth), 1
    while reader.token.kind == "punctuation" and reader.token.text in "+-":
        minus = reader.take().text == "-"
        term = _product(reader, loops, depth)
        found = ("+", found, _negated(term) if minus else term)
        terms += 1
        if terms > DEEPEST:
            raise InputError("asm-map-long", "an index expression has too many terms", where=reader.at(start))
    return found


def _negated(term: Index) -> Index:
    return ("c", -term[1]) if len(term) == 2 and term[0] == "c" else ("*", term, ("c", -1))


def _product(reader: Reader, loops: int, depth: int) -> Index:
    start = reader.token
    found, factors = _term(reader, loops, depth), 1
    while reader.token.text in PRODUCTS:
        token = reader.take()
        right = _term(reader, loops, depth)
        if token.text == "*" and found[0] == "c":
            found, right = right, found
        fits = len(right) == 2 and right[0] == "c" and (token.text == "*" or right[1] > 0)
        if not fits:
            wanted = "a number on one side" if token.text == "*" else "a number from 1 up on its right"
            raise InputError("asm-map-factor", f"'{token.text}' takes {wanted}", where=reader.at(token))
        found = (token.text, found, right)
        factors += 1
        if factors > DEEPEST:
            raise InputError("asm-map-factors", "an index expression has too many factors", where=reader.at(start))
    return found


def _term(reader: Reader, loops: int, depth: int) -> Index:
    token = reader.token
    if reader.accept("("):
        found = _sum(reader, loops, depth - 1)
        reader.expect(")", "an index expression")
        return found
    if reader.accept("-"):
        return _negated(_term(reader, loops, depth - 1)) if depth else _sum(reader, loops, 0)
    if token.kind == "word":
        reader.take()
        digits = token.text[1:]
        if token.text[0] != "d" or not digits.isdigit() or len(digits) > 4 or int(digits) >= loops:
            raise InputError(
                "asm-map-name", f"there is no loop {token} in this map", where=reader.at(token),
                hint=f"it has {', '.join(f'd{n}' for n in range(loops)) or 'none'}",
            )  # fmt: skip
        return "d", int(digits)
    value = reader.integer("a loop such as d0 or a number")
    if value >= LARGEST:
        raise InputError("asm-map-number", "a number of a map is below 2^62", where=reader.at(token))
    return "c", value


__all__ = ["read_map"]
