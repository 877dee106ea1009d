"""The promises about archives: version 1.0 is read for ever, and readers ignore what they need not know.

`version-1.0.holo` was written by the first version, with code for any x86-64 under Linux. It is never made anew.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import numpy as np
import pytest
from blake3 import blake3

import hologram
from hologram.driver.archives.verify import verify
from hologram.errors import InputError, TrapError
from hologram.runtime.archive import layout, open, write
from hologram.runtime.archive.layout import EXTENSION, MANIFEST, PROGRAM, Piece, pack
from sample_archives import sample

KEPT = Path(__file__).parent / "version-1.0.holo"
DIGEST = "a129b17c067aecc9aaad166a440e293a8c504f9b43395cf03c5fc7a45af51aee"
X = np.arange(5, dtype=np.float32)


def test_the_file_is_the_one_that_was_written():
    assert blake3(KEPT.read_bytes()).hexdigest() == DIGEST


def test_the_first_archive_is_read():
    archive = open(KEPT)
    assert archive.programs == ("add", "divide")
    assert archive.manifest.provenance == {"made": "2026-11-22"}
    assert archive.record(0).source_name == "vector/add.py"
    assert archive.record(0).entries[0].signature == "add(a: f32[?], b: f32[?]) -> (result: f32[?])"
    assert [(code.target, code.format) for code in archive.record(0).codes] == [("cpu", "shared"), ("webgpu", "wgsl")]
    assert bytes(archive.code(0, 1)) == b"// the text\n"
    assert sorted(archive.constants) == ["bias", "none", "tokens", "weights"]
    assert archive.array("tokens").tobytes() == b"abcd"
    assert bytes(archive.extension("org.example.note") or b"") == b"hello"
    assert verify(KEPT).programs == 2


def test_it_is_still_written_so():
    """Writers write version 1.0 as long as it suffices."""
    assert write(open(KEPT).contents()) == KEPT.read_bytes()


def test_its_programs_compile():
    """The programs of the archive are compiled from its IR, on any machine."""
    kernels = hologram.load(KEPT)
    np.testing.assert_array_equal(kernels["add"](X[::2], X[:3]), X[::2] + X[:3])


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="its code is for Linux on x86-64")
def test_its_code_runs():
    kernels = hologram.load(KEPT, strict=True)
    np.testing.assert_array_equal(kernels["add"](X, X), 2 * X)
    np.testing.assert_array_equal(kernels["add_f64"](np.ones(3), np.ones(3)), [2, 2, 2])
    with pytest.raises(TrapError, match="division by zero"):
        kernels["divide"](np.array([1], np.int32), 0)


# Later minor versions


def later(*more: Piece, fields: bool = False, minor: int = 1) -> bytes:
    """The sample as a later minor version may write it: with sections and fields that this one does not know."""
    frame = open(write(sample())).frame
    pieces: list[Piece] = []
    for (kind, number, part), section in frame.sections.items():
        data = bytes(frame.read(kind, number, part))
        if fields and kind in (MANIFEST, PROGRAM):
            root = json.loads(data)
            root["colour"] = {"red": [1, 2]}
            data = json.dumps(root, sort_keys=True, separators=(",", ":")).encode()
        pieces.append(Piece(kind, data, number, part, section.flags))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "MINOR", minor)
        return pack([*pieces, *more])


def test_later_versions_may_add_what_can_be_passed_over():
    data = later(Piece(b"INDX", b"an index", 0, 0, flags=0), Piece(b"INDX", b"", 7, 7, flags=2), fields=True)
    archive = open(data)
    assert archive.programs == ("add", "sub")
    assert archive.record(0).codes[0].format == "object"
    assert archive.frame.is_newer
    assert [p.name for p in archive.contents().programs] == ["add", "sub"]
    assert bytes(archive.frame.read(b"INDX", 0, 0)) == b"an index"
    assert archive.frame.section(b"INDX", 7, 8) is None


def test_but_not_what_must_be_known():
    with pytest.raises(InputError, match="section KEYS 0 0 is of an unknown kind"):
        open(later(Piece(b"KEYS", b"")))
    with pytest.raises(InputError, match="two sections have one number"):
        open(later(*[Piece(b"INDX", b"", flags=0)] * 2))


def test_this_version_has_no_more_than_is_said():
    with pytest.raises(InputError, match="section INDX 0 0 is of an unknown kind"):
        open(later(Piece(b"INDX", b"", flags=0), minor=0))
    with pytest.raises(InputError, match="the field 'colour' is not known"):
        open(later(fields=True, minor=0))
    with pytest.raises(InputError, match="has flags that there are not"):
        open(later(Piece(EXTENSION, b"", 2, flags=4), minor=0))


def test_other_major_versions_are_not_guessed_at():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "MAJOR", 2)
        data = write(sample())
    with pytest.raises(InputError, match=r"version 2\.0 are not known"):
        open(data)
