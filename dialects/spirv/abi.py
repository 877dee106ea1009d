"""Attributes by which upstream says how programs meet devices: entry points, their variables, and what a device has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, NoneAttr, StringAttr, i32
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from hologram.dialects.spirv.enums import STORAGE_CLASSES
from hologram.dialects.spirv.types import TripleAttr, name_of

_LINKAGES = ("Export", "Import", "LinkOnceODR")
_VENDORS = ("AMD", "Apple", "ARM", "Imagination", "Intel", "NVIDIA", "Qualcomm", "SwiftShader", "Unknown")
_DEVICES = ("CPU", "DiscreteGPU", "IntegratedGPU", "Other", "Unknown")
_INTERFACES = ("Metal", "OpenCL", "Vulkan", "WebGPU", "Unknown")


def _numbers(values: Sequence[int]) -> Attribute:
    return cast(Attribute, ArrayAttr([IntegerAttr(n, i32) for n in values]))


class NamedFields(ParametrizedAttribute):
    """The base of attributes with fields by name, each of which may be left out."""

    FIELDS: ClassVar[Mapping[str, str]] = {}
    """The fields, in upstream's order, and what they are: a number, numbers, a text, a kind of linkage, attributes."""
    DEFAULTS: ClassVar[Mapping[str, Attribute]] = {}

    fields: DictionaryAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: dict[str, Attribute] = {}
        with parser.in_angle_brackets():
            more = True
            while more and (name := parser.parse_optional_keyword_in(cls.FIELDS)) is not None:
                parser.parse_punctuation("=")
                found[name] = _parse_field(parser, cls.FIELDS[name])
                more = parser.parse_optional_punctuation(",") is not None
        return [DictionaryAttr({k: v for k, v in found.items() if cls.DEFAULTS.get(k) != v})]

    def print_parameters(self, printer: Printer) -> None:
        given = [name for name in self.FIELDS if name in self.fields.data]
        with printer.in_angle_brackets():
            printer.print_list(given, lambda name: _print_field(printer, name, self.fields.data[name]))


def _parse_field(parser: AttrParser, kind: str) -> Attribute:
    if kind == "number":
        return IntegerAttr(parser.parse_integer(allow_boolean=False), i32)
    if kind == "text":
        return StringAttr(parser.parse_str_literal())
    if kind == "linkage":
        with parser.in_angle_brackets():
            return StringAttr(name_of(parser, "kind of linkage", _LINKAGES))
    square = parser.Delimiter.SQUARE
    if kind == "numbers":
        return _numbers(parser.parse_comma_separated_list(square, parser.parse_integer))
    return cast(Attribute, ArrayAttr(parser.parse_comma_separated_list(square, parser.parse_attribute)))


def _print_field(printer: Printer, name: str, value: Any) -> None:
    printer.print_string(f"{name} = ")
    if isinstance(value, IntegerAttr):
        printer.print_string(str(cast("IntegerAttr[Any]", value).value.data))
    elif name == "linkage_type":
        printer.print_string(f"<{value.data}>")
    elif name.endswith("workgroup_size"):
        printer.print_string(f"[{', '.join(str(n.value.data) for n in value)}]")
    else:
        printer.print_attribute(value)


@irdl_attr_definition
class EntryPointABIAttr(NamedFields):
    """How an entry point is started: `#spirv.entry_point_abi<workgroup_size = [32, 1, 1]>`."""

    name = "spirv.entry_point_abi"
    FIELDS: ClassVar[Mapping[str, str]] = {
        "workgroup_size": "numbers", "subgroup_size": "number", "target_width": "number",
    }  # fmt: skip


@irdl_attr_definition
class LinkageAttributesAttr(NamedFields):
    """The name by which other modules know a function or variable."""

    name = "spirv.linkage_attributes"
    FIELDS: ClassVar[Mapping[str, str]] = {"linkage_name": "text", "linkage_type": "linkage"}


