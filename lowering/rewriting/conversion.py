"""The one conversion driver: a single walk that rebuilds IR through rules chosen by operation type.

A rule is a function `(rewriter, op) -> None` registered in a `Rules` table for an operation class. It reads the
converted operands (`rewriter.value`), emits new operations (`rewriter.emit`) and says what replaces the results
(`rewriter.replace`, `rewriter.define`). Operations without a rule are rebuilt with converted operands, types and
regions, so a table that covers one dialect converts just that dialect (a partial conversion). A type may convert to
several (a memref to its pointer and dynamic sizes); a value then maps to as many.

Where a rule-less operation uses a value whose type changed, or a rule needs the converted form of a value that a
rule-less operation produced, the driver inserts `builtin.unrealized_conversion_cast`, as upstream does;
`reconcile-unrealized-casts` removes the pairs that cancel.

Blocks are converted in reverse post-order, so a definition is always converted before its uses, and keep their layout
order. Blocks that control can't reach are dropped. Locations of the source operation are given to everything emitted
for it. Name hints of results are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from hologram.errors import InternalError, where_of
from hologram.support.collector import without_collection
from hologram.support.registry import Registry

OpT = TypeVar("OpT", bound=Operation)
T = TypeVar("T")
RewriterT = TypeVar("RewriterT", bound="Rewriter")
Rule = Callable[[Any, Any], None]
TypeConversion = Callable[[Attribute], Sequence[Attribute] | None]
"""Gives the types a type becomes, or None for "not mine"."""


class Rules(Registry[Rule]):
    """A table from operation class to rule, with the type conversions the rules rely on.

    A rule's first parameter may be the kind of rewriter that its conversion walks with.

    Example::

        RULES = Rules(types=[index_to_i64])

        @RULES.on(arith.AddiOp)
        def add(rw: Rewriter, op: arith.AddiOp) -> None:
            rw.replace(op, llvm.AddOp(rw.value(op.lhs), rw.value(op.rhs)))
    """

    def __init__(self, types: Iterable[TypeConversion] = (), table: Mapping[Any, Rule] | None = None):
        super().__init__(table)
        self.types = list(types)

    def on(
        self, *keys: type[OpT] | str
    ) -> Callable[[Callable[[RewriterT, OpT], None]], Callable[[RewriterT, OpT], None]]:
        """Registers the decorated rule for each of `keys`."""
        return cast("Any", super().on(*keys))

    @staticmethod
    def merge(parts: Iterable[Rules]) -> Rules:
        """The union of several tables, for a pass that converts several dialects in one walk."""
        merged = Rules()
        for part in parts:
            merged.types += [t for t in part.types if t not in merged.types]
            merged.update(part.table)
        return merged


@dataclass(slots=True)
class _Function:
    """The function being built: its entry block, and the last operation put there by `emit_at_entry`."""

    entry: Block
    last: Operation | None = None


class Rewriter:
    """The state of one walk: the insertion point, the value map, and the type conversion with its cache."""

    retypes = False
    """Whether operations without a rule take and give what the types became, in place of casts around them."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self._types: dict[Attribute, tuple[Attribute, ...]] = {}
        self._known: dict[tuple[Hashable, int], tuple[Attribute, Any]] = {}
        self._values: dict[SSAValue, tuple[SSAValue, ...]] = {}
        self._casts: dict[tuple[Block, SSAValue, bool], tuple[SSAValue, ...]] = {}
        self._blocks: dict[Block, Block] = {}
        self._once: dict[tuple[Block | Region, Hashable], Any] = {}
        self._into: Block | None = None
        self._source: Operation | None = None
        self._function: _Function | None = None
        self.declarations: dict[str, Operation] = {}

    # Types

    def types(self, type: Attribute) -> tuple[Attribute, ...]:
        """The types `type` becomes (itself when no conversion claims it)."""
        return self.of_type("types", type, self._equal_types)

    def of_type(self, what: Hashable, type: Attribute, find: Callable[[Attribute], T]) -> T:
        """`find(type)`, remembered for this very object: to hash a type takes longer than most rules do."""
        key = (what, id(type))
        if (known := self._known.get(key)) is None:
            # The type is held, so that its identity is not given to another one.
            known = self._known[key] = (type, find(type))
        return known[1]

    def _equal_types(self, type: Attribute) -> tuple[Attribute, ...]:
        if (known := self._types.get(type)) is None:
            known = self._types[type] = self._convert(type)
        return known

    def _convert(self, type: Attribute) -> tuple[Attribute, ...]:
        for conversion in self.rules.types:
            if (converted := conversion(type)) is not None:
                return tuple(converted)
        if isinstance(type, FunctionType):
            return (FunctionType.from_lists(self.all_types(type.inputs), self.all_types(type.outputs)),)
        return (type,)

    def type(self, type: Attribute) -> Attribute:
        """The one type `type` becomes."""
        (converted,) = self.types(type)
        return converted

    def all_types(self, types: Iterable[Attribute]) -> list[Attribute]:
        """The converted forms of several types, in a row."""
        return [new for old in types for new in self.types(old)]

    # Values

    def _found(self, old: SSAValue) -> tuple[SSAValue, ...]:
        try:
            return self._values[old]
        except KeyError:
            user = self._source
            raise InternalError(
                "conversion-value-missing",
                f"a value that {user.name if user else 'an operation'} uses was not converted before it",
                where=where_of(user) if user else None,
            ) from None

    def values(self, old: SSAValue) -> tuple[SSAValue, ...]:
        """The converted form of `old`, one value for each of its converted types."""
        converted = self._found(old)
        types = self.types(old.type)
        if len(converted) == len(types):
            for value, type in zip(converted, types, strict=True):
                if value.type is not type and value.type != type:
                    break
            else:
                return converted
        return self._cast(old, converted, types, True)

    def value(self, old: SSAValue) -> SSAValue:
        """The converted form of `old`, where its type converts to one type."""
        (new,) = self.values(old)
        return new

    def all_values(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """The converted forms of several values, in a row."""
        return [new for old in values for new in self.values(old)]

    def unconverted(self, old: SSAValue) -> SSAValue:
        """A value of `old`'s own type, for operations that stay as they are."""
        converted = self._found(old)
        if len(converted) == 1 and converted[0].type == old.type:
            return converted[0]
        return self._cast(old, converted, (old.type,), False)[0]

    def _cast(
        self, old: SSAValue, operands: tuple[SSAValue, ...], types: tuple[Attribute, ...], converted: bool
    ) -> tuple[SSAValue, ...]:
        # One cast a block serves all its later uses there; one for the whole function need not dominate them.
        key = (self.insertion_block, old, converted)
        if (known := self._casts.get(key)) is None:
            cast = self.emit(UnrealizedConversionCastOp.create(operands=operands, result_types=types))
            known = self._casts[key] = tuple(cast.results)
        return known

    def define(self, old: SSAValue, *new: SSAValue) -> None:
        """Says what `old` became."""
        self._values[old] = new
        name = old._name  # pyright: ignore[reportPrivateUsage]  # already checked; the setter would match it again
        if name is None:
            return
        for value in new:
            if value._name is None:  # pyright: ignore[reportPrivateUsage]
                value._name = name  # pyright: ignore[reportPrivateUsage]

    def define_all(self, old: Sequence[SSAValue], new: Sequence[SSAValue]) -> None:
        """Says what several values became, given their converted forms in a row."""
        given = iter(new)
        for value in old:
            self.define(value, *islice(given, len(self.types(value.type))))

    def stand(self, old: SSAValue, *new: SSAValue) -> None:
        """Says what `old` became, as `define` does, where the new value does not take its name."""
        self._values[old] = new

    def knows(self, old: SSAValue) -> bool:
        """Return whether it was said what `old` became."""
        return old in self._values

    @contextmanager
    def scope(self) -> Generator[Mapping[SSAValue, Sequence[SSAValue]]]:
        """A stretch of the walk that begins without values; gives those outside, which come back behind it."""
        outer, self._values = self._values, {}
        yield outer
        self._values = outer

    @contextmanager
    def at(self, into: Block, source: Operation) -> Generator[None]:
        """A stretch of the walk that appends to `into`, as a part of the conversion of `source`."""
        outer, self._into, self._source = (self._into, self._source), into, source
        yield
        self._into, self._source = outer

    def forward(self, target: Block, operands: Sequence[SSAValue]) -> list[SSAValue]:
        """The operands of a branch to the new form of `target`, whose arguments may or may not have been converted."""
        passed: list[SSAValue] = []
        for arg, operand in zip(target.args, operands, strict=True):
            if tuple(v.type for v in self._found(arg)) == self.types(arg.type):
                passed += self.values(operand)
            else:
                passed.append(self.unconverted(operand))
        return passed

    def once(self, key: Hashable, make: Callable[[], T], *, scope: Block | Region | None = None) -> T:
        """`make()`, called once for each block (or `scope`): for constants and the like, needed again and again."""
        place = (self.insertion_block if scope is None else scope, key)
        if place not in self._once:
            self._once[place] = make()
        return self._once[place]

    def made(self, key: Hashable, scope: Block | Region) -> Any:
        """The value that `once` has made for a block, None if there is none."""
        return self._once.get((scope, key))

    # Building

    @property
    def source(self) -> Operation:
        """The operation that is being converted."""
        assert self._source is not None
        return self._source

    @property
    def insertion_block(self) -> Block:
        """The new block that operations are appended to."""
        assert self._into is not None
        return self._into

    def emit(self, op: OpT) -> OpT:
        """Appends `op` at the insertion point, with the location of the operation being converted."""
        assert self._into is not None
        if self._source is not None:
            op.location = self._source.location
        self._into.add_op(op)
        return op

    def emit_at_entry(self, op: OpT) -> OpT:
        """Puts `op` at the start of the function's entry block, after those put there before (stack allocations)."""
        function = self._function
        if function is None:
            return self.emit(op)
        op.location = self.source.location
        first = function.entry.first_op
        if function.last is not None:
            function.entry.insert_op_after(op, function.last)
        elif first is not None:
            function.entry.insert_op_before(op, first)
        else:
            function.entry.add_op(op)
        function.last = op
        return op

    def replace(self, old: Operation, new: Operation) -> None:
        """Emits `new` and lets its results stand for those of `old`, one for one."""
        self.emit(new)
        for before, after in zip(old.results, new.results, strict=True):
            self.define(before, after)

    def block(self, old: Block) -> Block:
        """The new block for `old` (a successor); made empty by `region` before any operation is converted."""
        return self._blocks[old]

    def new_block(self, arg_types: Sequence[Attribute] = (), *, after: Block | None = None) -> Block:
        """Adds a block to the region being built, after `after` (or the current one). Go there with `move_to`."""
        block = Block(arg_types=arg_types)
        place = after if after is not None else self.insertion_block
        region = place.parent
        assert region is not None
        region.insert_block_after(block, place)
        return block

    def last_block(self) -> Block:
        """The last block of the region being built."""
        region = self.insertion_block.parent
        assert region is not None
        last = region.last_block
        assert last is not None
        return last

    def move_to(self, block: Block) -> None:
        """Sets the insertion point to the end of `block`."""
        self._into = block

    def declare(self, name: str, make: Callable[[], Operation]) -> None:
        """Sees that the module has a symbol `name`: what `make` makes, unless the module has it already."""
        if name not in self.declarations:
            self.declarations[name] = make()

    # Regions

    def region(
        self, old: Region, *, keep_types: bool = False, entry: Callable[[Block, Block], None] | None = None
    ) -> Region:
        """Converts a whole region. Entry arguments get converted types, unless `keep_types`.

        Arguments of the other blocks are converted where every branch to them has a rule. `entry`, given the
        old and the new entry block, makes the new one's arguments otherwise and defines what the old ones became.
        """
        new = Region()
        outer, source, function = self._into, self._source, self._function
        order = reverse_post_order(old)
        reached = set(order)
        kept = self._kept(order)
        for index, block in enumerate(b for b in old.blocks if b in reached):
            if index == 0 and entry is not None:
                self._into = self._blocks[block] = Block()
                new.add_block(self._into)
                entry(block, self._into)
            else:
                new.add_block(self._new_block_for(block, keep_types if index == 0 else block in kept))
        if order and source is not None and _is_function(source):
            self._function = _Function(self._blocks[order[0]])
        for block in order:
            self._into = self._blocks[block]
            for op in block.ops:
                self.convert(op)
        self._into, self._source, self._function = outer, source, function
        return new

    def _kept(self, blocks: Sequence[Block]) -> set[Block]:
        """The blocks that an operation without a rule branches to: their arguments keep their types."""
        if self.retypes:
            return set()
        branches = (op for block in blocks if (op := block.last_op) is not None and op.successors)
        return {target for op in branches if self.rules.find(type(op)) is None for target in op.successors}

    def _new_block_for(self, block: Block, keep_types: bool) -> Block:
        fresh = self._blocks[block] = Block()
        for arg in block.args:
            types = (arg.type,) if keep_types else self.types(arg.type)
            self.define(arg, *[fresh.insert_arg(t, len(fresh.args), arg.location) for t in types])
        return fresh

    def inline(self, block: Block, *args: Sequence[SSAValue]) -> None:
        """Converts the operations of `block`, its terminator left out, at the insertion point.

        `args` are the values of its arguments.
        """
        for arg, values in zip(block.args, args, strict=True):
            self.define(arg, *values)
        source = self._source
        last = block.last_op
        for op in block.ops:
            if op is not last:
                self.convert(op)
        self._source = source

    def inline_region(
        self, old: Region, args: Sequence[Sequence[SSAValue]], leave: Callable[[Operation], None]
    ) -> None:
        """Converts the blocks of a region into the region being built, the first at the insertion point.

        `leave` is called for each terminator that leaves the region, and ends the block it is in.
        """
        order = reverse_post_order(old)
        source = self._source
        for arg, values in zip(order[0].args, args, strict=True):
            self.define(arg, *values)
        place = self.insertion_block
        reached = set(order[1:])
        kept = self._kept(order)
        for block in old.blocks:
            if block in reached:
                fresh = self._new_block_for(block, block in kept)
                assert place.parent is not None
                place.parent.insert_block_after(fresh, place)
                place = fresh
        for block in order:
            if block is not order[0]:
                self._into = self._blocks[block]
            for op in block.ops:
                if op is block.last_op and not op.successors:
                    self._source = op
                    leave(op)
                else:
                    self.convert(op)
        self._source = source

    # The walk

    def convert(self, op: Operation) -> None:
        """Converts one operation: by its rule, or by rebuilding it."""
        self._source = op
        rule = self.rules.find(type(op))
        if rule is not None:
            rule(self, op)
        else:
            self.rebuild(op)

    def rebuild(self, op: Operation) -> None:
        """Rebuilds `op` as it is around converted operands; casts back where a type changed and stays."""
        if self.retypes:
            return self.retype(op)
        new = type(op).create(
            operands=[self.unconverted(v) for v in op.operands],
            result_types=[r.type for r in op.results],
            properties=op.properties,
            attributes=op.attributes,
            successors=[self._blocks[b] for b in op.successors],
            regions=[self.region(r, keep_types=True) for r in op.regions],
        )
        self.replace(op, new)

    def retype(self, op: Operation) -> None:
        """Rebuilds `op` around converted operands, with results, regions and properties of converted types."""
        new = type(op).create(
            operands=self.all_values(op.operands),
            result_types=self.all_types(op.result_types),
            properties={name: self.type(value) for name, value in op.properties.items()},
            attributes=op.attributes,
            successors=[self._blocks[b] for b in op.successors],
            regions=[self.region(r) for r in op.regions],
        )
        self.define_all(op.results, self.emit(new).results)


def _is_function(op: Operation) -> bool:
    """Return whether stack allocations in `op` belong to its entry block."""
    return op.has_trait(IsolatedFromAbove) or op.has_trait(SymbolOpInterface)


def reverse_post_order(region: Region) -> list[Block]:
    """The blocks of `region` that its entry reaches, each before those it dominates."""
    entry = region.first_block
    if entry is None:
        return []
    if entry.next_block is None:
        return [entry]
    seen = {entry}
    post: list[Block] = []
    stack = [(entry, _successors(entry))]
    while stack:
        block, pending = stack[-1]
        if not pending:
            post.append(block)
            stack.pop()
        elif (successor := pending.pop()) not in seen:
            seen.add(successor)
            stack.append((successor, _successors(successor)))
    return post[::-1]


def _successors(block: Block) -> list[Block]:
    # Popped from the end, so that the first successor comes first in the reverse post-order.
    return list(block.last_op.successors) if block.last_op is not None else []


def convert_module(module: ModuleOp, rules: Rules, rewriter: Rewriter | None = None) -> None:
    """Converts the body of `module` in place. The old body is dropped only when the whole walk succeeded.

    A conversion that carries state of its own gives its `rewriter`.
    """
    rewriter = Rewriter(rules) if rewriter is None else rewriter
    with without_collection():
        body = rewriter.region(module.body, keep_types=True)
    _add_declarations(body.block, rewriter.declarations)
    module.detach_region(module.body)
    module.add_region(body)


@dataclass(frozen=True)
class RulesPass(ModulePass):
    """The base of the passes without options that convert a module by one table of rules."""

    TABLE: ClassVar[Rules]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_module(op, self.TABLE)


def _add_declarations(block: Block, declarations: dict[str, Operation]) -> None:
    if not declarations:
        return
    present = {op.properties.get("sym_name") for op in block.ops}
    missing = [op for op in declarations.values() if op.properties["sym_name"] not in present]
    if (first := block.first_op) is not None:
        block.insert_ops_before(missing, first)
    else:
        block.add_ops(missing)
