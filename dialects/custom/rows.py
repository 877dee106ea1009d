"""Operations of upstream's dialects as rows: a name, what it means, what it has, how it is written, what must hold.

Most operations of upstream are only read, verified and printed here: passes and emitters of ours never name them. A row
says all of that in a few lines, and its class is made when an operation of this name is met first. The rows of a
dialect are the list `ROWS` of a module, which `RowDialect` imports when a name is asked for that has no class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    opt_result_def,
    opt_successor_def,
    prop_def,
    region_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.kinds import Kinds, kinds_of, trait
from hologram.errors import VerifyError, where_of


class RowOp(IRDLOperation):
    """The base of the classes that rows make. Properties that are left out have the values that upstream gives them."""

    DEFAULTS: ClassVar[Mapping[str, Attribute]] = {}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in self.DEFAULTS.items():
            self.properties.setdefault(name, value)


@dataclass(frozen=True)
class Form:
    """How the operations of some rows are written, by functions: `parse` gets the class and the parser."""

    parse: Callable[[type[Any], Parser], Operation]
    print: Callable[[Printer, Any], None]


@dataclass(eq=False)
class Row:
    """An operation.

    `operands`, `properties`, `results`, `regions` and `successors` list names with kinds, `mask:i1s other:any?`, in
    upstream's order; `kinds.py` has the kinds; a module of rows may have
    its own in a function `own_kinds`. Behind a kind `?` is one that may be left
    out, `*` any number, `=VALUE` what a property is if it is left out (an attribute without spaces), and `$T` means
    that all with this letter are of one type. A region's kind is `any`, or `block` for exactly one block.

    `form` is an assembly format, or a pair of functions; without one there is the generic form alone. Properties that
    a format does not mention are in its attr-dict. `traits` are words of `kinds.trait`. `check` is called by the
    verifier once types and properties are of their kinds; see `need`. `more` are further fields of the class.
    """

    name: str
    meaning: str
    operands: str = ""
    results: str = ""
    properties: str = ""
    regions: str = ""
    successors: str = ""
    form: str | Form | None = None
    traits: str = ""
    check: Callable[[Any], None] | None = None
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def dialect(self) -> str:
        """The name of the dialect."""
        return self.name.partition(".")[0]

    def made(self, module: str, kinds: Kinds) -> type[RowOp]:
        """The class of the operation, as if a module had it."""
        fields: dict[str, Any] = {"name": self.name, "__doc__": self.meaning, "__module__": module}
        fields |= {**self._lists(kinds), **self.more}
        fields["traits"] = traits_def(*(trait(word) for word in self.traits.split()))
        fields["irdl_options"] = (ParsePropInAttrDict(), *self._segments())
        fields["DEFAULTS"] = {p.name: p.value(self.dialect) for p in _parts(self.properties) if p.default}
        fields["__annotations__"] = {"DEFAULTS": ClassVar[Mapping[str, Attribute]]}
        if isinstance(self.form, Form):
            fields |= {"parse": classmethod(self.form.parse), "print": _printing(self.form.print)}
        elif self.form is not None:
            fields["assembly_format"] = self.form
        if self.check is not None:
            fields["verify_"] = _verifying(self.check)
        words = self.name.replace("_", ".").split(".")[1:]
        return irdl_op_definition(type(f"{''.join(w.capitalize() for w in words)}Op", (RowOp,), fields))

    def _lists(self, kinds: Kinds) -> dict[str, Any]:
        """The definitions of operands, results, properties, regions and successors."""
        made: dict[str, Any] = {}
        for text, one, optional, several in (
            (self.operands, operand_def, opt_operand_def, var_operand_def),
            (self.results, result_def, opt_result_def, var_result_def),
        ):
            for part in _parts(text):
                define = {"?": optional, "*": several}.get(part.count, one)
                made[part.name] = define(part.constraint(kinds))
        for part in _parts(self.properties):
            if part.default:
                made[part.name] = opt_prop_def(part.constraint(kinds), default_value=part.value(self.dialect))
            else:
                made[part.name] = (opt_prop_def if part.count else prop_def)(part.constraint(kinds))
        for part in _parts(self.regions):
            define = {"?": opt_region_def, "*": var_region_def}.get(part.count, region_def)
            made[part.name] = define("single_block" if part.kind == "block" else None)
        for part in _parts(self.successors):
            made[part.name] = {"?": opt_successor_def, "*": var_successor_def}.get(part.count, successor_def)()
        return made

    def _segments(self) -> Iterator[Any]:
        """The options that say how many operands, results and regions belong to each that may be any number."""
        for text, option in (
            (self.operands, AttrSizedOperandSegments(as_property=True)),
            (self.results, AttrSizedResultSegments(as_property=True)),
            (self.regions, AttrSizedRegionSegments(as_property=True)),
        ):
            if sum(bool(part.count) for part in _parts(text)) > 1:
                yield option


def _printing(function: Callable[[Printer, Any], None]) -> Callable[[Any, Printer], None]:
    return lambda op, printer: function(printer, op)


def _verifying(function: Callable[[Any], None]) -> Callable[[Any], None]:
    return lambda op: function(op)


@dataclass(frozen=True)
class _Part:
    """`name:kind$T?`, `name:kind=default`."""

    name: str
    kind: str
    variable: str
    count: str
    default: str

    def constraint(self, kinds: Kinds) -> AttrConstraint:
        """What an operand, a result or a property must be."""
        found = kinds[self.kind]
        return VarConstraint(self.variable, found) if self.variable else found

    def value(self, dialect: str) -> Attribute:
        """What a property is if it is left out."""
        return Parser(_attributes_of(dialect), self.default).parse_attribute()


@cache
def _attributes_of(dialect: str) -> Context:
    """A context that knows the attributes of one of our dialects, and the builtin ones."""
    context = Context()
    context.load_dialect(Builtin)
    for attribute in _DIALECTS[dialect].attributes:
        context.load_attr_or_type(attribute)
    return context


def _parts(text: str) -> Iterator[_Part]:
    for word in text.split():
        name, _, rest = word.partition(":")
        rest, _, default = rest.partition("=")
        kind, count = (rest[:-1], rest[-1]) if rest[-1:] in ("?", "*") else (rest, "")
        kind, _, variable = kind.partition("$")
        yield _Part(name, kind or "any", variable, count, default)


def need(holds: bool, message: str, at: Operation | None = None) -> None:
    """Refuse an operation whose types and properties do not fit, with what does not hold of it, or of one inside it."""
    if not holds:
        error = VerifyError("operation-rule", message)
        error.where = None if at is None else where_of(at)
        raise error


@dataclass
class RowDialect(Dialect):
    """A dialect with classes, and with rows of a module that is imported for what has no class."""

    rows: str = ""
    has_all_types: bool = False
    """Whether a type of another name is refused even where unknown operations are read."""

    def __post_init__(self) -> None:
        _DIALECTS[self._name] = self

    @property
    def classes(self) -> Dialect:
        """What needs no row: its operations and attributes are loaded with the dialect."""
        return Dialect(self._name, self._operations, self._attributes)

    @property
    def operations(self) -> Iterator[type[Operation]]:
        names = {op.name for op in self._operations}
        rows = (self.operation(name) for name in self._table if name not in names)
        return chain(self._operations, (op for op in rows if op is not None))

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        return chain(self._attributes, self.late_attributes)

    @property
    def late_attributes(self) -> Sequence[type[Attribute]]:
        """The attributes and types that only rows have."""
        return getattr(self._module, "ATTRIBUTES", [])

    def operation(self, name: str) -> type[Operation] | None:
        """The class that the row of a name makes."""
        if name not in self._made and (row := self._table.get(name)) is not None:
            self._made[name] = row.made(self.rows, kinds_of(self.rows))
        return self._made.get(name)

    @cached_property
    def _made(self) -> dict[str, type[Operation]]:
        return {}

    @cached_property
    def _table(self) -> Mapping[str, Row]:
        return {row.name: row for row in cast("Sequence[Row]", self._module.ROWS)}

    @property
    def _module(self) -> Any:
        return import_module(self.rows)


_DIALECTS: dict[str, RowDialect] = {}
"""The dialects with rows that are imported."""


def operation(name: str) -> type[Operation]:
    """The class of an operation of an imported dialect that has rows: what its row makes, or the one it has."""
    dialect = _DIALECTS[name.partition(".")[0]]
    return dialect.operation(name) or next(op for op in dialect.classes.operations if op.name == name)
