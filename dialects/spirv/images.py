"""Images of the spirv dialect, of which compute programs read buffers that the driver reads by elements of a format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure

from hologram.dialects.spirv.operation import SpirvOp
from hologram.dialects.spirv.types import is_integer, name_of
from hologram.errors import VerifyError

IMAGE_WORDS: Sequence[tuple[str, Mapping[str, int]]] = (
    ("dimension of images", {
        "Dim1D": 0, "Dim2D": 1, "Dim3D": 2, "Cube": 3, "Rect": 4, "Buffer": 5, "SubpassData": 6,
    }),
    ("word on depth", {"NoDepth": 0, "IsDepth": 1, "DepthUnknown": 2}),
    ("word on arrays", {"NonArrayed": 0, "Arrayed": 1}),
    ("word on samples", {"SingleSampled": 0, "MultiSampled": 1}),
    ("word on samplers", {"SamplerUnknown": 0, "NeedSampler": 1, "NoSampler": 2}),
    ("format of images", {
        "Unknown": 0, "Rgba32f": 1, "Rgba16f": 2, "R32f": 3, "Rgba32i": 21, "R32i": 24, "Rgba32ui": 30, "R32ui": 33,
    }),
)  # fmt: skip
"""What an image type says behind its element, in the order of the instruction's words: each by name its numbers."""


@irdl_attr_definition
class ImageType(ParametrizedAttribute, TypeAttribute):
    """An image, of what element, and how it is laid out and read:
    `!spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>`."""

    name = "spirv.image"

    element: Attribute
    words: ArrayAttr[StringAttr]

    @staticmethod
    def of(element: Attribute, *words: str) -> ImageType:
        """The image type; the words are those of `IMAGE_WORDS`, in their order."""
        return ImageType(element, ArrayAttr([StringAttr(w) for w in words]))

    @property
    def numbers(self) -> list[int]:
        """The numbers that stand for the words in a binary."""
        return [known[w.data] for (_, known), w in zip(IMAGE_WORDS, self.words, strict=True)]

    @classmethod
    def of_numbers(cls, element: Attribute, numbers: Sequence[int]) -> ImageType:
        """The image type of a binary; KeyError for what has no name here."""
        names = [{value: name for name, value in known.items()} for _, known in IMAGE_WORDS]
        return cls.of(element, *(known[n] for known, n in zip(names, numbers, strict=True)))

    @property
    def dimension(self) -> str:
        """The word for its layout: `Buffer` is by one number."""
        return self.words.data[0].data

    @property
    def sampler(self) -> str:
        """The word for its use: read as `ImageFetch` does (`NeedSampler`), or also written (`NoSampler`)."""
        return self.words.data[4].data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        words: list[str] = []
        with parser.in_angle_brackets():
            element = parser.parse_type()
            for kind, known in IMAGE_WORDS:
                parser.parse_punctuation(",")
                words.append(name_of(parser, kind, [*known]))
        return cls.of(element, *words).parameters

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            for word in self.words:
                printer.print_string(f", {word.data}")


TEXELS = ("Buffer", "NoDepth", "NonArrayed", "SingleSampled", "NeedSampler", "Unknown")
"""The words of a buffer that is read by elements of a format, which the runtime says: a uniform texel buffer."""


@irdl_op_definition
class ImageFetchOp(SpirvOp):
    """The element of an image at a coordinate, as four numbers. It reads no memory that the program writes."""

    name = "spirv.ImageFetch"
    OPCODE: ClassVar[int] = 95

    image = operand_def(ImageType)
    coordinate = operand_def()
    result = result_def()

    traits = traits_def(Pure())
    assembly_format = "$image `,` $coordinate attr-dict `:` type($image) `,` type($coordinate) `->` type($result)"

    def verify_(self) -> None:
        image, result = cast(ImageType, self.image.type), self.result.type
        if image.sampler != "NeedSampler" or image.dimension == "Cube":
            raise VerifyError("spirv-fetch-image", f"{self.name} can't read a {image}: it needs one with NeedSampler")
        if not is_integer(self.coordinate.type):
            raise VerifyError("spirv-fetch-place", f"{self.name} has a coordinate of type {self.coordinate.type}")
        if result != VectorType(image.element, [4]):
            raise VerifyError("spirv-fetch-result", f"{self.name} gives a {result}, and not four {image.element}")
