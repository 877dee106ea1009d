"""The attributes of the `nvvm` dialect that products on tensor cores need: words and sizes in angle brackets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer


class _Word(Data[str]):
    """One of a few words."""

    WORDS: ClassVar[tuple[str, ...]]

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return cls.parse_name(parser)

    @classmethod
    def parse_name(cls, parser: AttrParser) -> str:
        """The word itself."""
        word = parser.parse_identifier()
        if word not in cls.WORDS:
            parser.raise_error(f"'{cls.name}' is one of {', '.join(cls.WORDS)}, not {word}")
        return word


@irdl_attr_definition
class MMALayoutAttr(_Word):
    """How a matrix lies in memory: `#nvvm.mma_layout<row>`."""

    name = "nvvm.mma_layout"
    WORDS: ClassVar[tuple[str, ...]] = ("row", "col")


@irdl_attr_definition
class WGMMATypeAttr(_Word):
    """The elements of a factor or of the sums: `#nvvm.wgmma_type<bf16>`."""

    name = "nvvm.wgmma_type"
    WORDS: ClassVar[tuple[str, ...]] = ("f16", "tf32", "u8", "s8", "b1", "bf16", "e4m3", "e5m2", "f32", "s32")


@irdl_attr_definition
class WGMMAScaleInAttr(_Word):
    """Whether a factor is negated: `#nvvm.wgmma_scale_in<one>`."""

    name = "nvvm.wgmma_scale_in"
    WORDS: ClassVar[tuple[str, ...]] = ("one", "neg")


@irdl_attr_definition
class WGMMAScaleOutAttr(_Word):
    """Whether the sums so far count: `#nvvm.wgmma_scale_out<one>`."""

    name = "nvvm.wgmma_scale_out"
    WORDS: ClassVar[tuple[str, ...]] = ("zero", "one")


@irdl_attr_definition
class ProxyKindAttr(_Word):
    """A way in which memory is accessed: `#nvvm.proxy_kind<async.shared>`."""

    name = "nvvm.proxy_kind"
    WORDS: ClassVar[tuple[str, ...]] = ("alias", "async", "async.global", "async.shared", "tensormap", "generic")


@irdl_attr_definition
class SharedSpaceAttr(_Word):
    """Whose shared memory: `#nvvm.shared_space<cta>`."""

    name = "nvvm.shared_space"
    WORDS: ClassVar[tuple[str, ...]] = ("cta", "cluster")


@irdl_attr_definition
class LdStMatrixEltTypeAttr(_Word):
    """The elements that stmatrix moves: `#nvvm.ld_st_matrix_elt_type<b16>`."""

    name = "nvvm.ld_st_matrix_elt_type"
    WORDS: ClassVar[tuple[str, ...]] = ("b16", "b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64")


class _PlainWord(_Word, SpacedOpaqueSyntaxAttribute):
    """A word without brackets of its own."""

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        return cls.parse_name(parser)


@irdl_attr_definition
class SetMaxRegisterActionAttr(_PlainWord):
    """Which way the number of registers goes: `#nvvm<action increase>`."""

    name = "nvvm.action"
    WORDS: ClassVar[tuple[str, ...]] = ("increase", "decrease")


@irdl_attr_definition
class ShflKindAttr(_PlainWord):
    """Which lane's value a lane gets: `#nvvm<shfl_kind idx>`."""

    name = "nvvm.shfl_kind"
    WORDS: ClassVar[tuple[str, ...]] = ("bfly", "up", "down", "idx")


class _Sizes(ParametrizedAttribute):
    """Named sizes: `<m = 8, n = 8>`."""

    NAMES: ClassVar[tuple[str, ...]]

    @classmethod
    def of(cls, *sizes: int) -> _Sizes:
        """The attribute of these sizes."""
        return cls(*map(IntAttr, sizes))

    def sizes(self) -> tuple[int, ...]:
        """The sizes, in order."""
        return tuple(cast("IntAttr", p).data for p in self.parameters)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            pairs = zip(self.NAMES, self.sizes(), strict=True)
            printer.print_string(", ".join(f"{name} = {size}" for name, size in pairs))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: list[Attribute] = []
        with parser.in_angle_brackets():
            for name in cls.NAMES:
                if found:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                found.append(IntAttr(parser.parse_integer()))
        return found


@irdl_attr_definition
class MMAShapeAttr(_Sizes):
    """The sizes of one product: `#nvvm.shape<m = 64, n = 256, k = 16>`."""

    name = "nvvm.shape"
    NAMES: ClassVar[tuple[str, ...]] = ("m", "n", "k")
    m: IntAttr = param_def()
    n: IntAttr = param_def()
    k: IntAttr = param_def()


@irdl_attr_definition
class LdStMatrixShapeAttr(_Sizes):
    """The sizes of a matrix that stmatrix moves: `#nvvm.ld_st_matrix_shape<m = 8, n = 8>`."""

    name = "nvvm.ld_st_matrix_shape"
    NAMES: ClassVar[tuple[str, ...]] = ("m", "n")
    m: IntAttr = param_def()
    n: IntAttr = param_def()


ATTRIBUTES: list[type[Attribute]] = [
    MMALayoutAttr,
    WGMMATypeAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
    ProxyKindAttr,
    SharedSpaceAttr,
    LdStMatrixEltTypeAttr,
    SetMaxRegisterActionAttr,
    ShflKindAttr,
    MMAShapeAttr,
    LdStMatrixShapeAttr,
]
