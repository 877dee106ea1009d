"""The arguments of kernels on WebGPU, without a device: bindings, arrays in one buffer, scalars, parts of grids."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from hologram.runtime.devices.handles import Place
from hologram.runtime.devices.protocol import KernelArgument, KernelInfo
from hologram.runtime.devices.webgpu.bindings import (
    LARGEST_INDEX,
    binding,
    join,
    layout_of,
    pack_scalars,
    pack_struct,
    parts_of,
)


def buffer(access: str = "read", *, joined: bool = False) -> KernelArgument:
    return KernelArgument("buffer", "f32", access, None, joined)


def types(*arguments: KernelArgument) -> list[str]:
    return [entry["buffer"]["type"] for entry in layout_of(KernelInfo("k", None, 0, arguments))]


def test_layouts():
    assert types() == ["uniform"]
    scalar = KernelArgument("scalar", "f32")
    assert types(buffer(), scalar, buffer("readwrite")) == ["read-only-storage", "storage", "uniform"]
    joined = [buffer(joined=True), buffer("write", joined=True)]
    assert types(buffer(), *joined) == ["read-only-storage", "storage", "uniform"]
    assert types(joined[0], buffer("write"), joined[0]) == ["storage", "read-only-storage", "uniform"]


def test_an_empty_array_is_bound_too():
    assert binding(3, Place("b", 0, 0, 0)) == {"binding": 3, "resource": {"buffer": "b", "offset": 0, "size": 16}}


def test_joined_arrays_lie_one_behind_another():
    arguments = [buffer(), buffer("readwrite", joined=True), buffer(joined=True), buffer("write", joined=True)]
    places = [Place("a", 0, 1024, 64), Place("b", 0, 2048, 6), Place("c", 32, 4096, 64), Place("d", 0, 8192, 0)]
    parts, size = join(arguments, places)
    assert [(p.place.handle, p.begin, p.nbytes, p.back) for p in parts] == [
        ("b", 0, 8, 8), ("c", 16, 32, 0), ("d", 48, 4, 0)
    ]  # fmt: skip
    assert size == 52
    assert join(arguments[:1], places[:1]) == ([], 0)


def test_what_is_copied_back_ends_where_another_argument_begins():
    """Three rows of one allocation, of which the first is joined: its copy is older than what the second one holds."""
    rows = [Place("a", offset, 1024, 96) for offset in (0, 32, 64)]
    arguments = [buffer("write", joined=True), buffer("write"), buffer("write", joined=True)]
    parts, _ = join(arguments, rows)
    assert [(p.nbytes, p.back) for p in parts] == [(96, 32), (32, 32)]


@pytest.mark.parametrize(
    ("grid", "most", "expected"),
    [
        ((3, 1, 1), (4, 4, 4), [((0, 0, 0), (3, 1, 1))]),
        ((4, 4, 4), (4, 4, 4), [((0, 0, 0), (4, 4, 4))]),
        ((9, 1, 1), (4, 4, 4), [((0, 0, 0), (4, 1, 1)), ((4, 0, 0), (4, 1, 1)), ((8, 0, 0), (1, 1, 1))]),
        ((2, 5, 1), (4, 4, 4), [((0, 0, 0), (2, 4, 1)), ((0, 4, 0), (2, 1, 1))]),
    ],
)
def test_parts_of_grids(grid: Sequence[int], most: Sequence[int], expected: object):
    assert list(parts_of(grid, most)) == expected


def test_parts_cover_a_grid_once():
    blocks = [
        (x, y, z)
        for first, size in parts_of((5, 7, 3), (2, 3, 2))
        for x in range(first[0], first[0] + size[0])
        for y in range(first[1], first[1] + size[1])
        for z in range(first[2], first[2] + size[2])
    ]
    assert len(blocks) == len({*blocks}) == 5 * 7 * 3


def test_scalars():
    arguments = [KernelArgument("scalar", t) for t in ("i8", "f64", "index", "f16")]
    values = [b"\x05", struct.pack("<d", 2.0), struct.pack("<q", 7), b"\x01\x02"]
    assert pack_scalars(arguments, values) == struct.pack("<IxxxxdiI", 5, 2.0, 7, 0x201)
    for index, expected in ((1 << 31, LARGEST_INDEX), (-(1 << 40), LARGEST_INDEX), (-(1 << 31), -(1 << 31))):
        packed = pack_scalars([KernelArgument("scalar", "index")], [struct.pack("<q", index)])
        assert struct.unpack("<i", packed) == (expected,)


def test_the_struct_of_scalars():
    found = pack_struct(b"\1\0\0\0", (5, 6, 7), (1, 2, 3), (16,))
    assert struct.unpack("<8I", found) == (1, 5, 6, 7, 1, 2, 3, 16)
    assert len(pack_struct(b"", (1, 1, 1), (0, 0, 0), ())) == 32
