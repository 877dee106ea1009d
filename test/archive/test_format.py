"""Writing archives and reading them: what goes in comes out, equal archives are equal bytes, odd ones are refused."""

from __future__ import annotations

import random
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from blake3 import blake3

from hologram.errors import InputError
from hologram.runtime.archive import Archive, Code, Constant, Extension, Program, open, save, write
from hologram.runtime.archive.records import Manifest
from sample_archives import ADD, HOST, entry, sample


def refused(code: str, data: bytes) -> str:
    """The message of the error with a code that opening and reading all must end in."""
    with pytest.raises(InputError) as caught:
        open(data).contents()
    assert caught.value.code == code, caught.value
    return caught.value.message


def test_everything_comes_back():
    given = sample()
    found = open(write(given)).contents()
    assert [p.name for p in found.programs] == ["add", "sub"]
    assert found.programs[1] == given.programs[0]
    assert replace(found.programs[0], codes=()) == replace(given.programs[1], codes=())
    assert [(c.target, c.data) for c in found.programs[0].codes] == [
        ("cpu", b"\x7fELF no more than this"), ("webgpu", b"// text"),
    ]  # fmt: skip
    assert found.programs[0].codes[0].host == HOST
    assert found.programs[0].codes[1].options == {"bindings": "8"}
    assert {c.name: bytes(c.data) for c in found.constants} == {c.name: c.data for c in given.constants}
    assert found.provenance == {"license": "MIT"}
    assert write(found) == write(given)


def test_order_says_nothing():
    given = sample()
    rng = random.Random(5)
    for _ in range(5):
        programs = [replace(p, codes=tuple(rng.sample(p.codes, len(p.codes)))) for p in given.programs]
        mixed = [rng.sample(list(part), len(part)) for part in (programs, given.constants, given.extensions)]
        assert write(
            replace(given, programs=tuple(mixed[0]), constants=tuple(mixed[1]), extensions=tuple(mixed[2]))
        ) == write(given)


def test_an_archive_of_nothing():
    data = write(Archive(()))
    opened = open(data)
    assert opened.programs == ()
    assert opened.manifest.kernels == {}
    assert opened.manifest.targets == ()
    assert opened.constants == {}
    assert opened.extension("org.example.note") is None
    assert len(data) % 64 == 0


