"""The target that code is made for: `#nvvm.target`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

DEFAULTS: dict[str, int | str] = {
    "O": 2,
    "triple": "nvptx64-nvidia-cuda",
    "chip": "sm_50",
    "features": "+ptx60",
}
"""The fields in upstream's order, with their defaults."""


@irdl_attr_definition
class NVVMTargetAttr(ParametrizedAttribute):
    """The level of optimisation, the architecture and the version of PTX:
    `#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">`. Fields with upstream's default are not printed."""

    name = "nvvm.target"

    level: IntAttr = param_def()
    triple: StringAttr = param_def()
    chip: StringAttr = param_def()
    features: StringAttr = param_def()

    @staticmethod
    def of(**given: int | str) -> NVVMTargetAttr:
        """Return a target with some fields given."""
        values = [_attribute(value) for value in (DEFAULTS | given).values()]
        return NVVMTargetAttr(*values)  # pyright: ignore[reportArgumentType]

    def print_parameters(self, printer: Printer) -> None:
        fields_given = zip(DEFAULTS.items(), self.parameters, strict=True)
        fields = [f"{name} = {_text(value)}" for (name, default), value in fields_given if value != _attribute(default)]
        if fields:
            with printer.in_angle_brackets():
                printer.print_string(", ".join(fields))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        given: dict[str, int | str] = {}

        def field() -> None:
            name = parser.parse_identifier()
            parser.parse_punctuation("=")
            if name not in DEFAULTS or name in given:
                parser.raise_error(f"the fields of #nvvm.target are {', '.join(DEFAULTS)}, each once, not {name}")
            given[name] = parser.parse_integer() if name == "O" else parser.parse_str_literal()

        if parser.parse_optional_punctuation("<") is not None:
            field()
            while parser.parse_optional_punctuation(",") is not None:
                field()
            parser.parse_punctuation(">")
        return [_attribute(value) for value in (DEFAULTS | given).values()]


def _attribute(value: int | str) -> IntAttr | StringAttr:
    return IntAttr(value) if isinstance(value, int) else StringAttr(value)


def _text(value: Attribute) -> str:
    return str(value) if isinstance(value, StringAttr) else str(cast("IntAttr", value).data)
