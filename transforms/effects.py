"""Whether operations may go: what xDSL finds by asking an operation's traits one by one, remembered for its class."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir import Operation
from xdsl.traits import IsTerminator, MemoryEffect, NoMemoryEffect, SymbolOpInterface
from xdsl.transforms.dead_code_elimination import result_only_effects


def is_trivially_dead(op: Operation) -> bool:
    """Whether nothing uses the results of an operation, and it does nothing else."""
    return all(result.first_use is None for result in op.results) and may_go_unused(op)


def may_go_unused(op: Operation) -> bool:
    """Whether an operation may go once nothing uses its results."""
    known = _may_go(type(op))
    return result_only_effects(op) if known is None else known


@lru_cache(1024)
def _may_go(kind: type[Operation]) -> bool | None:
    """The answer for all operations of a class; None where each has its own."""
    if any(kind.has_trait(trait, value_if_unregistered=False) for trait in (IsTerminator, SymbolOpInterface)):
        return False
    effects = kind.get_traits_of_type(MemoryEffect)
    if not effects:
        return False
    return True if all(isinstance(trait, NoMemoryEffect) for trait in effects) else None
