"""The pass `canonicalize`: xDSL's patterns and folds, and those of `rules`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, TypeAlias, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import ModuleOp, UnknownLoc, UnregisteredOp
from xdsl.folder import Folder
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener
from xdsl.rewriter import InsertPoint
from xdsl.traits import ConstantLike, HasCanonicalizationPatternsTrait, HasFolder, IsolatedFromAbove
from xdsl.transforms.canonicalization_patterns.arith import (
    ApplyCmpiPredicateToEqualOperands,
    FoldConstConstOp,
    FoldConstsByReassociation,
    SelectConstPattern,
    SelectSamePattern,
    SelectTrueFalsePattern,
    SignlessIntegerBinaryOperationConstantProp,
    SignlessIntegerBinaryOperationZeroOrUnitRight,
)
from xdsl.transforms.dead_code_elimination import LiveSet

from hologram.errors import InternalError, where_of
from hologram.support.walking import operations
from hologram.transforms.analysis.effects import is_trivially_dead, may_go_unused
from hologram.transforms.canonical.rules import Fold, rules_of
from hologram.transforms.canonical.rules import Pattern as Rule

T = TypeVar("T")

REWRITES_PER_OPERATION = 32
"""How many rewrites may come on average of one operation of the input; honest patterns need a few."""

Pattern: TypeAlias = tuple[str, Callable[[Any, PatternRewriter], Any]]
"""A name, and what rewrites an operation if it matches."""

REPLACED = (
    FoldConstConstOp, FoldConstsByReassociation, SignlessIntegerBinaryOperationConstantProp,
    SignlessIntegerBinaryOperationZeroOrUnitRight, SelectConstPattern, SelectSamePattern, SelectTrueFalsePattern,
    ApplyCmpiPredicateToEqualOperands,
)  # fmt: skip
"""Patterns of xDSL's that round in another format, raise on overflow, or are among those of `rules`."""


@dataclass(frozen=True)
class CanonicalizePass(ModulePass):
    """Folds constants, drops what has no effect, and brings operations to their simplest form.

    Before::

        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %s = arith.cmpi slt, %c2, %c3 : index
        %r = scf.if %s -> (index) { scf.yield %c2 : index } else { scf.yield %x : index }

    After, with %r replaced by %c2::

        %c2 = arith.constant 2 : index
    """

    name = "canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        canonicalize(ctx, op)


def canonicalize(ctx: Context, module: ModuleOp) -> None:
    """Rewrites `module` in place until nothing matches."""
    Driver(ctx, module).run()


