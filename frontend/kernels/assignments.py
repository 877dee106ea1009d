"""Assignments to several targets at once, and those inside of expressions, as ones that come one after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Fresh = Callable[[ast.expr], str]
"""Gives a name that nothing in the function has, for the value of an expression."""


def has_parts(node: ast.Assign) -> bool:
    """Return whether an assignment has more than one target, or one of several parts."""
    return len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple | ast.List)


def one_by_one(node: ast.Assign, fresh: Fresh) -> Iterator[ast.Assign]:
    """`a = b = x` and `a, b = b, a` as plain assignments. Python computes all values first, each of them once, and
    assigns them from left to right then; literals need no name for that.

    Raises ValueError with what is wrong if the parts of a target are not those of the value.
    """
    parts = [_elements(target) for target in node.targets]
    is_split = any(elements is not None for elements in parts)
    values = _elements(node.value) if is_split else [node.value]
    if values is None:
        raise ValueError("functions and arrays of kernels give one number at a time")
    held: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant):
            held.append(value)
            continue
        name = fresh(value)
        yield _assign(ast.copy_location(ast.Name(name, ast.Store()), value), value, node)
        held.append(ast.copy_location(ast.Name(name, ast.Load()), value))
    for target, elements in zip(node.targets, parts, strict=True):
        targets = [target] if elements is None else elements
        if len(targets) != len(held):
            raise ValueError(f"the targets are {len(targets)}, and the values {len(held)}")
        for element, value in zip(targets, held, strict=True):
            yield _assign(element, value, node)


def _elements(node: ast.expr) -> list[ast.expr] | None:
    return node.elts if isinstance(node, ast.Tuple | ast.List) else None


def _assign(target: ast.expr, value: ast.expr, node: ast.Assign) -> ast.Assign:
    return ast.copy_location(ast.Assign([target], value), node)


def is_first(node: ast.NamedExpr, nodes: Iterable[ast.expr], acts: Callable[[ast.Call], bool]) -> bool:
    """Return whether an assignment inside of expressions may as well happen before all of them: nothing that comes
    before it there reads what it changes, or changes what it reads."""
    own = {id(n) for n in ast.walk(node)}
    changes = any(isinstance(n, ast.Call) and acts(n) for n in ast.walk(node.value))
    for earlier in (n for part in nodes for n in _in_order(part)):
        if earlier is node:
            break
        if id(earlier) in own or isinstance(earlier, ast.NamedExpr):
            continue
        reads_it = isinstance(earlier, ast.Name) and earlier.id == node.target.id
        reads_memory = isinstance(earlier, ast.Subscript) and changes
        if reads_it or reads_memory or (isinstance(earlier, ast.Call) and acts(earlier)):
            return False
    return True


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, and it, in the order in which Python computes them."""
    parts = [node.test, node.body, node.orelse] if isinstance(node, ast.IfExp) else ast.iter_child_nodes(node)
    for part in parts:
        yield from _in_order(part)
    yield node
