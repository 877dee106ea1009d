"""`hologram.compile`: the forms of a program, the caches, and what never costs more than time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver import artifacts, codegen, graph
from hologram.driver.codegen import Job
from hologram.driver.source import read_source
from hologram.lowering.targets.objects.native import to_assembly
from hologram.runtime import cache as caches
from hologram.runtime.cache import CacheStats
from hologram.runtime.devices import Status, find_device
from hologram.runtime.fingerprint import VERSION, compiler_fingerprint
from hologram.support.host_target import host_target
from runtime_programs import add, buffer, constant, program, record

ABORTS = """
declare i32 @llvm.amdgcn.workitem.id.x()
define i32 @main() {
  %r = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %r
}
"""
VECTOR = np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def stats(monkeypatch: pytest.MonkeyPatch) -> CacheStats:
    fresh = CacheStats()
    monkeypatch.setattr(caches, "STATS", fresh)
    monkeypatch.setattr(graph, "STATS", fresh)
    return fresh


def object_code(text: str = "") -> bytes:
    return codegen.generate_here(Job("ll", "x.ll"), (text or add()).encode())


def assembly(text: str) -> str:
    return to_assembly(text, host_target())


def check_adds(kernel: hologram.Kernel) -> None:
    np.testing.assert_array_equal(kernel(VECTOR, VECTOR), VECTOR * 2)


def fails(code: str, source: Any, *words: str, **options: Any) -> hologram.HologramError:
    with pytest.raises(hologram.HologramError) as caught:
        hologram.compile(source, **options)
    assert caught.value.code == code, str(caught.value)
    for word in words:
        assert word in str(caught.value)
    return caught.value


# Forms


def test_text_and_bytes():
    check_adds(hologram.compile(add()))
    check_adds(hologram.compile(add().encode()))
    check_adds(hologram.compile(object_code()))
    check_adds(hologram.compile(read_source(add())))


@pytest.mark.parametrize("suffix", [".ll", ".opt.ll", ".s", ".o"])
@pytest.mark.parametrize("isolate", ["never", "foreign"])
def test_files(suffix: str, isolate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stats: CacheStats):
    monkeypatch.setenv("HOLOGRAM_ISOLATE", isolate)
    path = tmp_path / f"add{suffix}"
    path.write_bytes({".s": assembly(add()).encode(), ".o": object_code()}.get(suffix, add().encode()))
    check_adds(hologram.compile(path))
    check_adds(hologram.compile(str(path)))
    assert (stats.compiled, stats.memory_hits) == (suffix != ".o", 1)
    graph.clear_memory()
    check_adds(hologram.compile(path))
    assert (stats.compiled, stats.disk_hits) == (suffix != ".o", 1)


def test_levels_of_optimisation(stats: CacheStats):
    for level in (0, 1, 2, 3):
        check_adds(hologram.compile(add(), opt_level=level))
    assert stats.compiled == 4
    fails("compile-opt-level", add(), opt_level=4)
    fails("argument-type", add(), opt_level=True)


def test_several_entries():
    one, two = (program(record([buffer("x")], name=n, symbol=n)) for n in ("one", "two"))
    records = [record([buffer("x")], name=n, symbol=n) for n in ("one", "two")]
    text = constant(records) + "".join(t.partition("\n")[2] for t in (one, two))
    assert hologram.compile(text, entry="two").name == "two"
    fails("entry-ambiguous", text, "'one', 'two'")
    fails("entry-unknown", text, "did you mean 'two'?", entry="twoo")


def test_entry_names_a_function_that_is_not_there():
    fails("object-symbol", program(record([], symbol="main")).replace("@main(", "@other("), "'main'")


@pytest.mark.parametrize(
    ("name", "data", "code", "word"),
    [
        ("x.txt", b"", "source-extension", ".mlir"),
        ("x.mlr", b"", "source-extension", "did you mean '.mlir'?"),
        ("x.mlir", b"\xff\xfe", "source-encoding", "byte 0"),
        ("x.ll", b"define void @f( {", "llvm-ir-refused", "x.ll:1:18"),
        ("x.ll", b"define void @f() { ret void }", "object-no-record", "hologram_entries"),
        ("x.ll", b'target triple = "wasm32-unknown-unknown"', "llvm-ir-other-target", "wasm32"),
        ("x.o", b"nonsense", "object-broken", "x.o"),
        ("x.ll", (constant("[]") + "define void @f() { ret void }").encode(), "entry-none", "public"),
        (
            "x.ll",
            (add() + "declare void @nowhere_to_be_found()\ndefine void @f() {\n  call void @nowhere_to_be_found()\n"
             "  ret void\n}\n").encode(),
            "object-unresolved", "nowhere_to_be_found",
        ),
    ],
)  # fmt: skip
def test_wrong_files(name: str, data: bytes, code: str, word: str, tmp_path: Path):
    (tmp_path / name).write_bytes(data)
    fails(code, tmp_path / name, word)


def test_missing_files(tmp_path: Path):
    (tmp_path / "saxpy.ll").write_text(add())
    fails("source-missing", tmp_path / "saxpi.ll", "did you mean 'saxpy.ll'?")
    assert fails("source-missing", tmp_path / "zzzzz.mlir").hint is None
    fails("source-missing", "zzzzz", "braces")
    fails("source-missing", tmp_path / "no" / "x.ll", "no folder")
    fails("source-missing", "a\0b/x\0y.mlir")
    (tmp_path / "folder.ll").mkdir()
    fails("source-unreadable", tmp_path / "folder.ll", "directory")


def test_wrong_types():
    fails("source-type", 42, "found int")
    fails("source-type", print, "hint: put @hologram.jit or @hologram.kernel before it")


# Isolation


def test_what_kills_llvm_does_not_kill_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "foreign")
    (tmp_path / "x.s").write_text("  nop\n  frobnicate %eax\n")
    error = fails("llvm-assembly", tmp_path / "x.s", "frobnicate")
    assert error.where is not None
    assert error.where.line == 2
    (tmp_path / "x.ll").write_text(ABORTS)
    fails("llvm-abort", tmp_path / "x.ll", "LLVM gave up on it", "amdgcn")
    damaged = bytearray(object_code())
    for i in range(len(damaged) - 400, len(damaged) - 200):
        damaged[i] ^= 0x55
    (tmp_path / "x.o").write_bytes(damaged)
    with pytest.raises(hologram.InputError):
        hologram.compile(tmp_path / "x.o")
    (tmp_path / "x.ll").write_text("define void @f( {")
    fails("llvm-ir-refused", tmp_path / "x.ll", "x.ll:1:18")


def test_helper_runs_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder of the working directory must not stand in for the package."""
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "foreign")
    (tmp_path / "hologram").mkdir()
    (tmp_path / "hologram" / "__init__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    check_adds(hologram.compile(add()))


# Caches


def test_memory_and_disk(stats: CacheStats, cache_dir: Path):
    hologram.compile(add())
    hologram.compile(add())
    graph.clear_memory()
    check_adds(hologram.compile(add()))
    assert (stats.compiled, stats.memory_hits, stats.disk_hits, stats.written) == (1, 1, 1, 1)
    assert len([p for p in cache_dir.rglob("*") if p.is_file()]) == 1


def test_no_cache(stats: CacheStats, cache_dir: Path):
    for _ in range(2):
        check_adds(hologram.compile(add(), cache=False))
    assert stats.compiled == 2
    assert not cache_dir.exists()


def test_the_key_knows_what_matters(stats: CacheStats, monkeypatch: pytest.MonkeyPatch):
    hologram.compile(add())
    hologram.compile(add() + "\n; changed")
    hologram.compile(add(), opt_level=1)
    monkeypatch.setattr(artifacts, "compiler_fingerprint", lambda: "another version")
    hologram.compile(add())
    other = host_target().changed(features=host_target().features + ",-avx")
    monkeypatch.setattr(artifacts, "prepare_host", lambda: other)
    hologram.compile(add())
    assert stats.compiled == 5
    assert stats.memory_hits == stats.disk_hits == 0


@pytest.mark.parametrize("content", [b"garbage", b"", None])
def test_broken_entries_are_replaced(stats: CacheStats, cache_dir: Path, content: bytes | None):
    hologram.compile(add())
    (path,) = (p for p in cache_dir.rglob("*") if p.is_file())
    path.write_bytes(path.read_bytes()[:-5] if content is None else content)
    graph.clear_memory()
    check_adds(hologram.compile(add()))
    assert (stats.compiled, stats.broken) == (2, 1)
    graph.clear_memory()
    check_adds(hologram.compile(add()))
    assert stats.disk_hits == 1


def test_unusable_cache_folder(stats: CacheStats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "file" / "below"))
    check_adds(hologram.compile(add()))
    assert stats.write_failures == 1


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(graph._loaded, "limit", 2)  # pyright: ignore[reportPrivateUsage]
    kernels = [hologram.compile(f"{add()}; {n}\n") for n in range(4)]
    assert len(graph._loaded) == 2  # pyright: ignore[reportPrivateUsage]
    for kernel in kernels:
        check_adds(kernel)


