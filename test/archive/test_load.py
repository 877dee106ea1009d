"""`hologram.load`: kernels of an archive do what compiled ones do, and nothing is compiled for them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.errors import InputError, LaunchError, TrapError
from hologram.runtime.archive import Archive, Constant, Extension, Program, write
from hologram.runtime.archive import open as open_archive
from hologram.runtime.cache import cache_stats
from hologram.runtime.devices.cpu.shared import SharedModule
from hologram.runtime.launch.kernel import Kernel
from sample_archives import PROGRAMS, compiled

X = np.arange(12, dtype=np.float32)


def is_shared(kernel: Kernel) -> bool:
    """Return whether a kernel's code came from a shared object."""
    return isinstance(kernel._module, SharedModule)  # pyright: ignore[reportPrivateUsage]


def test_kernels_by_name(path: Path):
    kernels = hologram.load(path, strict=True)
    assert sorted(kernels) == ["add", "add_f64", "divide", "softmax"]
    assert kernels.signature("softmax") == "main(x: f32[?x?]) -> (y: f32[?x?])"
    assert len(kernels) == 4
    assert "add" in kernels
    assert "sub" not in kernels
    assert kernels.get("sub") is None
    assert kernels["add"] is kernels["add"]
    assert repr(kernels) == f"<4 kernels of {path} on cpu>"
    with pytest.raises(KeyError, match="did you mean 'add'"):
        _ = kernels["ad"]


@pytest.mark.parametrize("shared", [True, False])
def test_results_are_those_of_the_compiler(shared: bool):
    kernels = hologram.load(write(Archive(tuple(compiled(name, shared=shared) for name in PROGRAMS))), strict=True)
    before = cache_stats().compiled
    x = np.random.default_rng(3).normal(size=(65, 33)).astype(np.float32)
    np.testing.assert_array_equal(kernels["add"](X, X), 2 * X)
    np.testing.assert_array_equal(kernels["add_f64"](X.astype(np.float64), np.ones(12)), X + 1.0)
    found = kernels["softmax"](x)
    assert is_shared(kernels["add"]) == shared
    assert cache_stats().compiled == before
    np.testing.assert_array_equal(found, hologram.compile(PROGRAMS["softmax"])(x))


def test_kernels_are_called_through_compiled_code(path: Path):
    assert type(hologram.load(path)["add"]).__mro__[1] is Kernel


def test_parallel_loops_use_the_pool(path: Path):
    from hologram.runtime.devices.cpu import pool as cpu_pool

    x = np.random.default_rng(1).normal(size=(2000, 1000)).astype(np.float32)
    before = hologram.get_num_threads()
    try:
        hologram.set_num_threads(2)
        found = hologram.load(path)["softmax"](x)
    finally:
        hologram.set_num_threads(before)
    pool = cpu_pool.pool()
    assert pool is not None
    assert pool.workers >= 1
    np.testing.assert_array_equal(found, hologram.compile(PROGRAMS["softmax"])(x))


def test_traps_tell_the_place(path: Path):
    kernel = hologram.load(path)["divide"]
    with pytest.raises(TrapError, match=r"division by zero.*values 7, 0") as caught:
        kernel(np.array([7], np.int32), 0)
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == ("divide.mlir", 5)
    values = np.array([7], np.int32)
    kernel(values, 2)
    assert values[0] == 3


def test_arguments_are_checked(path: Path):
    kernel = hologram.load(path)["add"]
    with pytest.raises(LaunchError, match="does not hold"):
        kernel(X, X[:3])
    assert kernel(X[:0], X[:0]).shape == (0,)


def test_other_strides_are_compiled_from_the_ir(path: Path):
    given = np.arange(24, dtype=np.float32)[::2]
    np.testing.assert_array_equal(hologram.load(path)["add"](given, X), given + X)
    with pytest.raises(LaunchError, match="the archive has no code for others"):
        hologram.load(path, strict=True)["add"](given, X)


def test_a_missing_target_is_compiled_and_kept(programs: tuple[Program, ...]):
    data = write(Archive(tuple(replace(p, codes=()) for p in programs)))
    before = cache_stats()
    np.testing.assert_array_equal(hologram.load(data)["add"](X, X), 2 * X)
    np.testing.assert_array_equal(hologram.load(data)["add_f64"](np.ones(3), np.ones(3)), [2, 2, 2])
    after = cache_stats()
    assert after.compiled + after.disk_hits - before.compiled - before.disk_hits == 1
    with pytest.raises(InputError, match="has no code of program 'add' that cpu can run: it has code for nothing"):
        _ = hologram.load(data, strict=True)["add"]