@dataclass
class Driver:
    """One walk that fills a worklist, and the worklist until it is empty; again for what dead code leaves."""

    ctx: Context
    module: ModuleOp
    stack: list[Operation] = field(default_factory=list[Operation])
    queued: set[Operation] = field(default_factory=set[Operation])
    patterns: dict[type[Operation], Sequence[Pattern]] = field(default_factory=dict[type[Operation], Sequence[Pattern]])
    applied: Counter[str] = field(default_factory=Counter[str])
    rewrites_left: int = 0
    has_new_constants: bool = False
    source: Operation | None = None
    """The operation being rewritten, whose place new ones get."""

    def run(self) -> None:
        """Rewrites until nothing changes."""
        block = self.module.body.block
        rewriter = PatternRewriter(InsertPoint.at_end(block))
        listener = PatternRewriterListener(
            operation_insertion_handler=[self._inserted],
            operation_removal_handler=[self._removed],
            operation_modification_handler=[self._push],
            operation_replacement_handler=[self._replaced],
        )
        rewriter.extend_from_listener(listener)
        Constants(rewriter).gather(self.module)
        self.stack.clear()
        self.queued.clear()
        # A stack: pushed last to first, taken first to last.
        for op in reversed(operations(self.module)[1:]):
            self._push(op)
        self.rewrites_left = REWRITES_PER_OPERATION * (len(self.stack) + 32)
        while self.stack:
            self.has_new_constants = False
            while self.stack:
                op = self._pop()
                if op is not None and op.parent is not None:
                    self._visit(op, rewriter)
            _drop_dead(self.module.body, listener)
            if self.has_new_constants:
                Constants(rewriter).gather(self.module)

    def _visit(self, op: Operation, rewriter: PatternRewriter) -> None:
        rewriter.has_done_action = False
        rewriter.current_operation = self.source = op
        rewriter.insertion_point = InsertPoint.before(op)
        rewriter.name_hint = None
        # What holds others and has no results is left to `_drop_dead`, which asks for the effects of each once.
        if (op.results or not op.regions) and is_trivially_dead(op):
            rewriter.erase(op)
            return
        for name, apply in self._patterns_of(op):
            apply(op, rewriter)
            if rewriter.has_done_action:
                self._count(name, op)
                if op.parent is not None:
                    self._push(op)
                return

    def _count(self, name: str, op: Operation) -> None:
        self.applied[name] += 1
        self.rewrites_left -= 1
        if self.rewrites_left < 0:
            most, times = self.applied.most_common(1)[0]
            raise InternalError(
                "canonicalize-endless",
                f"canonicalization does not come to an end: '{most}' was applied {times} times",
                where=where_of(op) if op.parent is not None else None,
            )

    def _patterns_of(self, op: Operation) -> Sequence[Pattern]:
        kind = type(op)
        if kind not in self.patterns:
            fold = Folder(self.ctx).replace_with_fold
            self.patterns[kind] = [(name, apply or fold) for name, apply in _patterns_of(kind)]
        return self.patterns[kind]

    # The worklist

    def _push(self, op: Operation) -> None:
        if op not in self.queued:
            self.queued.add(op)
            self.stack.append(op)

    def _pop(self) -> Operation | None:
        op = self.stack.pop()
        if op not in self.queued:
            return None
        self.queued.discard(op)
        return op

    def _inserted(self, op: Operation) -> None:
        if isinstance(op.location, UnknownLoc) and self.source is not None:
            op.location = self.source.location
        self.has_new_constants |= op.name in _CONSTANTS
        self._push(op)

    def _removed(self, op: Operation) -> None:
        erased = set(operations(op))
        self.queued -= erased
        for nested in erased:
            for operand in nested.operands:
                if isinstance(operand.owner, Operation) and operand.owner not in erased:
                    self._push(operand.owner)

    def _replaced(self, op: Operation, results: Sequence[SSAValue | None]) -> None:
        for result in op.results:
            for use in result.uses:
                self._push(use.operation)


_CONSTANTS = ("arith.constant", "complex.constant", "index.constant", "llvm.mlir.constant", "ub.poison")
"""What `Constants` gathers. A register of the machine would be in use for longer, so those of `atlas` stay."""


class Constants:
    """Constants at the start of what is isolated from what stands above it, each once, as upstream has them."""

    def __init__(self, rewriter: PatternRewriter):
        self.rewriter = rewriter
        self.known: dict[tuple[Region, type[Operation], Attribute, Attribute], Operation] = {}
        self.owned: set[Operation] = set()
        self.isolated: dict[Region, Region] = {}

    def gather(self, root: Operation) -> None:
        """Move the constants in an operation to their places, and replace those that are there twice."""
        for op in operations(root)[1:]:
            if op.name in _CONSTANTS and op.parent is not None:
                value = op.properties.get("value", op.attributes.get("value"))
                if value is not None:
                    self._place(op, value)

    def _place(self, op: Operation, value: Attribute) -> None:
        region = self._isolated(op)
        key = region, type(op), value, op.results[0].type
        if (known := self.known.get(key)) is not None:
            self.rewriter.replace(op, [], known.results)
            return
        block = region.block if len(region.blocks) == 1 else region.blocks[0]
        before = op.prev_op
        if block.first_op is not op and not (op.parent is block and before in self.owned):
            op.detach()
            assert block.first_op is not None
            block.insert_op_before(op, block.first_op)
        self.known[key] = op
        self.owned.add(op)

    def _isolated(self, op: Operation) -> Region:
        """The region around an operation that sees no values of what is around it."""
        inner = region = op.parent_region()
        assert region is not None
        if (known := self.isolated.get(region)) is not None:
            return known
        while (parent := region.parent) is not None and not _may_hold_constants(parent):
            above = parent.parent_region()
            if above is None:
                break
            region = above
        self.isolated[cast("Region", inner)] = region
        return region


