"""Reads MLIR text into IR whose every operation knows its file, line and column, with errors that point at the text.

It is xDSL's parser, with what that one lacks: locations, hexadecimal floats in dense attributes (NaN and infinity),
location aliases at the end of a file, the resource blocks of reproducers, and empty files.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    FloatAttr,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    TensorType,
    UnknownLoc,
    UnregisteredOp,
    VectorType,
    f64,
    i64,
)
from xdsl.ir import AttributeInvT, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.parser import AttrParser, Parser, ParserState, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser  # noqa: TID251 - xdsl.parser does not have it.
from xdsl.utils.exceptions import MultipleSpansParseError, ParseError, VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from hologram.dialects import mlir_advice
from hologram.dialects.custom import custom_syntax
from hologram.dialects.custom.inherent import keep
from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import Syntax
from hologram.dialects.shapes import has_many_copies
from hologram.errors import HologramError, InputError, Where, did_you_mean, nearest, register_source
from hologram.errors.limits import LARGEST_SIZE, WIDEST_INTEGER, check_dense, check_text, limit, raised
from hologram.support import forks
from hologram.support.recursion import deep_recursion

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import AnyTensorType, AnyUnrankedTensorType, AnyVectorType, UnrankedMemRefType
    from xdsl.ir import Attribute, TypeAttribute

_ONE_AT_A_TIME = forks.rlock()
"""Operations with implicit terminators use a builder of xDSL that changes `Operation` for all threads, for a moment."""
_AS_IMPORTED: Any = Operation.__post_init__
forks.after_in_child(lambda: setattr(Operation, "__post_init__", _AS_IMPORTED))
INTEGER_COMPARISONS = "eq ne slt sle sgt sge ult ule ugt uge".split()
FLOAT_COMPARISONS = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
_DIALECTS = "arith func scf memref vector cf math tensor gpu hologram atlas llvm builtin".split()
"""Those that an operation may be of whose own is left out or mistaken, the likeliest first."""
_EMPTY_BODY = re.compile(r"(?<!attributes)\s*\{(?:\s|//.*)*\}(?:\s|//.*)*$")
_SPLAT = re.compile(r'<\s*(?:"0x(?P<digits>[0-9A-Fa-f]+)"|[^\s\[">])')
"""How a dense literal of one element that stands everywhere begins, or a blob, which may be such an element."""
_OPENS = {"}": "{", ")": "(", "]": "["}
_LOCATION_ALIAS = re.compile(r"^#\w+\s*=\s*loc\(", re.MULTILINE)


def parse_module(text: str, name: str, ctx: Context, *, implicit_module: bool = True) -> ModuleOp:
    """Parses `text`, which errors and locations call `name`. A text without operations is an empty module."""
    return MlirParser(ctx, text, name).parse(implicit_module)


def float_bits(bits: int, type: AnyFloat) -> float:
    """The float of `type` with this bit pattern."""
    return next(type.iter_unpack(bits.to_bytes(type.compile_time_size, "little")))


def rounded(value: float, type: AnyFloat) -> float:
    """`value`, or the infinity that a number too large for `type` rounds to."""
    try:
        type.pack((value,))
    except OverflowError:
        return math.copysign(math.inf, value)
    return value


def check_range(parser: AttrParser, value: int, type: IntegerType, span: Span) -> None:
    """Refuses a number that an integer type has not."""
    least, most = type.value_range()
    if not least <= value < most:
        parser.raise_error(f"{value} is no number of {type}, which go from {least} to {most - 1}", span)


def check_bits(parser: AttrParser, bits: int, type: AnyFloat, span: Span) -> None:
    """Refuses a bit pattern that a float type has not."""
    if bits < 0 or bits >> 8 * type.compile_time_size:
        parser.raise_error(f"{span.text} has other bits than {type}", span)


_TIMES = {
    "*": AffineBinaryOpKind.Mul,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}
"""The operators one side of which has no dimension."""


class _Custom:
    """An operation class to xDSL's parser, which asks it for its dialect and to parse: by our table of syntaxes."""

    def __init__(self, op_class: type[Operation], syntax: Syntax | Form):
        self.dialect_name = op_class.dialect_name
        self.parse = partial(syntax.parse, op_class) if isinstance(syntax, Form) else syntax.parse

    @classmethod
    def of(cls, op_class: type[Operation]) -> type[Operation]:
        """What stands for a class: the class itself where its own syntax is upstream's."""
        syntax = custom_syntax(op_class.name)
        return op_class if syntax is None else cast("type[Operation]", cls(op_class, syntax))