COLD = """
import sys
import hologram
assert not {"numpy", "llvmlite", "xdsl", "blake3"} & set(sys.modules)
kernel = hologram.compile(sys.argv[1])
assert hologram.cache_stats().compiled == int(sys.argv[2]), hologram.cache_stats()
assert "xdsl.ir" not in sys.modules
import numpy as np
x = np.ones(3, np.float32)
assert (kernel(x, x) == 2).all()
"""


def test_another_process_finds_it_without_xdsl(tmp_path: Path):
    path = tmp_path / "add.ll"
    path.write_text(add())
    for compiled in ("1", "0"):
        subprocess.run([sys.executable, "-c", COLD, str(path), compiled], check=True, timeout=60)


def test_fork_and_exit():
    """Kernels work in a forked child, and neither process hangs or dies at its end."""
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    code = (
        "import os, sys, hologram, numpy as np\n"
        "k = hologram.compile(sys.stdin.read()); x = np.ones(3, np.float32)\n"
        "pid = os.fork()\n"
        "assert (k(x, x) == 2).all()\n"
        "if pid: sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    subprocess.run([sys.executable, "-c", code], input=add(), text=True, check=True, timeout=60)


def test_fingerprint():
    found = compiler_fingerprint()
    assert found.startswith(VERSION)
    for name in ("pipelines.py", "compilation.py", "half_floats"):
        assert name in found
    assert "xdsl-" in found
    assert "llvmlite-" in found


# Devices


def test_devices():
    found = hologram.devices()
    assert found["cpu"].ready
    assert not found["cpu"].why
    for name in ("cuda", "vulkan", "webgpu", "opencl", "wasm"):
        assert found[name].ready or (found[name].why and "cpu" in found[name].fix)


def test_named_devices():
    fails("device-unknown", add(), "did you mean 'cuda'?", device="cudo:0")
    fails("device-unknown", add(), "the devices are cpu", device="abacus")
    fails("argument-type", add(), "argument 'device' of 'compile' must be a text", device=3)
    assert hologram.compile(add(), device="cpu").device == "cpu"


@pytest.mark.usefixtures("no_gpus")
def test_auto_says_which(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOLOGRAM_DEBUG", "1")
    assert hologram.compile(add(), device="auto").device == "cpu"
    assert "device 'cpu' is used" in capsys.readouterr().err
    assert find_device("auto") == "cpu"


def test_debug_says_what_happens(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOLOGRAM_DEBUG", "1")
    hologram.compile(add())
    graph.clear_memory()
    hologram.compile(add())
    assert "'<text>' compiled in" in (err := capsys.readouterr().err)
    assert "'<text>' found in the cache" in err


def test_status_is_plain_data():
    assert Status("x", "y", True, "", "").ready


# The package


def test_lazy_names():
    assert set(hologram.__all__) <= set(dir(hologram))
    for name in hologram.__all__:
        assert getattr(hologram, name) is not None
    with pytest.raises(AttributeError, match="hologram has no 'nonsense'"):
        _ = hologram.nonsense  # pyright: ignore


def test_one_version():
    import tomllib

    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == hologram.__version__ == VERSION


def test_a_trap_shows_no_line_of_another_text():
    """Two texts have no other name than <text>."""
    load = "func.func @main(%i: index, %x: memref<?xf32>, %y: memref<f32>) {\n"
    load += "  %v = memref.load %x[%i] : memref<?xf32>\n  memref.store %v, %y[] : memref<f32>\n  func.return\n}\n"
    kernel = hologram.compile(load)
    hologram.compile("func.func @main(%x: memref<?xf32>) {\n  // another text\n  func.return\n}\n")
    with pytest.raises(hologram.TrapError) as caught:
        kernel(7, np.ones(3, np.float32), np.zeros((), np.float32))
    assert "<text>:2:3: error: program 'main' trapped" in str(caught.value)
    assert "memref.load %x[%i]" in str(caught.value)