def _may_hold_constants(op: Operation) -> bool:
    """Return whether constants are gathered in an operation."""
    return isinstance(op, UnregisteredOp) or op.has_trait(IsolatedFromAbove)


@lru_cache(1024)
def _patterns_of(kind: type[Operation]) -> Sequence[tuple[str, Callable[[Any, PatternRewriter], Any] | None]]:
    """The patterns of a class of operations; without a function: what folds it in a context."""
    return list(_find_patterns(kind))


def _find_patterns(kind: type[Operation]) -> Iterator[tuple[str, Callable[[Any, PatternRewriter], Any] | None]]:
    fold, rules = rules_of(kind)
    if fold is not None:
        yield fold.__name__, partial(_apply_fold, fold)
    is_constant = kind.has_trait(ConstantLike, value_if_unregistered=True)
    if fold is None and not is_constant and kind.has_trait(HasFolder, value_if_unregistered=False):
        yield f"fold of {kind.name}", None
    for pattern in (*rules, *_identities(kind)):
        yield pattern.__name__, pattern
    for trait in kind.get_traits_of_type(HasCanonicalizationPatternsTrait):
        for theirs in trait.get_patterns(kind):
            if not isinstance(theirs, REPLACED):
                yield type(theirs).__name__, theirs.match_and_rewrite


class _Live(LiveSet):
    """xDSL's search for what is live, which asks for the effects of each operation once, and not at all of one that
    holds an operation with effects."""

    def __init__(self) -> None:
        super().__init__()
        self.free: dict[Operation, bool] = {}
        """Whether an operation may go if nothing uses its results."""

    def propagate_op_liveness(self, op: Operation) -> None:
        for region in op.regions:
            self.propagate_region_liveness(region)
        if self.is_live(op):
            return
        if op not in self.free:
            self.free[op] = not self._has_effects_inside(op) and may_go_unused(op)
        if not self.free[op] or any(self.is_live(use.operation) for r in op.results for use in r.uses):
            self.set_live(op)

    def _has_effects_inside(self, op: Operation) -> bool:
        inner = (o for region in op.regions for block in region.blocks for o in block.ops if o is not block.last_op)
        return any(not self.free.get(o, True) for o in inner)


def _drop_dead(region: Region, listener: PatternRewriterListener) -> bool:
    """Erases what has no effect and no use; whether there was any."""
    live = _Live()
    while live.changed:
        live.changed = False
        live.propagate_region_liveness(region)
    live.delete_dead(region, listener)
    return live.changed


def _identities(kind: type[Operation]) -> Sequence[Rule]:
    """Return the identities of the scalar instructions, which are imported where a module has some."""
    if "hologram.dialects.atlas.instructions.scalar" not in sys.modules:
        return ()
    from hologram.transforms.canonical.scalar_identities import IDENTITIES

    return IDENTITIES.find(kind) or ()


def _apply_fold(fold: Fold, op: Operation, rewriter: PatternRewriter) -> None:
    result = fold(op)
    if isinstance(result, SSAValue):
        rewriter.replace(op, [], [result])
    elif result is not None:
        types = [op.results[0].type]
        kind = ub.PoisonOp if isinstance(result, ub.PoisonAttr) else arith.ConstantOp
        rewriter.replace(op, kind.create(result_types=types, properties={"value": result}))
