"""Archives as docs/archive.mdx describes them: read here by a parser that was written from that page alone."""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blake3 import blake3

from hologram.runtime.archive import Archive, Constant, Extension, Program, open, write
from hologram.runtime.archive.tensors import DTYPES
from hologram.support.promotion import bytes_of
from sample_archives import sample

KEPT = Path(__file__).parent / "version-1.0.holo"
KINDS = ["MANI", "PROG", "TEXT", "ISAB", "CODE", "TENS", "EXTN"]
FLAGS = {"ISAB": (0,), "EXTN": (0, 1)}
HOSTED = ("object", "shared")
OF_ONE_CODE = {"symbol", "trap", "sites", "packed", "device"}
Place = tuple[str, int, int]


@dataclass
class Parsed:
    """What the parser found."""

    flags: dict[Place, int]
    bytes: dict[Place, bytes]

    def document(self, kind: str, number: int, *fields: str) -> dict[str, Any]:
        """A document with these fields, written in the one way."""
        text = self.bytes[kind, number, 0]
        found = json.loads(text)
        assert json.dumps(found, sort_keys=True, separators=(",", ":")).encode() == text
        assert tuple(found) == fields
        return found

    def count(self, kind: str) -> int:
        return sum(place[0] == kind for place in self.bytes)


def parse(data: bytes) -> Parsed:
    """The header, the table and the sections."""
    magic, major, minor, length, count = struct.unpack_from("<4sHHQI", data)
    assert (magic, major, minor, length) == (b"HOLO", 1, 0, len(data))
    assert length % 64 == 0
    assert data[20:32] == bytes(12)
    table = data[64 : 64 + 64 * count]
    assert data[32:64] == blake3(data[:32] + table).digest()
    found = Parsed({}, {})
    at = 64 + 64 * count
    for row in range(0, 64 * count, 64):
        kind, flags, number, part, offset, size = struct.unpack_from("<4sIIIQQ", table, row)
        assert offset == at
        at += size + -size % 64
        assert data[offset + size : at] == bytes(-size % 64)
        assert table[row + 32 : row + 64] == blake3(data[offset:at]).digest()
        place = kind.decode("ascii"), number, part
        assert flags in FLAGS.get(place[0], (1,))
        found.flags[place], found.bytes[place] = flags, data[offset : offset + size]
    assert at == length
    order = [(KINDS.index(kind), number, part) for kind, number, part in found.bytes]
    assert order == sorted(set(order))
    return found


def check_record(found: Parsed, number: int, name: str, entries: list[str]) -> set[str]:
    """The record of a program; gives its targets."""
    record = found.document("PROG", number, "codes", "entries", "name", "source")
    assert record["name"] == name
    assert [entry["name"] for entry in record["entries"]] == entries
    assert not any(OF_ONE_CODE & set(entry) for entry in record["entries"])
    assert len(record["source"]["digest"]) in (0, 64)
    assert found.bytes["TEXT", number, 0].decode()
    assert [p for k, n, p in found.bytes if (k, n) == ("CODE", number)] == [*range(len(record["codes"]))]
    for part, code in enumerate(record["codes"]):
        assert sorted(code) == ["format", "host", "options", "target"]
        assert (code["host"] is not None) == (code["format"] in HOSTED)
        if code["host"] is not None:
            assert code["host"]["features"] == sorted(code["host"]["features"])
            assert found.bytes["CODE", number, part].startswith(b"\x7fELF")
    return {code["target"] for code in record["codes"]}


def check(data: bytes) -> Parsed:
    """Everything that the page says of an archive."""
    found = parse(data)
    manifest = found.document("MANI", 0, "compiler", "extensions", "programs", "provenance", "targets")
    programs = manifest["programs"]
    assert list(programs) == sorted(programs)
    assert manifest["extensions"] == sorted(manifest["extensions"])
    assert (found.count("MANI"), found.count("EXTN")) == (1, len(manifest["extensions"]))
    assert found.count("PROG") == found.count("TEXT") == len(programs)
    targets: set[str] = set()
    for number, (name, entries) in enumerate(programs.items()):
        targets |= check_record(found, number, name, entries)
    assert manifest["targets"] == sorted(targets)
    if ("TENS", 0, 0) in found.bytes:
        read_safetensors(found.bytes["TENS", 0, 0])
    return found


SIZES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
    "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8,
}  # fmt: skip


def read_safetensors(data: bytes) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """A file of safetensors by the rules of that format, and by the two that archives add: 64 bytes, and no gaps."""
    (length,) = struct.unpack_from("<Q", data)
    assert length <= 100_000_000
    assert length + 8 <= len(data)
    text = data[8 : 8 + length]
    assert text[:1] == b"{"
    header: dict[str, Any] = json.loads(text, object_pairs_hook=without_twins)
    tensors = data[8 + length :]
    found: dict[str, tuple[str, tuple[int, ...], bytes]] = {}
    at = 0
    for name, said in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = said["data_offsets"]
        assert begin == at
        assert end - begin == SIZES[said["dtype"]] * math.prod(said["shape"])
        assert (8 + length + begin) % SIZES[said["dtype"]] == 0
        found[name] = said["dtype"], tuple(said["shape"]), tensors[begin:end]
        at = end
    assert at == len(tensors)
    assert (8 + length) % 64 == 0
    return found


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def test_the_first_archive():
    found = check(KEPT.read_bytes())
    assert [len(data) for place, data in found.bytes.items() if place[0] == "EXTN"] == [0, 5]


def test_compiled_programs(path: Path):
    found = check(path.read_bytes())
    opened = open(path)
    for number in range(len(opened.programs)):
        assert found.bytes["TEXT", number, 0] == bytes(opened.ir(number))
        assert found.bytes["CODE", number, 0] == bytes(opened.code(number, 0))


def test_all_that_an_archive_may_hold():
    given = sample()
    given = replace(given, extensions=(Extension("org.example.a", b"12", essential=True), *given.extensions))
    names = sorted(extension.name for extension in given.extensions)
    found = check(write(given))
    assert found.flags["EXTN", names.index("org.example.a"), 0] == 1
    assert {found.flags["EXTN", n, 0] for n in range(1, len(names))} == {0}
    assert ("ISAB", 1, 0) in found.bytes or ("ISAB", 0, 0) in found.bytes


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 1, 3), (0, 5)])
def test_constants_of_all_types(shape: tuple[int, ...]):
    """Written by us and read by the rules of safetensors, and back."""
    random = np.random.default_rng(3)
    constants = [
        Constant(f"of {dtype}", dtype, shape, random.bytes(bytes_of(dtype) * math.prod(shape))) for dtype in DTYPES
    ]
    data = write(Archive((), tuple(constants)))
    read = read_safetensors(check(data).bytes["TENS", 0, 0])
    assert read == {c.name: (DTYPES[c.dtype], c.shape, c.data) for c in constants}
    opened = open(data)
    for constant in constants:
        array = opened.array(constant.name)
        assert array.shape == shape
        assert array.tobytes() == constant.data
    assert SIZES == {theirs: bytes_of(ours) for ours, theirs in DTYPES.items()}


def test_programs_without_code(programs: tuple[Program, ...]):
    """All that is left is the IR; it is in order all the same."""
    check(write(Archive(tuple(replace(p, codes=()) for p in programs))))
