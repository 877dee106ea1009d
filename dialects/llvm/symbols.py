"""Functions and globals of the llvm dialect, with all of upstream's properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import llvm as stock
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.dialects.llvm import FramePointerKindAttr, LinkageAttr, TargetFeaturesAttr
from xdsl.ir import Attribute, Block, Operation, Region, TypedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from hologram.dialects.llvm.attributes import CallingConventionAttr
from hologram.dialects.llvm.enums import CALLING_CONVENTIONS, LINKAGES, UNNAMED_ADDRS, VISIBILITIES
from hologram.dialects.llvm.properties import alignment_of, array, given, take_properties
from hologram.dialects.llvm.signature import FunctionOp, parse_signature, print_signature
from hologram.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from hologram.errors import VerifyError, parse_error

_DEFAULT = IntegerAttr(0, i64)
_C_CALL = CallingConventionAttr("ccc")
_EXTERNAL = LinkageAttr("external")

_HEADER = ("sym_name", "function_type", "arg_attrs", "res_attrs", "linkage", "CConv", "visibility_", "unnamed_addr")
_GLOBAL_HEADER = (
    "global_type", "sym_name", "linkage", "constant", "thread_local_", "unnamed_addr", "value", "visibility_",
)  # fmt: skip


def parse_index(parser: Parser, words: Sequence[str]) -> IntegerAttr[IntegerType]:
    """The number of an optional keyword; the first of `words` is the default."""
    word = parser.parse_optional_keyword_in(words[1:])
    return IntegerAttr(words.index(word) if word else 0, i64)


def words_of(*attributes: tuple[Attribute | None, Sequence[str]]) -> list[str]:
    """The keywords for enumerations that are not at their default."""
    return [words[a.value.data] for a, words in attributes if isinstance(a, IntegerAttr) and a.value.data]


@irdl_op_definition
class FuncOp(FunctionOp):
    """A function; without a body a declaration.

    Example::

        llvm.func internal fastcc @twice(%x: f32 {llvm.noundef}) -> f32 {
          %y = llvm.fadd %x, %x : f32
          llvm.return %y : f32
        }
    """

    name = "llvm.func"

    sym_name = prop_def(SymbolNameConstraint())
    sym_visibility = opt_prop_def(StringAttr)
    function_type = prop_def(LLVMFunctionType | stock.LLVMFunctionType)
    linkage = prop_def(LinkageAttr, default_value=_EXTERNAL)
    dso_local = opt_prop_def(UnitAttr)
    CConv = prop_def(CallingConventionAttr | stock.CallingConventionAttr, default_value=_C_CALL)
    comdat = opt_prop_def(SymbolRefAttr)
    personality = opt_prop_def(SymbolRefAttr)
    garbageCollector = opt_prop_def(StringAttr)
    passthrough = opt_prop_def(ArrayAttr)
    function_entry_count = opt_prop_def(IntegerAttr)
    visibility_ = prop_def(IntegerAttr, default_value=_DEFAULT)
    section = opt_prop_def(StringAttr)
    unnamed_addr = opt_prop_def(IntegerAttr)
    alignment = opt_prop_def(IntegerAttr)
    frame_pointer = opt_prop_def(FramePointerKindAttr)
    target_cpu = opt_prop_def(StringAttr)
    tune_cpu = opt_prop_def(StringAttr)
    reciprocal_estimates = opt_prop_def(StringAttr)
    prefer_vector_width = opt_prop_def(StringAttr)
    target_features = opt_prop_def(TargetFeaturesAttr)
    no_infs_fp_math = opt_prop_def(BoolAttr)
    no_nans_fp_math = opt_prop_def(BoolAttr)
    no_signed_zeros_fp_math = opt_prop_def(BoolAttr)
    denormal_fp_math = opt_prop_def(StringAttr)
    denormal_fp_math_f32 = opt_prop_def(StringAttr)
    fp_contract = opt_prop_def(StringAttr)
    optimize_none = opt_prop_def(UnitAttr)
    work_group_size_hint = opt_prop_def(DenseArrayBase.constr(i32))
    reqd_work_group_size = opt_prop_def(DenseArrayBase.constr(i32))
    intel_reqd_sub_group_size = opt_prop_def(IntegerAttr)
    body = region_def()

    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    def __init__(
        self,
        sym_name: str,
        function_type: LLVMFunctionType,
        linkage: str = "external",
        cconv: str = "ccc",
        body: Region | None = None,
        arg_attrs: Sequence[DictionaryAttr] | None = None,
        res_attrs: Sequence[DictionaryAttr] | None = None,
        properties: Mapping[str, Attribute] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ):
        """`properties` are further properties by upstream's name, such as `passthrough` or `target_cpu`."""
        all_properties = {
            "sym_name": StringAttr(sym_name),
            "function_type": function_type,
            "linkage": LinkageAttr(linkage),
            "CConv": CallingConventionAttr(cconv),
            "visibility_": _DEFAULT,
            **(properties or {}),
            **given(arg_attrs=array(arg_attrs), res_attrs=array(res_attrs)),
        }
        region = Region() if body is None else body
        Operation.__init__(self, properties=all_properties, attributes=dict(attributes or {}), regions=(region,))

    @property
    def is_declaration(self) -> bool:
        return not self.body.blocks

    def verify_(self) -> None:
        if self.arg_attrs is not None and len(self.arg_attrs) != len(self.function_type.inputs):
            raise VerifyError("llvm-func-argument-attributes", "arg_attrs needs one dictionary for each argument")
        entry = self.body.first_block
        if entry is None:
            return
        given, declared = [a.type for a in entry.args], list(self.function_type.inputs)
        if given != declared:
            raise VerifyError("llvm-func-entry-block", "the entry block's arguments differ from the function's type")

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        linkage = parser.parse_optional_keyword_in(LINKAGES) or "external"
        visibility = parse_index(parser, VISIBILITIES)
        unnamed = parse_index(parser, UNNAMED_ADDRS)
        cconv = parser.parse_optional_keyword_in(CALLING_CONVENTIONS) or "ccc"
        name = parser.parse_symbol_name().data
        signature = parse_signature(parser)
        if len(signature.outputs) > 1:
            hint = "pack several in a struct"
            parse_error(parser, "llvm-func-results", "an llvm function has at most one result", hint=hint)
        extra = parser.parse_optional_attr_dict_with_keyword(_HEADER)
        attributes = dict(extra.data) if extra else {}
        properties = take_properties(cls, attributes) | {"visibility_": visibility, "unnamed_addr": unnamed}
        region = parser.parse_optional_region(signature.arguments)
        output = signature.outputs[0] if signature.outputs else None
        return cls(
            name,
            LLVMFunctionType(signature.inputs, output, signature.variadic),
            linkage,
            cconv,
            region,
            signature.arg_attrs,
            signature.res_attrs,
            properties,
            attributes,
        )

    def print(self, printer: Printer) -> None:
        linkage = self.linkage.linkage.data
        cconv = self.CConv.convention.data
        words = [linkage] if linkage != "external" else []
        words += words_of((self.visibility_, VISIBILITIES), (self.unnamed_addr, UNNAMED_ADDRS))
        words += [cconv] if cconv != "ccc" else []
        for word in words:
            printer.print_string(f" {word}")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_signature(printer, self.function_type, self.body, self.arg_attrs, self.res_attrs)
        printer.print_op_attributes(
            {**self.attributes, **self.properties}, reserved_attr_names=_HEADER, print_keyword=True
        )
        if self.body.blocks:
            printer.print_string(" ", indent=0)
            printer.print_region(self.body, False, False)


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A global variable or constant, with an attribute or a region that ends in `llvm.return` as initialiser.

    Example::

        llvm.mlir.global internal constant @table(dense<[1.0, 2.0]> : tensor<2xf32>) : !llvm.array<2 x f32>
    """

    name = "llvm.mlir.global"

    global_type = prop_def()
    constant = opt_prop_def(UnitAttr)
    sym_name = prop_def(SymbolNameConstraint())
    linkage = prop_def(LinkageAttr)
    dso_local = opt_prop_def(UnitAttr)
    thread_local_ = opt_prop_def(UnitAttr)
    externally_initialized = opt_prop_def(UnitAttr)
    value = opt_prop_def()
    alignment = opt_prop_def(IntegerAttr)
    addr_space = prop_def(IntegerAttr, default_value=IntegerAttr(0, i32))
    unnamed_addr = opt_prop_def(IntegerAttr)
    section = opt_prop_def(StringAttr)
    comdat = opt_prop_def(SymbolRefAttr)
    visibility_ = prop_def(IntegerAttr, default_value=_DEFAULT)
    target_specific_attrs = opt_prop_def(ArrayAttr)
    initializer = region_def()

    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())

    def __init__(
        self,
        global_type: Attribute,
        sym_name: str,
        linkage: str = "external",
        value: Attribute | None = None,
        constant: bool = False,
        alignment: int | None = None,
        addr_space: int = 0,
        initializer: Region | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ):
        all_properties = {
            "global_type": global_type,
            "sym_name": StringAttr(sym_name),
            "linkage": LinkageAttr(linkage),
            "addr_space": IntegerAttr(addr_space, i32),
            "visibility_": _DEFAULT,
            **(properties or {}),
            **given(value=value, constant=constant, alignment=alignment_of(alignment)),
        }
        region = Region() if initializer is None else initializer
        Operation.__init__(self, properties=all_properties, regions=(region,))

    def verify_(self) -> None:
        block = self.initializer.first_block
        if block is None:
            return
        if self.value is not None:
            raise VerifyError(
                "llvm-global-two-initialisers", f"@{self.sym_name.data} has a value and an initialiser region"
            )
        last = block.last_op
        if last is None or last.name != "llvm.return" or [v.type for v in last.operands] != [self.global_type]:
            message = f"the initialiser of @{self.sym_name.data} must end in llvm.return of type {self.global_type}"
            raise VerifyError("llvm-global-initialiser", message)

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        linkage = parser.parse_optional_keyword_in(LINKAGES) or "external"
        properties: dict[str, Attribute] = {"visibility_": parse_index(parser, VISIBILITIES)}
        if parser.parse_optional_keyword("thread_local"):
            properties["thread_local_"] = UnitAttr()
        properties["unnamed_addr"] = parse_index(parser, UNNAMED_ADDRS)
        constant = parser.parse_optional_keyword("constant") is not None
        name = parser.parse_symbol_name().data
        with parser.in_parens():
            value = parser.parse_optional_attribute()
        attributes = parser.parse_optional_attr_dict()
        properties |= take_properties(cls, attributes)
        if parser.parse_optional_punctuation(":") is not None:
            type = parser.parse_type()
        else:
            type = _type_of(parser, value)
        op = cls(
            type, name, linkage, value, constant, initializer=parser.parse_optional_region(), properties=properties
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        words = [self.linkage.linkage.data, *words_of((self.visibility_, VISIBILITIES))]
        words += ["thread_local"] if self.thread_local_ is not None else []
        words += words_of((self.unnamed_addr, UNNAMED_ADDRS))
        words += ["constant"] if self.constant is not None else []
        printer.print_string(f" {' '.join(words)} ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            if self.value is not None:
                printer.print_attribute(self.value)
        hidden = _GLOBAL_HEADER if self.addr_space.value.data else (*_GLOBAL_HEADER, "addr_space")
        printer.print_op_attributes(self.properties | self.attributes, reserved_attr_names=hidden)
        printer.print_string(" : ")
        printer.print_attribute(self.global_type)
        if self.initializer.blocks:
            printer.print_string(" ")
            printer.print_region(self.initializer)


def _type_of(parser: Parser, value: Attribute | None) -> Attribute:
    """The type of a global that leaves it to its value."""
    if isinstance(value, StringAttr):
        return LLVMArrayType(len(value.data.encode()), IntegerType(8))
    if isinstance(value, TypedAttribute):
        return value.get_type()
    parse_error(
        parser, "llvm-global-type", "the global needs a type: nothing says what it holds", hint="write `: type`"
    )


def function(
    name: str,
    inputs: Sequence[Attribute],
    output: Attribute | None = None,
    linkage: str = "external",
    cconv: str = "ccc",
) -> tuple[FuncOp, Block]:
    """A new function with its empty entry block."""
    entry = Block(arg_types=inputs)
    return FuncOp(name, LLVMFunctionType(inputs, output), linkage, cconv, Region(entry)), entry
