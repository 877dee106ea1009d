"""Changed files of every kind that tools read are refused by an error of ours, or taken: nothing else ever happens.

`make fuzz` makes 10,000 of each kind; a run of all tests makes 200.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fuzz.counts import FUZZING, PROGRAMS, seed
from hologram.dialects import make_context
from hologram.driver.artifacts import ISA, LOCATED, Artifact, Request
from hologram.driver.graph import Build
from hologram.driver.portable import PortableSource
from hologram.driver.source import Source
from hologram.errors import InputError, UsageError, VerifyError
from hologram.runtime.archive.model import Constant
from hologram.runtime.archive.tensors import read_safetensors, write_tensors
from hologram.runtime.cache import DiskCache
from hologram.tools.run.values import parse_value

SEED = seed("files")
COUNT = PROGRAMS if FUZZING else 200
KERNEL = {
    "kernel": {
        "name": "scale",
        "params": [{"name": "x", "kind": "array", "type": "f32"}, {"name": "s", "kind": "scalar", "type": "f32"}],
        "lanes": "x.shape[0]",
        "body": [{"let": "i", "value": {"call": "lane"}}],
    }
}
PIECES = (b"", b"\0", b"\xff", b"\xff\xfe\xfd", b"9" * 5000, b"-1", b"1e999", b"NaN", b"[" * 3000, b"{", b'"', b"(",
          b"}", b"\xe2\x80\xae", b"99999999999999999999", b"None", b"|O8", b"null", b"'", b",", b"\n")  # fmt: skip


def mutated(data: bytes, random: Random) -> bytes:
    """The bytes with one to four changes: bits, numbers, pieces cut out, doubled, moved or put in, and an early end."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(changed) + 1)
        end = min(len(changed), at + random.choice((1, 1, 2, 4, 8, 30)))
        match random.randrange(6):
            case 0 if at < len(changed):
                changed[at] ^= 1 << random.randrange(8)
            case 1:
                changed[at:end] = random.choice(PIECES)
            case 2:
                changed[at:at] = random.choice(PIECES)
            case 3:
                del changed[at:end]
            case 4:
                changed[at:at] = changed[random.randrange(len(changed) + 1) :][:30]
            case _:
                changed[at:end] = random.choice((0, 1, 0xFF, 0x7FFFFFFF, 0xFFFFFFFF)).to_bytes(4, "little")
    return bytes(changed[: random.randrange(len(changed) + 1)] if random.random() < 0.1 else changed)


def array_file() -> bytes:
    file = io.BytesIO()
    np.save(file, np.arange(12, dtype=np.float32).reshape(3, 4))
    return file.getvalue()


def binary() -> bytes:
    path = Path(__file__).resolve().parent.parent.parent / "examples" / "saxpy.mlir"
    source = PortableSource.of(Source("mlir", path.name, path.read_bytes()))
    return Build(source).get([Request(ISA)])[Request(ISA)].data


def read_array(data: bytes, folder: Path) -> None:
    path = folder / "x.npy"
    path.write_bytes(data)
    parse_value(str(path), None)


def read_source(kind: str) -> Callable[[bytes, Path], None]:
    return lambda data, folder: Source(kind, f"x.{kind}", data).read(make_context()).verify()


def read_entry(data: bytes, folder: Path) -> None:
    """A changed file is a miss; changed content is none, or text of its form."""
    disk = DiskCache(folder, 1 << 24)
    key = f"{7:064x}"
    disk.put(key, data)
    found = disk.read(key, Artifact.unpacked)
    if found is not None:
        found.fits(Request(LOCATED))
    path = disk.path(key)
    if path.exists():
        path.write_bytes(mutated(path.read_bytes(), Random(data)))
        path.chmod(0o600)
        content = disk.get(key)
        assert content in (None, data)


def read_tensors(data: bytes, folder: Path) -> None:
    read_safetensors(data, "x.safetensors")


FORMS: dict[str, tuple[Callable[[], bytes], Callable[[bytes, Path], None]]] = {
    "npy": (array_file, read_array),
    "safetensors": (
        lambda: write_tensors([Constant("w", "f32", (2, 3), bytes(24)), Constant("b", "u8", (5,), bytes(5))]),
        read_tensors,
    ),
    "json": (lambda: json.dumps(KERNEL).encode(), read_source("json")),
    "cache": (lambda: Artifact(b"builtin.module {}", {"format": "object"}).packed(), read_entry),
    "atlasb": (binary, read_source("atlasb")),
}


@pytest.mark.filterwarnings("ignore::UserWarning")  # numpy's, of headers that Python 2 could have written.
@pytest.mark.parametrize("form", FORMS)
def test_changed_files(form: str, tmp_path: Path):
    make, read = FORMS[form]
    data = make()
    accepted = refused = 0
    for number in range(COUNT):
        try:
            read(mutated(data, Random(f"{SEED} {form} {number}")), tmp_path)
            accepted += 1
        except (InputError, UsageError, VerifyError):
            refused += 1
        except BaseException as error:
            raise AssertionError(f"change '{SEED} {form} {number}': {type(error).__name__}: {error}") from error
    assert form == "cache" or refused > COUNT / 20, (accepted, refused)
