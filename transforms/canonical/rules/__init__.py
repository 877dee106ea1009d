"""What `canonicalize` knows of operations: how each folds, and the patterns that rewrite it.

A module has the tables of the dialect of its name, `FOLDS` and `PATTERNS`, and is imported when the first operation of
the dialect is met. A fold gives the operation's only result, as a constant's attribute or as a value that is there, and
changes nothing; a pattern rewrites with a rewriter, if it matches. The docstrings of both are the laws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from hologram.support.registry import Registry

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation, SSAValue
    from xdsl.pattern_rewriter import PatternRewriter

Fold: TypeAlias = "Callable[[Any], Attribute | SSAValue | None]"
Pattern: TypeAlias = "Callable[[Any, PatternRewriter], None]"
Folds: TypeAlias = Registry[Fold]
Patterns: TypeAlias = Registry[tuple[Pattern, ...]]

_DIALECTS = ("affine", "arith", "cf", "memref", "scf", "tensor", "vector")
"""The dialects that have a module here."""


@lru_cache(1024)
def rules_of(kind: type[Operation]) -> tuple[Fold | None, Sequence[Pattern]]:
    """The fold and the patterns of a class of operations; those of a dialect stand for the classes derived from its."""
    names = [str(vars(base).get("name", "")) for base in kind.__mro__]
    dialects = [d for d in dict.fromkeys(name.partition(".")[0] for name in names) if d in _DIALECTS]
    fold: Fold | None = None
    patterns: list[Pattern] = []
    for dialect in dialects:
        module = import_module(f"{__name__}.{dialect}")
        fold = fold or module.FOLDS.find(kind)
        patterns += module.PATTERNS.find(kind) or ()
    return fold, patterns