@irdl_attr_definition
class ResourceLimitsAttr(NamedFields):
    """How much a device has: `#spirv.resource_limits<subgroup_size = 64>`."""

    name = "spirv.resource_limits"
    FIELDS: ClassVar[Mapping[str, str]] = {
        "max_compute_shared_memory_size": "number", "max_compute_workgroup_invocations": "number",
        "max_compute_workgroup_size": "numbers", "subgroup_size": "number", "min_subgroup_size": "number",
        "max_subgroup_size": "number", "cooperative_matrix_properties_khr": "attributes",
        "cooperative_matrix_properties_nv": "attributes",
    }  # fmt: skip
    DEFAULTS: ClassVar[Mapping[str, Attribute]] = {
        "max_compute_shared_memory_size": IntegerAttr(16384, i32),
        "max_compute_workgroup_invocations": IntegerAttr(128, i32),
        "max_compute_workgroup_size": _numbers([128, 128, 64]),
        "subgroup_size": IntegerAttr(32, i32),
    }


@irdl_attr_definition
class InterfaceVarABIAttr(ParametrizedAttribute):
    """Where an argument of an entry point is bound: `#spirv.interface_var_abi<(0, 1), Uniform>`."""

    name = "spirv.interface_var_abi"

    descriptor_set: IntegerAttr
    binding: IntegerAttr
    storage_class: StringAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            start = parser.pos
            numbers = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
            if len(numbers) != 2:
                parser.raise_error("a binding is two numbers: the set and the number in it", start, parser.pos)
            storage: Attribute = NoneAttr()
            if parser.parse_optional_punctuation(","):
                storage = StringAttr(name_of(parser, "storage class", [*STORAGE_CLASSES]))
        return [*(IntegerAttr(n, i32) for n in numbers), storage]

    def print_parameters(self, printer: Printer) -> None:
        storage = f", {self.storage_class.data}" if isinstance(self.storage_class, StringAttr) else ""
        numbers = f"{self.descriptor_set.value.data}, {self.binding.value.data}"
        printer.print_string(f"<({numbers}){storage}>")


@irdl_attr_definition
class TargetEnvAttr(ParametrizedAttribute):
    """The device that programs are for: `#spirv.target_env<#spirv.vce<v1.0, [], []>, #spirv.resource_limits<>>`."""

    name = "spirv.target_env"

    triple: TripleAttr
    interface: StringAttr
    device: ArrayAttr[Attribute]
    """Vendor and kind, and perhaps a number."""
    limits: ResourceLimitsAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        interface, device = "Unknown", list[Attribute]()
        with parser.in_angle_brackets():
            triple = parser.parse_attribute()
            parser.parse_punctuation(",")
            if parser.parse_optional_keyword("api"):
                parser.parse_punctuation("=")
                interface = name_of(parser, "programming interface", _INTERFACES)
                parser.parse_punctuation(",")
            if (vendor := parser.parse_optional_keyword_in(_VENDORS)) is not None:
                device = _parse_device(parser, vendor)
                parser.parse_punctuation(",")
            start = parser.pos
            limits = parser.parse_attribute()
            if not isinstance(triple, TripleAttr) or not isinstance(limits, ResourceLimitsAttr):
                parser.raise_error("a target has a #spirv.vce and #spirv.resource_limits", start, parser.pos)
        return [triple, StringAttr(interface), cast(Attribute, ArrayAttr(device)), limits]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.triple)
            if self.interface.data != "Unknown":
                printer.print_string(f", api={self.interface.data}")
            words = [str(d.value.data) if isinstance(d, IntegerAttr) else cast(StringAttr, d).data for d in self.device]
            if words:
                printer.print_string(f", {':'.join(words)}")
            printer.print_string(", ")
            printer.print_attribute(self.limits)


def _parse_device(parser: AttrParser, vendor: str) -> list[Attribute]:
    """Parses `:IntegratedGPU:0x6040001` behind a vendor; what is not known is left out."""
    found: list[Attribute] = [StringAttr(vendor)]
    kind = "Unknown"
    if parser.parse_optional_punctuation(":"):
        kind = name_of(parser, "kind of device", _DEVICES)
        found.append(StringAttr(kind))
        if parser.parse_optional_punctuation(":"):
            found.append(IntegerAttr(parser.parse_integer(allow_boolean=False), i32))
    return [] if vendor == kind == "Unknown" else found


ABI_ATTRIBUTES: Sequence[type[Attribute]] = (
    EntryPointABIAttr, LinkageAttributesAttr, ResourceLimitsAttr, InterfaceVarABIAttr, TargetEnvAttr,
)  # fmt: skip
