"""The attributes of the llvm dialect that xDSL lacks, in upstream's syntax: calling conventions, memory effects, loop
annotations, access groups and alias scopes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.llvm.enums import CALLING_CONVENTIONS
from hologram.errors import VerifyError, did_you_mean, parse_error


@irdl_attr_definition
class CallingConventionAttr(ParametrizedAttribute):
    """`#llvm.cconv<ptx_kernelcc>`: a calling convention by upstream's name."""

    name = "llvm.cconv"

    convention: StringAttr = param_def(converter=StringAttr.get)

    def verify(self) -> None:
        name = self.convention.data
        if name not in CALLING_CONVENTIONS:
            hint = did_you_mean(name, CALLING_CONVENTIONS)
            raise VerifyError("llvm-calling-convention", f"there is no calling convention '{name}'", hint=hint)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.convention.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (StringAttr(parser.parse_identifier(" for a calling convention")),)


@irdl_attr_definition
class MemoryEffectsAttr(ParametrizedAttribute):
    """`#llvm.memory_effects<other = none, argMem = readwrite, ...>`: what a function may do to each kind of memory."""

    name = "llvm.memory_effects"

    KINDS: ClassVar = ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1")
    ACCESSES: ClassVar = ("none", "read", "write", "readwrite")

    accesses: ArrayAttr[StringAttr]
    """One of ACCESSES for each of KINDS."""

    def __init__(self, accesses: ArrayAttr[StringAttr] | None = None, **kinds: str):
        """`MemoryEffectsAttr(argMem="read")`; kinds not named get `none`."""
        if accesses is None:
            accesses = ArrayAttr([StringAttr(kinds.get(kind, "none")) for kind in self.KINDS])
        super().__init__(accesses)

    def by_kind(self) -> dict[str, str]:
        return {kind: access.data for kind, access in zip(self.KINDS, self.accesses.data, strict=True)}

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(", ".join(f"{kind} = {access}" for kind, access in self.by_kind().items()))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def entry() -> tuple[str, str]:
            kind = parser.parse_keyword_in(cls.KINDS)
            parser.parse_punctuation("=")
            return kind, parser.parse_keyword_in(cls.ACCESSES)

        accesses = dict(parser.parse_comma_separated_list(parser.Delimiter.ANGLE, entry))
        return (ArrayAttr([StringAttr(accesses.get(kind, "none")) for kind in cls.KINDS]),)


@irdl_attr_definition
class DistinctAttr(ParametrizedAttribute):
    """`distinct[0]<>`, an identity. It occurs only inside the attributes below."""

    name = "llvm.distinct"

    number: IntAttr = param_def(converter=IntAttr.get)


@dataclass(frozen=True, init=False)
class FieldsAttr(ParametrizedAttribute):
    """An attribute of named fields, printed as `#llvm.name<field = value, ...>`."""

    FIELDS: ClassVar[Mapping[str, type[FieldsAttr] | None]]
    """The fields in order, with the class of one whose name upstream leaves out of `field = <...>`."""
    LIST: ClassVar[str | None] = None
    """The last field, where it holds all that follows."""

    fields: DictionaryAttr

    def __init__(self, fields: DictionaryAttr | Mapping[str, Attribute]):
        """Fields are given by name; those not given are absent."""
        super().__init__(fields if isinstance(fields, DictionaryAttr) else DictionaryAttr(fields))

    def get(self, field: str) -> Attribute | None:
        return self.fields.data.get(field)

    def print_parameters(self, printer: Printer) -> None:
        present = [(name, value) for name in self.FIELDS if (value := self.get(name)) is not None]
        with printer.in_angle_brackets():
            printer.print_list(present, lambda item: self._print_field(printer, *item))

    def _print_field(self, printer: Printer, name: str, value: Attribute) -> None:
        printer.print_string(f"{name} = ")
        if isinstance(value, DistinctAttr):
            printer.print_string(f"distinct[{value.number.data}]<>")
        elif name == self.LIST and isinstance(value, ArrayAttr):
            printer.print_list(cast("ArrayAttr[Attribute]", value).data, printer.print_attribute)
        else:
            printer.print_attribute(value)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        fields: dict[str, Attribute] = {}
        with parser.in_angle_brackets():
            while not fields or parser.parse_optional_punctuation(","):
                name = parser.parse_identifier(" for a field")
                if name not in cls.FIELDS:
                    hint = did_you_mean(name, cls.FIELDS)
                    parse_error(parser, "llvm-attribute-field", f"#{cls.name} has no field '{name}'", hint=hint)
                parser.parse_punctuation("=")
                fields[name] = cls._parse_field(parser, name)
        return (DictionaryAttr(fields),)

    @classmethod
    def _parse_field(cls, parser: AttrParser, name: str) -> Attribute:
        if name == cls.LIST:
            items = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_attribute, parser.parse_attribute
            )
            return ArrayAttr(items or ())
        if parser.parse_optional_keyword("distinct"):
            parser.parse_punctuation("[")
            number = parser.parse_integer(allow_boolean=False, allow_negative=False)
            for token in ("]", "<", ">"):
                parser.parse_punctuation(token)
            return DistinctAttr(number)
        nested = cls.FIELDS[name]
        if nested is None:
            return parser.parse_attribute()
        value = parser.parse_optional_attribute()
        return nested.new(nested.parse_parameters(parser)) if value is None else value