class _Affine(AffineParser):
    """Reads affine expressions, and those that are so for each value of the symbols: `d0 * s0`, `d0 mod s0`."""

    def _create_binop_expr(self, lhs: AffineExpr, rhs: AffineExpr, binop: Token[MLIRTokenKind]) -> AffineExpr:
        kind = _TIMES.get(binop.text)
        is_product = kind is AffineBinaryOpKind.Mul and isinstance(lhs, AffineConstantExpr)
        if kind is None or is_product or isinstance(rhs, AffineConstantExpr):
            return super()._create_binop_expr(lhs, rhs, binop)
        if not _is_symbolic(rhs):
            if kind is not AffineBinaryOpKind.Mul or not _is_symbolic(lhs):
                self.raise_error(f"one side of '{binop.text}' is made of symbols and numbers alone", binop.span)
            lhs, rhs = rhs, lhs
        return AffineBinaryOpExpr(kind, lhs, rhs)


def _is_symbolic(expr: AffineExpr) -> bool:
    """Return whether an expression has no dimension."""
    if isinstance(expr, AffineBinaryOpExpr):
        return _is_symbolic(expr.lhs) and _is_symbolic(expr.rhs)
    return not isinstance(expr, AffineDimExpr)


class _Indices(_Affine):
    """Reads `[%i + 1, symbol(%n)]`: values are the dimensions of a map, and its symbols where they are called so."""

    def parse(self) -> tuple[AffineMap, Sequence[Span]]:
        """The map, and the names of its dimensions, then those of its symbols."""
        results = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._result)
        return self._map(results), [*self._dims.values(), *self._symbols.values()]

    def parse_groups(self, choice: str) -> tuple[AffineMap, Sequence[Span], list[int]]:
        """The map of `(0, max(%i, 4))`, the names as `parse` has them, and how many results each bound has."""

        def bound() -> list[AffineExpr]:
            if self.parse_optional_keyword(choice) is not None:
                return self.parse_comma_separated_list(self.Delimiter.PAREN, self._result)
            return [self._result()]

        bounds = self.parse_comma_separated_list(self.Delimiter.PAREN, bound)
        map = self._map([result for some in bounds for result in some])
        return map, [*self._dims.values(), *self._symbols.values()], [len(some) for some in bounds]

    def __init__(self, state: ParserState[MLIRTokenKind]):
        super().__init__(state)
        self._dims: dict[str, Span] = {}
        self._symbols: dict[str, Span] = {}

    def _map(self, results: Sequence[AffineExpr]) -> AffineMap:
        return AffineMap(len(self._dims), len(self._symbols), tuple(results))

    def _result(self) -> AffineExpr:
        return self._parse_affine_expr(self._value)

    def _value(self) -> AffineExpr | None:
        if self.parse_optional_keyword("symbol") is not None:
            with self.in_parens():
                name = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "a value was expected here").span
            self._symbols.setdefault(name.text, name)
            return AffineExpr.symbol([*self._symbols].index(name.text))
        token = self._parse_optional_token(MLIRTokenKind.PERCENT_IDENT)
        if token is None:
            return None
        self._dims.setdefault(token.span.text, token.span)
        return AffineExpr.dimension([*self._dims].index(token.span.text))


class MlirLexer(MLIRLexer):
    """xDSL's lexer, but a string that is not closed is refused at once: its own pattern tries every way to split it."""

    _closed = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"')

    def _lex_string_literal(self, start_pos: int) -> Token[MLIRTokenKind]:
        text = self.input.content
        if self._closed.match(text, start_pos) is None:
            end = text.find("\n", start_pos)
            span = Span(start_pos, len(text) if end < 0 else end, self.input)
            raise ParseError(span, "this string is not closed, or holds an escape that is not known")
        return super()._lex_string_literal(start_pos)


