"""Indexing maps of array-level instructions: as data, as text, and as affine maps."""

from __future__ import annotations

from typing import cast

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from hologram.dialects.machine.listing import Index, IndexMap

KINDS = {
    "+": AffineBinaryOpKind.Add,
    "*": AffineBinaryOpKind.Mul,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operators; a sum binds less than the others, which bind alike."""
DEEPEST = 24
"""How deep an expression may be nested."""
LARGEST = 1 << 62
"""Numbers in maps are below this, and above its negative."""
_NAMES = {kind: name for name, kind in KINDS.items()}


def affine_map(map: IndexMap) -> AffineMap:
    """The affine map; like all of xDSL's it is simplified where that is obvious (`d0 + 0` is d0)."""
    return AffineMap(map.loops, 0, tuple(map_expression(i) for i in map.indices))


def map_expression(index: Index) -> AffineExpr:
    """An expression of an affine map."""
    if len(index) == 2:
        return AffineDimExpr(index[1]) if index[0] == "d" else AffineConstantExpr(index[1])
    kind, left, right = index
    return AffineExpr.binary(KINDS[kind], map_expression(left), map_expression(right))


def settled(map: IndexMap) -> IndexMap:
    """The map as it is after all simplification: the way it is written."""
    while (simpler := index_map(affine_map(map))) != map:
        map = simpler
    return map


def index_map(map: AffineMap) -> IndexMap:
    """The data of an affine map without symbols."""
    return IndexMap(map.num_dims, tuple(map_index(e) for e in map.results))


def map_index(expr: AffineExpr) -> Index:
    """The data of an expression of an affine map."""
    match expr:
        case AffineDimExpr():
            return "d", expr.position
        case AffineConstantExpr():
            return "c", expr.value
        case _:
            binary = cast("AffineBinaryOpExpr", expr)
            return _NAMES[binary.kind], map_index(binary.lhs), map_index(binary.rhs)


def is_plain(map: AffineMap) -> bool:
    """Return whether a map can be written: it has no symbols, and neither great numbers nor deep expressions."""
    return not map.num_symbols and all(_is_plain(e, DEEPEST) for e in map.results)


def _is_plain(expr: AffineExpr, depth: int) -> bool:
    if isinstance(expr, AffineConstantExpr):
        return abs(expr.value) < LARGEST
    if not isinstance(expr, AffineBinaryOpExpr):
        return isinstance(expr, AffineDimExpr)
    return depth > 0 and _is_plain(expr.lhs, depth - 1) and _is_plain(expr.rhs, depth - 1)


def map_text(map: IndexMap) -> str:
    """`(d0, d1) -> (d1, d0 + 1)`."""
    return f"({', '.join(f'd{n}' for n in range(map.loops))}) -> ({', '.join(_text(i) for i in map.indices)})"


def _text(index: Index, tight: bool = False) -> str:
    """An expression; in parentheses if it is less `tight` than what is around it."""
    if len(index) == 2:
        text = f"d{index[1]}" if index[0] == "d" else str(index[1])
        return text
    kind, left, right = index
    if kind != "+":
        text = f"{_text(left, not _binds(left))} {kind} {_text(right, len(right) == 3)}"
    elif right[0] == "c" and cast("tuple[str, int]", right)[1] < 0:
        text = f"{_text(left)} - {-cast('tuple[str, int]', right)[1]}"
    else:
        text = f"{_text(left)} + {_text(right, right[0] == '+')}"
    return f"({text})" if tight else text


def _binds(index: Index) -> bool:
    """Return whether an expression needs no parentheses on the left of a product."""
    return index[0] != "+"