def test_code_for_a_better_processor_is_left_alone(programs: tuple[Program, ...]):
    code = programs[0].codes[0]
    assert code.host is not None
    host = code.host.changed(features=tuple(sorted((*code.host.features, "avx1024"))))
    data = write(Archive((replace(programs[0], codes=(replace(code, host=host),)),)))
    kernel = hologram.load(data)["add"]
    np.testing.assert_array_equal(kernel(X, X), 2 * X)
    assert not is_shared(kernel)
    with pytest.raises(InputError, match="cpu: this processor has not avx1024"):
        _ = hologram.load(data, strict=True)["add"]


def test_essential_extensions(programs: tuple[Program, ...]):
    data = write(Archive(programs, (), (Extension("org.example.x", b"", essential=True),)))
    with pytest.raises(InputError, match="extension 'org.example.x'"):
        hologram.load(data)
    assert len(hologram.load(data, extensions=["org.example.x"])) == 4


def test_code_of_another_program(programs: tuple[Program, ...]):
    swapped = (replace(programs[0], codes=programs[1].codes), replace(programs[1], codes=programs[0].codes))
    with pytest.raises(InputError, match="has other entries than the archive says"):
        _ = hologram.load(write(Archive(swapped)))["add"]


def test_damaged_code_is_not_loaded(path: Path):
    from hologram.runtime.archive import open

    data = bytearray(path.read_bytes())
    section = open(path).frame.sections[b"CODE", 0, 0]
    data[section.offset + 1000] ^= 8
    kernels = hologram.load(bytes(data))
    with pytest.raises(InputError, match="CODE 0 0 does not fit its digest"):
        _ = kernels["add"]
    assert kernels["divide"] is not None


def test_many_threads_load_one_kernel(path: Path):
    for _ in range(5):
        kernels = hologram.load(path)
        found: list[Kernel] = []
        threads = [threading.Thread(target=lambda: found.append(kernels["add"])) for _ in range(8)]  # noqa: B023
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert len(set(map(id, found))) == 1


def test_kernels_outlive_their_archive(path: Path):
    kernels = [hologram.load(path)["add"] for _ in range(40)]
    for kernel in kernels:
        np.testing.assert_array_equal(kernel(X, X), 2 * X)


FRESH = """
import sys
import numpy as np
import hologram
kernels = hologram.load(sys.argv[1], strict=True)
x = np.ones((300, 1000), np.float32)
assert (kernels["add"](x[0], x[0]) == 2).all()
assert abs(kernels["softmax"](x).sum() - 300) < 1e-3
print(*(name for name in ("llvmlite", "xdsl.ir", "hologram.dialects") if name in sys.modules))
"""


def test_a_fresh_process_loads_no_compiler(path: Path):
    """The first process on a machine asks LLVM what the machine is and makes the runtime's own code; others do not."""

    def run() -> str:
        command = [sys.executable, "-P", "-c", FRESH, str(path)]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout.strip()

    run()
    assert run() == ""


def test_devices_that_are_not_there(path: Path):
    with pytest.raises(hologram.DeviceError, match="there is no device 'cup'"):
        hologram.load(path, device="cup")


@pytest.mark.parametrize("damage", ["cut", "over", "zeros"])
def test_files_that_change_while_they_are_open(damage: str, tmp_path: Path):
    """What was read stays as it was; what is read later is refused. A file that is mapped would end the process."""
    path = tmp_path / "a.holo"
    big = Constant("big", "f32", (1 << 20,), np.ones(1 << 20, np.float32).tobytes())
    path.write_bytes(write(Archive((compiled("add"),), (big,))))
    kernels = hologram.load(path, strict=True)
    kernel, archive = kernels["add"], open_archive(path)
    constant = kernels.archive.array("big")
    size = path.stat().st_size
    with path.open("r+b") as file:
        if damage == "cut":
            file.truncate(4096)
        else:
            file.write(bytes(size) if damage == "zeros" else os.urandom(size))
    assert constant.sum() == 1 << 20
    np.testing.assert_array_equal(kernel(X, X), 2 * X)
    with pytest.raises(InputError) as caught:
        archive.array("big")
    assert caught.value.code == "archive-digest"