class _Aliases(dict[str, Any]):
    """The aliases of a text. It counts how many would be there if each alias were written out."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.uses = 0

    def __getitem__(self, name: str) -> Any:
        self.uses += self.sizes.get(name, 1)
        return super().__getitem__(name)


class MlirParser(Parser):
    """The parser of one text. After `parse`, `reproducer` holds what a reproducer block of the text said."""

    reproducer: dict[str, str | bool]

    @dataclass
    class _TensorLiteralElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
        """An element of a dense literal, whose hexadecimal form is the bit pattern of a float."""

        def to_type(
            self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
        ) -> bool | int | float | tuple[int, int] | tuple[float, float]:
            if not isinstance(type, AnyFloat) or isinstance(self.value, tuple):
                value = super().to_type(parser, type)
                if isinstance(type, IntegerType) and isinstance(value, int):
                    check_range(parser, value, type, self.span)
                return value
            if self.span.text[:2] in ("0x", "0X"):
                check_bits(parser, int(self.value), type, self.span)
                return float_bits(int(self.value), type)
            return rounded(self.to_float(parser), type)

    def __init__(self, ctx: Context, text: str, name: str):
        register_source(name, text)
        check_text(text, name)
        self.text = text
        self.reproducer = {}
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._file = StringAttr(name)
        self._early_aliases: set[int] = set()
        self._open: list[int] = []
        """Where the operations begin that are being read, the innermost last."""
        self._first_uses: dict[str, tuple[int, int]] = {}
        self._placeholders: list[tuple[SSAValue, SSAValue]] = []
        """Values used before their definition, and what they turned out to be."""
        self._name = name
        self._constant_bytes = 0
        self._literal: re.Match[str] | None = None
        """The dense literal that is being read, if it may be one element that stands everywhere."""
        self._splat: Any = None
        """The type of this literal, if it is."""
        with self._errors_placed():
            AttrParser.__init__(self, ParserState(MlirLexer(Input(text, name))), ctx)
            self._aliases = self.attribute_aliases = _Aliases()
        self.ssa_values = {}
        self.blocks = {}
        self.forward_block_references = defaultdict(list)
        self.forward_ssa_references = {}

    # Places

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def where(self, start: int, end: int) -> Where:
        """The place of the characters from `start` to `end`."""
        return Where(self._name, *self.line_column(start), width=max(1, end - start))

    def location(self, offset: int) -> FileLineColLoc:
        """The location attribute of a character offset."""
        line, column = self.line_column(offset)
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    @contextmanager
    def _errors_placed(self) -> Generator[None]:
        """Turns whatever goes wrong while reading into one error at the place being read."""
        try:
            yield
        except HologramError as error:
            # The next token, if it stands on another line, is not at fault.
            start = self._parser_state.current_token.span.start if hasattr(self, "_parser_state") else 0
            begins = not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip()
            error.where = error.where or (self._operation() if begins else self._here())
            raise
        except ParseError as error:
            raise self._syntax_error(error) from None
        except VerifyException as error:
            raise self._invalid(" ".join(str(error).split())) from None
        except RecursionError:
            raise InputError(
                "parse-too-deep",
                "this is nested too deeply to be read",
                hint="regions may be nested a few hundred levels deep; flatten them or outline the inner ones",
                where=self._operation(),
            ) from None
        except (ImportError, NameError, SyntaxError):
            raise  # Ours to answer for, not the text's.
        except Exception as error:
            reason = " ".join(str(error).split()) or "this kind of value is not implemented"
            raise InputError("parse-refused", f"this can't be read: {reason}", where=self._operation()) from error

    def _invalid(self, message: str) -> InputError:
        """The error of an operation that could not be made of what was read."""
        where, hint = self._operation(), None
        match = re.fullmatch(r"Unknown comparison mnemonic: (\w+)", message)
        if match is not None and self._open:
            word, start = match[1], self._open[-1]
            at = self.text.find(word, start)
            known = INTEGER_COMPARISONS if "cmpi" in self.text[start:at] else FLOAT_COMPARISONS
            hint = did_you_mean(word, known) or f"there are {', '.join(known)}"
            message, where = f"there is no comparison '{word}'", self.where(at, at + len(word))
        elif (match := re.fullmatch(r"Unexpected attribute (.+)", message)) is not None and self._open:
            return self._other_type(match[1])
        return InputError("parse-invalid", mlir_advice.verdict(message), hint=hint, where=where)

    def _other_type(self, given: str) -> InputError:
        """The error of an operation that is not defined on a type, which stands last in its line."""
        start = self._open[-1]
        line = self.text[start : self.text.find("\n", start) % (len(self.text) + 1)]
        name = mlir_advice.operation_in(line) or "this"
        at = line.rfind(given)
        near = mlir_advice.counterpart(name, given, lambda other: self._known_op(other) is not None)
        hint = near or self._form_hint(start + len(line))
        where = self.where(start + at, start + at + len(given)) if at >= 0 else self._operation()
        return InputError("parse-type", f"'{name}' is not defined on {given}", hint=hint, where=where)

    def _known_op(self, name: str) -> type[Operation] | None:
        op = self.ctx.get_optional_op(name)
        return None if op is None or issubclass(op, UnregisteredOp) else op

    def _form_hint(self, start: int) -> str | None:
        """How the operation that is written before a place is written: by the example in its docstring."""
        name = mlir_advice.operation_in(self.text[self.text.rfind("\n", 0, start) + 1 : start])
        op = self._known_op(name) if name else None
        lines = ((op and op.__doc__) or "").partition("Example::")[2].splitlines()
        example = next((line.strip() for line in lines if f"{name} " in line), None)
        return f"'{name}' is written {example}" if example else None

    def _operation(self) -> Where | None:
        """The place of the operation that is being read, for errors of which nobody says where exactly they are."""
        if not self._open:
            return self._here()
        start = self._open[-1]
        end = self.text.find("\n", start)
        return self.where(start, len(self.text) if end < 0 else end)

    def _here(self) -> Where | None:
        state = getattr(self, "_parser_state", None)
        if state is None:
            return Where(self._name, 1, 1)
        span = state.current_token.span
        return self.where(min(span.start, len(self.text)), min(span.end, len(self.text)))

    def _syntax_error(self, error: ParseError) -> InputError:
        hint = None
        if isinstance(error, MultipleSpansParseError) and error.refs:
            places = ", ".join(str(self.where(s.start, s.end).line) for s, _ in error.refs)
            hint = f"{(error.ref_text or 'see').strip().rstrip(':')}: line {places}"
        span = error.span
        if isinstance(error, MultipleSpansParseError) and error.refs and "missing block" in error.msg:
            span, hint = error.refs[0][0], None
        text, start = self.text, span.start
        at, end = mlir_advice.place(text, start, span.end, error.msg)
        hint = hint or self._name_hint(error.msg, start) or mlir_advice.advice(text, start, error.msg)
        if hint is None and "is used with type" not in error.msg:
            hint = self._form_hint(start)
        message = mlir_advice.sentence(text, start, at, error.msg)
        return InputError("parse-syntax", message, hint=hint, where=self.where(at, end))

    def _name_hint(self, message: str, start: int) -> str | None:
        """Where a name is defined already, or the near name of a type or attribute."""
        if match := re.match(r"SSA value %(\S+) is already", message):
            first = re.search(rf"%{re.escape(match[1])}\b", self.text)
            line = 0 if first is None else self.line_column(first.start())[0]
            return f"the first is at line {line}; a name stands for one value in a function"
        if match := re.fullmatch(r"'(\w+)\.(\S+)' is not registered.*", message.strip("!")):
            dialect, name = match.groups()
            if dialect not in self.ctx.registered_dialect_names:
                near = nearest(dialect, self.ctx.registered_dialect_names)
                return f"did you mean '{near}.{name}'?" if near else "hologram-opt --list-dialects lists dialects"
            return did_you_mean(f"{dialect}.{name}", [a.name for a in self.ctx.get_dialect(dialect).attributes])
        return None

    # The module

    def parse(self, implicit_module: bool = True) -> ModuleOp:
        """Parses the whole text into one module."""
        with _ONE_AT_A_TIME, deep_recursion(), self._errors_placed():
            self._parse_early_aliases()
            operations = self._parse_top_level()
            self._check_definitions()
            self._resolve_late_users()
            return self._as_module(operations, implicit_module)

    def _parse_top_level(self) -> list[Operation]:
        operations: list[Operation] = []
        while (kind := self._current_token.kind) is not MLIRTokenKind.EOF:
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (operation := self.parse_optional_operation()) is not None:
                operations.append(operation)
            else:
                text = self._current_token.text
                hint = (
                    mlir_advice.other_language(self.text, self.pos)
                    or mlir_advice.advice(self.text, self.pos, "")
                    or self._closing_hint(text)
                )
                message = f"an operation was expected here, not '{text}'"
                raise InputError("parse-no-operation", message, hint=hint, where=self._here())
        return operations

    def _closing_hint(self, text: str) -> str | None:
        if text not in _OPENS:
            return None
        return f"it closes nothing: what was opened before it is closed, or its '{_OPENS[text]}' is missing"

    def _as_module(self, operations: list[Operation], implicit_module: bool) -> ModuleOp:
        if len(operations) == 1 and isinstance(operations[0], ModuleOp):
            return operations[0]
        if not implicit_module:
            raise InputError(
                "parse-no-module",
                f"one builtin.module was expected, not {len(operations)} other operations",
                hint="wrap the text in 'builtin.module { ... }', or leave out --no-implicit-module",
                where=Where(self._name, 1, 1),
            )
        module = ModuleOp(operations)
        module.location = operations[0].location if operations else self.location(0)
        return module

    def _check_definitions(self) -> None:
        for name in self.forward_ssa_references:
            start, end = self._first_uses[name]
            pattern = rf"%{re.escape(name)}(?::\d+)?(?:\s*,[^=\n]*)?\s*=|[@^][^\n{{]*[(,]\s*(?=%{re.escape(name)}\s*:)"
            match = re.search(pattern, self.text)
            known = set(re.findall(r"%([\w.$-]+)(?::\d+)?(?=\s*[=:,])", self.text[:start])) - {name}
            near = nearest(name, sorted(known)) if len(name) > 2 else None
            line = self.line_column(match.start())[0] if match else 0
            raise InputError(
                "parse-undefined-value",
                f"%{name} is used but not defined in a region around this",
                hint=f"the %{name} of line {line} can't be seen from here"
                if match
                else near and f"did you mean '%{near}'?",
                where=self.where(start, end),
            )

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        early = self.forward_ssa_references.get(name, {})
        super()._register_ssa_definition(name, values, span)
        self._placeholders += [(placeholder, values[index]) for index, placeholder in early.items()]

    def _resolve_late_users(self) -> None:
        """An operation whose own region defines a name that it also uses is made after the definition is seen."""
        for placeholder, value in self._placeholders:
            placeholder.replace_all_uses_with(value)

    def resolve_operand(self, operand: UnresolvedOperand, type: AttributeInvT) -> SSAValue[AttributeInvT]:
        name = operand.operand_name
        if name not in self.ssa_values and name not in self.forward_ssa_references:
            self._first_uses[name] = (operand.span.start, operand.span.end)
        return super().resolve_operand(operand, type)

    def parse_dimension_list(self) -> list[int]:
        sizes: list[int] = []
        while self._current_token.kind in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
            sizes.append(self.parse_shape_dimension())
            start = self._current_token.span.start
            if self._parse_optional_shape_delimiter() is None:
                return sizes
            if self._current_token.kind not in (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION):
                # The last 'x' stands before a type. xDSL goes back one character, which is a space in `4 x f32`.
                self._resume_from(start)
                break
        return sizes

    def parse_affine_map_of_ssa_ids(self) -> tuple[AffineMap, Sequence[SSAValue[IndexType]]]:
        map, names = _Indices(self._parser_state).parse()
        return map, self._indices(names)

    def parse_affine_bounds(self, choice: str) -> tuple[AffineMap, Sequence[SSAValue[IndexType]], list[int]]:
        """Parses `(0, max(%i, 4))` with some word for the choice: a map, its operands, the results of each bound."""
        map, names, counts = _Indices(self._parser_state).parse_groups(choice)
        return map, self._indices(names), counts

    def _indices(self, names: Sequence[Span]) -> Sequence[SSAValue[IndexType]]:
        return [self.resolve_operand(UnresolvedOperand(name, 0), IndexType()) for name in names]

    def _parse_location(self) -> LocationAttr:
        if self.parse_optional_keyword("fused") is None:
            return super()._parse_location()
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        parts = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
        return FusedLoc(tuple(parts), metadata)

    def _parse_early_aliases(self) -> None:
        """Reads the location aliases first: mlir-opt prints them at the end of the file, after their uses."""
        if "loc(#" not in self.text:
            return
        waiting = [match.start() for match in _LOCATION_ALIAS.finditer(self.text)]
        while waiting:
            read = [offset for offset in waiting if self._reads_alias(offset)]
            if not read:
                break
            self._early_aliases.update(read)
            waiting = [offset for offset in waiting if offset not in read]
        self._resume_from(0)

    def _reads_alias(self, offset: int) -> bool:
        self._resume_from(offset)
        try:
            super()._parse_alias_def()
        except ParseError:
            return False
        return True

    def _parse_alias_def(self) -> None:
        start, name = self.pos, self._current_token.text
        aliases, uses = self._aliases, self._aliases.uses
        known = aliases.pop(name) if start in self._early_aliases else None
        super()._parse_alias_def()
        if known is not None:
            aliases[name] = known
        aliases.sizes[name] = aliases.uses - uses + 1
        # Nothing that a text names twice is copied, but it is printed, compared and hashed each time.
        if aliases.sizes[name] > (most := limit("operations")):
            end = start + len(name)
            raise InputError(
                "limit-aliases",
                f"{name} stands for {aliases.sizes[name]} aliases within one another, and the limit is {most}",
                hint=raised("operations"),
                where=self.where(start, end),
            )

    # Operations

    def _parse_block(self) -> Block:
        if self._current_token.kind is not MLIRTokenKind.CARET_IDENT:
            self.raise_error("an operation, a block '^name' or '}' was expected here")
        name = self._current_token.text[1:]
        if name in self.blocks and self.blocks[name][1] is None and name not in self.forward_block_references:
            self.raise_error(f"re-declaration of block '{name}'")
        return super()._parse_block()

    def parse_operation(self) -> Operation:
        start = self._current_token.span.start
        self._open.append(start)
        op = super().parse_operation()
        self._open.pop()
        if op.name == "func.func" and not op.regions[0].blocks and _EMPTY_BODY.search(self.text[start : self.pos]):
            hint = "end it with func.return, or leave out the braces: then it is declared alone"
            where = self.where(start, start + len(op.name))
            raise InputError("parse-empty-body", "a function's body is empty", hint=hint, where=where)
        if isinstance(op.location, UnknownLoc):
            op.location = self.location(start)
        return op

    def _parse_generic_operation(self, op_type: type[Operation]) -> Operation:
        return keep(super()._parse_generic_operation(op_type))

    @property
    def names_results(self) -> bool:
        """Return whether the operation that is being read begins with names of its results."""
        return self.text[self._open[-1]] == "%"

    def _get_op_by_name(self, name: str) -> type[Operation]:
        stack = self._parser_state.dialect_stack
        start = self.text.rfind(name, 0, self._current_token.span.start)
        is_generic = self.text[start - 1 : start] == '"'
        op_class = self.ctx.get_optional_op(name, dialect_stack=stack)
        if op_class is not None and (is_generic or not issubclass(op_class, UnregisteredOp)):
            return op_class if is_generic else _Custom.of(op_class)
        where = self.where(start, start + len(name)) if start >= 0 else self._here()
        dialect = name.partition(".")[0]
        known = None if "." in name or start < 0 else mlir_advice.unknown_word(self.text, start, name)
        if known is not None:
            message, hint = known
        elif "." in name and dialect in self.ctx.registered_dialect_names:
            message, hint = f"there is no operation '{name}' in dialect '{dialect}'", self._nearest_op(name)
        elif "." in name:
            message = f"'{name}' belongs to no dialect that is known here"
            near = nearest(dialect, self.ctx.registered_dialect_names)
            meant = f"{near}{name[len(dialect) :]}"
            meant = meant.lower() if self._is_known(meant.lower()) else meant
            hint = f"did you mean '{meant}'?" if near else self._unknown_hint(start)
        else:
            message, hint = f"there is no operation '{name}'", self._nearest_op(f"{stack[-1]}.{name}")
        hint = mlir_advice.other_language(self.text, start) or hint
        raise InputError("parse-unknown-operation", message, hint=hint, where=where)

    def _nearest_op(self, name: str) -> str:
        """A hint at an operation of the dialect by a near name, or of another dialect by the same one."""
        plugin = name.split(".")[1:-1]
        if plugin and not any(op.startswith(name.rpartition(".")[0]) for op in self.ctx._loaded_ops):  # pyright: ignore[reportPrivateUsage]
            return f"it may be of a plug-in '{plugin[0]}': --load-plugin loads one"
        dialect, _, own = name.partition(".")
        known = self.ctx.get_optional_dialect(dialect)
        near = did_you_mean(name, (op.name for op in known.operations)) if known else None
        others = (f"{other}.{own}" for other in _DIALECTS if other != dialect)
        same = next((other for other in others if own and self._is_known(other)), None)
        if same is not None:
            return f"did you mean '{same}'?"
        return near or "hologram-opt --list-dialects --json lists all operations"

    def _is_known(self, name: str) -> bool:
        op = self.ctx.get_optional_op(name)
        return op is not None and not issubclass(op, UnregisteredOp)

    def _unknown_hint(self, start: int) -> str:
        if self.text[start - 1 : start] == '"':
            return "--allow-unregistered-dialect reads unknown operations in generic form"
        return "hologram-opt --list-dialects lists the dialects"

    # Types

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        span = self._current_token.span
        type = super()._parse_optional_integer_or_float_type()
        if isa(type, IntegerType) and type.width.data > WIDEST_INTEGER:
            self.raise_error(f"'{span.text}' has more than {WIDEST_INTEGER} bits", span)
        return type

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        span = self._current_token.span
        size = super().parse_shape_dimension(allow_dynamic)
        if size > LARGEST_SIZE:
            self.raise_error("a size is less than 2^63", span)
        return size

    def _parse_vector_attrs(self) -> AnyVectorType:
        start = self.pos
        type = super()._parse_vector_attrs()
        if isinstance(element := type.element_type, VectorType | TensorType | MemRefType):
            self.raise_error(f"a vector has no elements of {cast('Attribute', element)}", start, self.pos)
        if 0 in type.get_shape():
            self.raise_error("a vector has sizes of 1 or more", start, self.pos)
        return type

    def _parse_tensor_attrs(self) -> AnyTensorType | AnyUnrankedTensorType:
        start = self.pos
        type = super()._parse_tensor_attrs()
        if isinstance(element := type.element_type, TensorType | MemRefType):
            self.raise_error(f"a tensor has no elements of {cast('Attribute', element)}", start, self.pos)
        return type

    def _parse_memref_attrs(self) -> MemRefType | UnrankedMemRefType:
        start = self.pos
        type = super()._parse_memref_attrs()
        if isinstance(element := type.element_type, TensorType):
            self.raise_error(f"a memref has no elements of {cast('Attribute', element)}", start, self.pos)
        if isinstance(type, MemRefType):
            rank, layout = len(type.get_shape()), type.layout
            of = layout.data.num_dims if isinstance(layout, AffineMapAttr) else rank
            of = len(layout.strides) if isinstance(layout, StridedLayoutAttr) else of
            if of != rank:
                self.raise_error(f"the layout is of rank {of}, and the memref of rank {rank}", start, self.pos)
        return type

    # Affine maps

    def parse_affine_map(self) -> AffineMap:
        return _Affine(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        return _Affine(self._parser_state).parse_affine_set()

    # Dense literals

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> Any:
        """Parse a literal as xDSL does, but what is wrong with it as a whole is said of it, not of what follows it."""
        start = self.pos
        self._literal = _SPLAT.match(self.text, start)
        self._splat = None
        try:
            value = super().parse_dense_int_or_fp_elements_attr(type and self._as_read(type, self._here()))
            return value if self._splat is None else DenseIntOrFPElementsAttr(self._splat, value.data)
        except ParseError as error:
            end = self.text.find(">", start) + 1
            if not 0 < end < error.span.start or error.msg.startswith("Expected ':'"):
                raise
            raise InputError(
                "parse-dense", mlir_advice.dense(error.msg), where=self.where(start - len("dense"), end)
            ) from None

    def _parse_dense_literal_type(self) -> Any:
        where = self._here()
        return self._as_read(super()._parse_dense_literal_type(), where)

    def _as_read(self, type: Any, where: Where | None) -> Any:
        """The type that a literal of some type is read as: many equal elements, which xDSL would write out, as one."""
        element = getattr(type, "element_type", None)
        if isinstance(element, IntegerType) and element.bitwidth > 64:
            message = f"dense constants have integers of up to 64 bits, found {element}"
            hint = "store elements that arith.constant gives one by one, or fill the array with one of them"
            raise InputError("dense-integer-bits", message, hint=hint, where=where)
        if self._literal is not None and has_many_copies(type):
            digits = self._literal["digits"]
            if digits is None or len(digits) == 2 * type.element_type.compile_time_size:
                self._splat = type
                return TensorType(type.element_type, [1])
        self._constant_bytes = check_dense(type, self._constant_bytes, where)
        return type

    # Floats

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr[Any] | FloatAttr[Any] | None:
        """Parse a number as xDSL does, but one too large for its float type rounds to infinity instead of breaking."""
        if (boolean := self.try_parse_builtin_boolean_attr()) is not None:
            return cast("IntegerAttr[Any]", boolean)
        hexadecimal = self._current_token.text[:2] in ("0x", "0X")
        start = self.pos
        if (value := self.parse_optional_number()) is None:
            return None
        span = Span(
            start, start + len(self.text[start : self.pos].split(":")[0].rstrip()), self._current_token.span.input
        )
        if self._current_token.kind is not MLIRTokenKind.COLON:
            return FloatAttr(value, f64) if isinstance(value, float) else IntegerAttr(value, i64)
        type_at = self.pos
        type = self._parse_attribute_type()
        if isinstance(type, AnyFloat):
            bits = hexadecimal and isinstance(value, int)
            if bits:
                check_bits(self, int(value), type, span)
            return FloatAttr(float_bits(int(value), type) if bits else rounded(float(value), type), type)
        if not isa(type, IntegerType | IndexType):
            at = type_at + self.text[type_at : self.pos].find(str(type)[:1])
            self.raise_error(
                f"a number is no {type}, but of an integer, index or float type",
                Span(at, at + len(str(type)), span.input),
            )
        if isinstance(value, float):
            self.raise_error(f"{value} is no number of {type}, which are whole", span)
        if isinstance(type, IntegerType):
            check_range(self, value, type, span)
        return IntegerAttr(value, type)

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase[Any] | None:
        """Parse a dense array as xDSL does, and with hexadecimal floats."""
        start = self.pos
        self.parse_characters("<", " in dense array")
        type = self.parse_attribute()
        if not isinstance(type, AnyFloat):
            self._resume_from(start)
            return cast("DenseArrayBase[Any] | None", super()._parse_builtin_densearray_attr())
        if self.parse_optional_punctuation(">"):
            return cast("DenseArrayBase[Any]", DenseArrayBase.from_list(type, []))
        self.parse_characters(":", " in dense array")
        values = self.parse_comma_separated_list(self.Delimiter.NONE, lambda: self._parse_float_of(type))
        self.parse_characters(">", " in dense array")
        return cast("DenseArrayBase[Any]", DenseArrayBase.from_list(type, values))

    def _parse_float_of(self, type: AnyFloat) -> float:
        span = self._current_token.span
        hexadecimal = span.text[:2] in ("0x", "0X")
        value = self.parse_number()
        if hexadecimal:
            check_bits(self, int(value), type, span)
        return float_bits(int(value), type) if hexadecimal else rounded(float(value), type)

    # Resources

    def _parse_external_resources(self) -> None:
        """Reads the `mlir_reproducer` resource of a reproducer; other external resources are read over."""
        self.parse_comma_separated_list(self.Delimiter.BRACES, self._parse_external_resource)

    def _parse_external_resource(self) -> None:
        owner = self.parse_identifier()
        self.parse_punctuation(":")
        entries = self.parse_comma_separated_list(self.Delimiter.BRACES, self._parse_resource_entry)
        if owner == "mlir_reproducer":
            self.reproducer.update(entries)

    def _parse_resource_entry(self) -> tuple[str, str | bool]:
        key = self.parse_identifier()
        self.parse_punctuation(":")
        text = self.parse_optional_str_literal()
        return key, text if text is not None else self.parse_boolean()
