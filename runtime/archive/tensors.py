"""Constants in the layout of safetensors: the length of a JSON header, the header, and the tensors without gaps.

The header ends in spaces so that the tensors begin at a multiple of 64 bytes. Those with the widest elements come
first, so each is aligned to its elements.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, cast

from hologram.errors import InputError, Where
from hologram.runtime.archive.documents import write_document
from hologram.runtime.archive.layout import ALIGNMENT, FOREIGN
from hologram.runtime.archive.model import Constant
from hologram.runtime.json_text import members
from hologram.support.promotion import bytes_of

DTYPES = {
    "f64": "F64", "f32": "F32", "f16": "F16", "bf16": "BF16", "f8E4M3FN": "F8_E4M3", "f8E5M2": "F8_E5M2",
    **{f"{kind.lower()}{bits}": f"{kind}{bits}" for kind in "IU" for bits in (8, 16, 32, 64)},
    "bool": "BOOL",
}  # fmt: skip
"""What safetensors calls the element types."""
_FIELDS = {"data_offsets", "dtype", "shape"}
_NAMES = {theirs: ours for ours, theirs in DTYPES.items()}
MOST_AXES = 32
_LENGTH = struct.Struct("<Q")


def fits(shape: Sequence[int]) -> bool:
    """Return whether arrays can have a shape: numpy and others count elements in 63 bits, and take 32 axes."""
    return len(shape) <= MOST_AXES and math.prod(n or 1 for n in shape) < 1 << 59


def nbytes(constant: Constant) -> int:
    """The bytes that the elements of a constant take."""
    return math.prod(constant.shape) * bytes_of(constant.dtype)


def write_tensors(constants: Sequence[Constant]) -> bytes:
    """A file of safetensors."""
    ordered = sorted(constants, key=lambda c: (-bytes_of(c.dtype), c.name))
    header: dict[str, Any] = {}
    at = 0
    for constant in ordered:
        end = at + len(constant.data)
        header[constant.name] = {
            "data_offsets": [at, end], "dtype": DTYPES[constant.dtype], "shape": list(constant.shape)
        }  # fmt: skip
        at = end
    return b"".join((_header_bytes(header), *(c.data for c in ordered)))


def _header_bytes(header: Mapping[str, Any]) -> bytes:
    """The header as archives have it: the tensors behind it are aligned."""
    text = write_document(header)
    text += b" " * (-(_LENGTH.size + len(text)) % ALIGNMENT)
    return _LENGTH.pack(len(text)) + text


def _start(data: memoryview) -> int | None:
    """Return where the tensors of a file begin; None if it ends before."""
    start = _LENGTH.size + _LENGTH.unpack_from(data)[0] if len(data) >= _LENGTH.size else None
    return None if start is None or start > len(data) else start


def _header(text: memoryview, whose: str, refuse: Callable[[str], NoReturn]) -> dict[str, Any]:
    """The header of a file."""
    try:
        header: Any = json.loads(bytes(text), object_pairs_hook=members)
    except UnicodeDecodeError:
        refuse(f"{whose} header is no UTF-8 text")
    except (ValueError, RecursionError) as error:
        refuse(f"{whose} header is no JSON: {' '.join(str(error).split())}")
    if not isinstance(header, dict):
        refuse(f"{whose} header is no object")
    return cast("dict[str, Any]", header)


def read_tensors(data: memoryview, file: str) -> dict[str, Constant]:
    """The constants by name, in place; an InputError that names `file` if the section is not as it is written."""

    def refuse(reason: str) -> NoReturn:
        message = f"the constants can't be read: {reason}"
        raise InputError("archive-tensors", message, hint=FOREIGN, where=Where(file))

    start = _start(data)
    if start is None:
        refuse("their header has no length that can be")
    header = _header(data[_LENGTH.size : start], "their", refuse)
    try:
        written = _header_bytes(header)
    except (ValueError, RecursionError) as error:
        refuse(f"their header is no JSON: {' '.join(str(error).split())}")
    if bytes(data[:start]) != written:
        refuse("their header is written in another way than headers are")
    constants: dict[str, Constant] = {}
    for name, entry in header.items():
        constant = _constant(name, entry, data[start:])
        if isinstance(constant, str):
            refuse(constant)
        constants[name] = constant
    ordered = sorted(constants.values(), key=lambda c: (-bytes_of(c.dtype), c.name))
    at = 0
    for constant in ordered:
        if header[constant.name]["data_offsets"][0] != at:
            refuse(f"'{constant.name}' is not where the tensor before it ends")
        at += len(constant.data)
    if at != len(data) - start:
        refuse(f"they end at byte {at} of {len(data) - start}")
    return {name: constants[name] for name in sorted(constants)}


def read_safetensors(data: bytes, file: str) -> list[Constant]:
    """The tensors of a file that any writer of safetensors made, in the order of their names. Raises an InputError."""

    def refuse(reason: str) -> NoReturn:
        hint = "safetensors.numpy.save_file({'name': array}, path) writes such files"
        raise InputError("constants-file", f"this is no file of safetensors: {reason}", hint=hint, where=Where(file))

    tensors = memoryview(data)
    start = _start(tensors)
    if start is None and len(data) < _LENGTH.size:
        refuse(f"it has {len(data)} bytes, and its header begins with {_LENGTH.size}")
    if start is None:
        said, follow = _LENGTH.unpack_from(data)[0], len(data) - _LENGTH.size
        refuse(f"its first {_LENGTH.size} bytes say that its header has {said:,}, and {follow:,} follow")
    header = _header(tensors[_LENGTH.size : start], "its", refuse)
    constants: list[Constant] = []
    header.pop("__metadata__", None)
    for name, entry in sorted(header.items()):
        constant = _constant(name, entry, tensors[start:])
        if isinstance(constant, str):
            refuse(constant)
        if constant.dtype == "bool" and bytes(constant.data).strip(b"\0\1"):
            refuse(f"'{name}' is of truth values, and has bytes that are neither 0 nor 1")
        constants.append(constant)
    at = 0
    for begin, end, name in sorted((*entry["data_offsets"], name) for name, entry in header.items()):
        if begin != at:
            refuse(f"'{name}' begins at byte {begin}, and what is before it ends at byte {at}")
        at = end
    if at != len(data) - start:
        refuse(f"its tensors end at byte {at}, and {len(data) - start - at:,} bytes follow")
    return constants


def _constant(name: str, entry: Any, data: memoryview) -> Constant | str:
    """A constant of the header, or why it is none."""
    if not name or not name.isprintable():
        return f"'{name}' can't be the name of a tensor"
    if not isinstance(entry, dict) or set(fields := cast("Mapping[str, Any]", entry)) != _FIELDS:
        return f"of '{name}' the header says data_offsets, dtype and shape, and nothing else"
    dtype, shape, places = fields["dtype"], fields["shape"], fields["data_offsets"]
    if dtype not in (*_NAMES,):
        return f"'{name}' is of type {json.dumps(dtype)[:40]}, and archives have {', '.join(_NAMES)}"
    if not _is_sizes(shape) or not fits(shape):
        return f"the shape of '{name}' is no list of sizes that an array can have"
    if not _is_sizes(places) or len(places) != 2 or not places[0] <= places[1]:
        return f"the data_offsets of '{name}' are not where its bytes begin and where they end"
    if places[1] > len(data):
        return f"'{name}' ends at byte {places[1]:,}, and there are {len(data):,}"
    constant = Constant(name, _NAMES[dtype], tuple(shape), data[places[0] : places[1]])
    if (needed := nbytes(constant)) != len(constant.data):
        return f"'{name}' of type {dtype} and shape {shape} has {needed:,} bytes, and not {len(constant.data):,}"
    return constant


def _is_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(n) is int and n >= 0 for n in cast("list[Any]", value))