def test_sections_are_aligned_and_are_all_there_is():
    data = write(sample())
    sections = list(open(data).frame.sections.values())
    at = 64 + 64 * len(sections)
    for section in sections:
        assert section.offset == at
        assert at % 64 == 0
        at += -(-section.length // 64) * 64
        assert section.digest == blake3(data[section.offset : at]).digest()
    assert at == len(data)
    assert data[32:64] == blake3(data[:32] + data[64 : 64 + 64 * len(sections)]).digest()


def test_the_constants_are_a_file_of_safetensors():
    """Read here as that format is described: a length, JSON, bytes."""
    frame = open(write(sample())).frame
    data = bytes(frame.read(b"TENS"))
    (length,) = struct.unpack_from("<Q", data)
    assert (8 + length) % 64 == 0
    import json

    header = json.loads(data[8 : 8 + length])
    assert header["tokens"] == {"dtype": "U8", "shape": [2, 2], "data_offsets": [28, 32]}
    assert data[8 + length :][28:32] == b"abcd"
    assert sorted(header) == ["bias", "none", "tokens", "weights"]


def test_arrays_lie_in_the_file(tmp_path: Path):
    values = np.arange(100, dtype=np.float32)
    save(Archive((), (Constant("w", "f32", (10, 10), values.tobytes()),)), tmp_path / "w.holo")
    opened = open(tmp_path / "w.holo")
    array = opened.array("w")
    np.testing.assert_array_equal(array, values.reshape(10, 10))
    assert not array.flags.writeable
    assert not array.flags.owndata
    assert array.ctypes.data % 64 == 0
    del opened
    assert array.sum() == values.sum()


def test_names_of_kernels():
    programs = (("a", ("f", "main")), ("b", ("f", "g")), ("c", ("main",)))
    kernels = Manifest("x", {}, programs, (), ()).kernels
    assert kernels == {"a.f": (0, "f"), "a": (0, "main"), "b.f": (1, "f"), "g": (1, "g"), "c": (2, "main")}


def test_reading_is_lazy():
    """Damage to what is not asked for does not matter to the rest, and is found when it is asked for."""
    data = bytearray(write(sample()))
    section = open(bytes(data)).frame.sections[b"CODE", 0, 0]
    data[section.offset] ^= 1
    opened = open(bytes(data))
    assert bytes(opened.ir(0)) == ADD.encode()
    assert opened.record(0).codes[0].target == "cpu"
    with pytest.raises(InputError, match="CODE 0 0 does not fit its digest"):
        opened.code(0, 0)


def test_every_bit_counts():
    """One bit changed anywhere, padding too, is found."""
    data = write(sample())
    rng = random.Random(1)
    for _ in range(300):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        with pytest.raises(InputError):
            open(bytes(changed)).contents()


@pytest.mark.parametrize("length", [0, 3, 63, 64, 65, 500])
def test_truncated(length: int):
    with pytest.raises(InputError):
        open(write(sample())[:length])


def test_something_behind_the_end():
    assert "the file has" in refused("archive-length", write(sample()) + bytes(64))


def test_an_empty_file(tmp_path: Path):
    (tmp_path / "x.holo").write_bytes(b"")
    with pytest.raises(InputError, match="no archive"):
        open(tmp_path / "x.holo")


def _program(**given: object) -> Archive:
    program = Program("p", "p.py", "", b"", None, (entry("f"),))
    return Archive((replace(program, **given),))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (_program(name=""), "no name of a program"),
        (_program(name="a\nb"), "no name of a program"),
        (_program(name="\ud800"), "no name of a program"),
        (_program(source_digest="12"), "no text that can stand here"),
        (_program(ir=b"\xff"), "not UTF-8"),
        (_program(entries=(entry("f"), entry("f"))), "two entries of 'p' have one name"),
        (_program(codes=(Code("cpu", "object", b""),)), "say which"),
        (_program(codes=(Code("cpu", "ptx", b"", HOST),)), "say which"),
        (_program(codes=(Code("cpu", "ptx", b""), Code("cpu", "ptx", b"x"))), "codes are not in order"),
        (_program(codes=(Code("c pu", "ptx", b""),)), "no text that can stand here"),
        (Archive((*_program().programs, *_program().programs)), "two programs have one name"),
        (Archive((), (Constant("w", "f32", (2,), b"123"),)), "has 3 bytes"),
        (Archive((), (Constant("w", "f32", (0, 1 << 40, 1 << 40), b""),)), "of shape"),
        (Archive((), (Constant("w", "f32", (1,) * 33, bytes(4)),)), "of shape"),
        (Archive((), (Constant("w", "i256", (1,), bytes(32)),)), "which constants have not"),
        (Archive((), (Constant("w", "u8", (1,), b"1"), Constant("w", "u8", (1,), b"1"))), "one constant alone"),
        (Archive((), (), (Extension("x", b""), Extension("x", b""))), "extensions are not in order"),
    ],
)  # fmt: skip
def test_what_no_archive_holds(archive: Archive, reason: str):
    with pytest.raises(InputError, match=reason):
        write(archive)


def test_a_failed_save_leaves_nothing(tmp_path: Path):
    (tmp_path / "x.holo").mkdir()
    with pytest.raises(InputError, match="can't be written"):
        save(sample(), tmp_path / "x.holo")
    assert [p.name for p in tmp_path.iterdir()] == ["x.holo"]


def test_who_has_the_old_file_keeps_it(tmp_path: Path):
    save(sample(), tmp_path / "x.holo")
    opened = open(tmp_path / "x.holo")
    save(Archive(()), tmp_path / "x.holo")
    assert opened.contents().programs[0].name == "add"
    assert open(tmp_path / "x.holo").programs == ()