def _fields(name: str, meaning: str, fields: Sequence[str]) -> type[FieldsAttr]:
    """Make the attribute of a row of the tables below."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    members: dict[str, object] = {
        "__doc__": meaning,
        "__module__": __name__,
        "name": f"llvm.{name}",
        "FIELDS": dict.fromkeys(fields),
    }
    return irdl_attr_definition(type(f"{camel}Attr", (FieldsAttr,), members))


LoopVectorizeAttr = _fields(
    "loop_vectorize",
    "The vectorisation of the loop.",
    ("disable", "predicateEnable", "scalableEnable", "width", "followupVectorized", "followupEpilogue", "followupAll"),
)
LoopInterleaveAttr = _fields("loop_interleave", "The number of iterations that are interleaved.", ("count",))
LoopUnrollAttr = _fields(
    "loop_unroll",
    "The unrolling of the loop.",
    ("disable", "count", "runtimeDisable", "full", "followupUnrolled", "followupRemainder", "followupAll"),
)
LoopUnrollAndJamAttr = _fields(
    "loop_unroll_and_jam",
    "The unrolling of the loop with its inner loops joined.",
    (
        "disable",
        "count",
        "followupOuter",
        "followupInner",
        "followupRemainderOuter",
        "followupRemainderInner",
        "followupAll",
    ),
)
LoopLicmAttr = _fields("loop_licm", "The motion of invariants out of the loop.", ("disable", "versioningDisable"))
LoopDistributeAttr = _fields(
    "loop_distribute",
    "The splitting of the loop.",
    ("disable", "followupCoincident", "followupSequential", "followupFallback", "followupAll"),
)
LoopPipelineAttr = _fields("loop_pipeline", "The pipelining of the loop.", ("disable", "initiationinterval"))
LoopPeeledAttr = _fields("loop_peeled", "The number of iterations that were peeled.", ("count",))
LoopUnswitchAttr = _fields("loop_unswitch", "The partial unswitching of the loop.", ("partialDisable",))

AccessGroupAttr = _fields(
    "access_group", "A group of accesses; a parallel loop names those free of dependences.", ("id",)
)
AliasScopeDomainAttr = _fields("alias_scope_domain", "A set of alias scopes.", ("id", "description"))


@irdl_attr_definition(init=False)
class AliasScopeAttr(FieldsAttr):
    """A scope that accesses may belong to, or are known not to alias."""

    name = "llvm.alias_scope"

    FIELDS: ClassVar[Mapping[str, type[FieldsAttr] | None]] = {
        "id": None,
        "domain": AliasScopeDomainAttr,
        "description": None,
    }


@irdl_attr_definition(init=False)
class LoopAnnotationAttr(FieldsAttr):
    """The description of a loop that its backedge carries: `!llvm.loop` metadata.

    Example::

        #llvm.loop_annotation<unroll = <count = 4 : i32>, mustProgress = true>
    """

    name = "llvm.loop_annotation"

    FIELDS: ClassVar[Mapping[str, type[FieldsAttr] | None]] = {
        "disableNonforced": None,
        "vectorize": LoopVectorizeAttr,
        "interleave": LoopInterleaveAttr,
        "unroll": LoopUnrollAttr,
        "unrollAndJam": LoopUnrollAndJamAttr,
        "licm": LoopLicmAttr,
        "distribute": LoopDistributeAttr,
        "pipeline": LoopPipelineAttr,
        "peeled": LoopPeeledAttr,
        "unswitch": LoopUnswitchAttr,
        "startLoc": None,
        "endLoc": None,
        "mustProgress": None,
        "isVectorized": None,
        "parallelAccesses": None,
    }
    LIST: ClassVar[str | None] = "parallelAccesses"


@irdl_attr_definition
class ConstantRangeAttr(ParametrizedAttribute):
    """`#llvm.constant_range<i32, 0, 256>`: an integer from the first number on, below the second."""

    name = "llvm.constant_range"

    type: IntegerType
    lower: IntAttr = param_def(converter=IntAttr.get)
    upper: IntAttr = param_def(converter=IntAttr.get)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.type)
            printer.print_string(f", {self.lower.data}, {self.upper.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            type = parser.parse_type()
            numbers: list[IntAttr] = []
            for _ in range(2):
                parser.parse_punctuation(",")
                numbers.append(IntAttr(parser.parse_integer()))
        if not isinstance(type, IntegerType):
            parse_error(
                parser, "llvm-range-type", f"a range is of an integer type, not of {type}", hint="write <i32, 0, 256>"
            )
        parameters: list[Attribute] = [type, *numbers]
        return parameters
