"""`verify`, `inspect` and `disasm` on archives."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hologram import isa
from hologram.driver.archives import disasm as disassembly
from hologram.driver.archives.disasm import disassemble
from hologram.driver.archives.verify import entries_of, verify
from hologram.errors import HologramError, InputError, UsageError
from hologram.runtime.archive import Archive, Code, Program, open, write
from hologram.runtime.archive.inspect import describe, show
from hologram.runtime.archive.layout import EXTENSION, MANIFEST, Piece, pack
from sample_archives import PROGRAMS, compiled, sample

BINARY = isa.encode(isa.assemble(".program p() { bar.sync 1 }"))


@pytest.fixture(scope="module")
def full(programs: tuple[Program, ...]) -> bytes:
    """Real programs, beside them all that an archive may hold."""
    add = replace(programs[0], isa=BINARY, codes=(*programs[0].codes, Code("webgpu", "wgsl", b"// the text\n")))
    return write(replace(sample(), programs=(add, *programs[1:])))


def test_verify(full: bytes, path: Path):
    assert str(verify(path)).startswith("3 programs, 3 codes, 10 sections")
    assert verify(full).codes == 4
    assert verify(write(Archive(()))).programs == 0


def test_verify_finds_what_loading_does_not_look_at(programs: tuple[Program, ...]):
    def wrong(reason: str, program: Program) -> None:
        with pytest.raises(InputError, match=reason):
            verify(write(Archive((program,))))

    add, softmax = programs[0], programs[1]
    wrong("program 'add' is not valid: ", replace(add, ir=b"nonsense"))
    wrong("program 'add' is not valid: this is no Atlas binary", replace(add, isa=b"nonsense"))
    wrong("the code of 'add' for cpu has other entries", replace(add, codes=softmax.codes))
    wrong("'add for cpu' is no 64-bit little-endian ELF", replace(add, codes=(replace(add.codes[0], data=b"MZ"),)))
    object = compiled("add", shared=False).codes[0]
    nameless = object.data.replace(b"hologram_entries", b"hologram_entrees")
    wrong("'add for cpu' has no entry record", replace(add, codes=(replace(object, data=nameless),)))


def test_verify_knows_one_way_to_write_an_archive():
    frame = open(write(sample())).frame
    pieces = [Piece(kind, bytes(frame.read(kind, n, p)), n, p, s.flags) for (kind, n, p), s in frame.sections.items()]
    assert verify_code(pack(pieces)) == "archive-invalid"
    empty = [Piece(MANIFEST, bytes(open(write(Archive(()))).frame.read(MANIFEST))), Piece(b"TENS", b"8".ljust(64))]
    assert verify_code(pack(empty)) == "archive-tensors"
    header = (56).to_bytes(8, "little") + b"{}".ljust(56)
    assert verify_code(pack([empty[0], Piece(b"TENS", header)])) == "archive-canonical"


def verify_code(data: bytes) -> str:
    """The code of the error that verifying ends in."""
    with pytest.raises(HologramError) as caught:
        verify(data)
    return caught.value.code


def test_show(full: bytes):
    text = show(full)
    assert text.startswith("<archive>: archive 1.0 by hologram 0.1.0, ")
    assert "license: MIT\n3 programs for cpu, webgpu\n" in text
    assert "  add(a: f32[?], b: f32[?]) -> (result: f32[?])\n" in text
    assert "  main(x: f32[?x?]) -> (y: f32[?x?]), called softmax\n" in text
    assert "isa " in text
    assert "webgpu wgsl 12" in text
    assert "  weights: f64[2]\n" in text
    assert "  org.example.note\n" in text


def test_describe(full: bytes):
    found = json.loads(json.dumps(describe(full)))
    assert found["version"] == "1.0"
    assert found["kernels"]["softmax"] == "softmax.main"
    assert [p["name"] for p in found["programs"]] == ["add", "divide", "softmax"]
    assert found["programs"][0]["codes"][1] == {
        "target": "webgpu", "format": "wgsl", "bytes": 12, "host": None, "processor": None, "options": {},
    }  # fmt: skip
    assert found["programs"][0]["entries"][0]["arguments"][0]["name"] == "a"
    assert found["constants"][0] == {"name": "bias", "dtype": "f32", "shape": [3]}


def test_disasm(full: bytes):
    text = disassemble(full, ["add"])
    titles = [line for line in text.splitlines() if line.startswith("====")]
    assert titles[0] == "==== add: ir"
    assert titles[1] == "==== add: isa"
    assert titles[2].startswith("==== add: cpu shared for ")
    assert titles[3] == "==== add: webgpu wgsl"
    assert "hologram.add %a, %b" in text
    assert "bar.sync 1" in text
    assert text.endswith("// the text\n")


def test_disasm_of_what_is_asked_for(full: bytes):
    assert disassemble(full, ["softmax"], ["ir"]) == "==== softmax: ir\n" + PROGRAMS["softmax"].rstrip() + "\n"
    assert disassemble(full, ["divide"], ["isa"]) == ""
    assert disassemble(full, (), ["webgpu"]).count("====") == 1
    with pytest.raises(UsageError, match="did you mean 'webgpu'"):
        disassemble(full, (), ["webgp"])
    with pytest.raises(InputError, match="did you mean 'softmax'"):
        disassemble(full, ["softmx"])


def test_disasm_without_a_disassembler(full: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(disassembly, "_DISASSEMBLERS", (("there-is-no-such-program",),))
    text = disassemble(full, ["add"], ["cpu"])
    assert "with objdump or llvm-objdump installed" in text
    assert {line.split()[-1] for line in text.splitlines()[2:]} >= {"add", "add_f64", "hologram_call_add"}


def test_entries_of_code_that_is_not_loaded(programs: tuple[Program, ...]):
    for shared in (True, False):
        code = compiled("divide", shared=shared).codes[0]
        (entry,) = entries_of(code.data, "divide")
        assert entry.signature == "divide(x: i32[?], d: i32)"
        assert any("division by zero" in site for site in entry.sites)


def test_programs_and_extensions_of_the_manifest_are_there():
    manifest = bytes(open(write(sample())).frame.read(MANIFEST))
    with pytest.raises(InputError, match="the manifest names 2 of what there are 0"):
        open(pack([Piece(MANIFEST, manifest)]))
    nothing = bytes(open(write(Archive(()))).frame.read(MANIFEST))
    with pytest.raises(InputError, match="the manifest names 0 of what there are 1"):
        open(pack([Piece(MANIFEST, nothing), Piece(EXTENSION, b"", flags=0)]))
