"""Class memory and R of programs that the C library runs."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.driver.c import library
from hologram.driver.c.prototypes import program_header
from hologram.runtime.entry import Argument, Entry
from state_programs import READ_CLASSES, program

from . import calls
from .calls import Failed, Library, compiled, value

WRITES = program(
    "%x: memref<?xf32>",
    """%c = atlas.cls.get
  %zero = atlas.mov_imm 0 : i32
  %p = atlas.bound.map f32 %c, %zero, %zero
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  atlas.stg f32 %v, %p[] : !atlas.ptr<f32, class>""",
    grid=96, block=1,
)  # fmt: skip


class State(ctypes.Structure):
    """hologram_state."""

    _fields_ = [("classes", ctypes.c_void_p), ("resonance", ctypes.c_int64 * 192)]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Library:
    path = tmp_path_factory.mktemp("library") / "libhologram.so"
    path.write_bytes(library.library_shared())
    found = Library(path)
    found.code.hologram_launch.restype = ctypes.c_int64
    found.code.hologram_new_classes.restype = ctypes.c_void_p
    found.code.hologram_sum_value.restype = ctypes.c_double
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds both programs, compiled."""
    found = tmp_path_factory.mktemp("programs")
    for name, text in (("reads", READ_CLASSES), ("writes", WRITES)):
        (found / f"{name}.mlir").write_text(text)
        compiled(found / f"{name}.mlir", found)
    return found


@pytest.fixture(scope="module")
def reads(lib: Library, folder: Path) -> ctypes.c_void_p:
    return lib.find(lib.open(folder / "reads.so"), "main")


@pytest.fixture(scope="module")
def writes(lib: Library, folder: Path) -> ctypes.c_void_p:
    return lib.find(lib.open(folder / "writes.so"), "main")


def launch(lib: Library, entry: ctypes.c_void_p, array: np.ndarray, state: State | None) -> None:
    row, error = (calls.Value * 1)(value(array)), calls.Error()
    given = None if state is None else ctypes.byref(state)
    calls.check(lib.code.hologram_launch(entry, row, ctypes.c_int64(1), given, ctypes.byref(error)), error)


def test_programs_share_class_memory_and_leave_r(lib: Library, reads: ctypes.c_void_p, writes: ctypes.c_void_p):
    state = State(lib.code.hologram_new_classes())
    assert state.classes is not None
    assert state.classes % 16 == 0
    memory = np.ctypeslib.as_array((ctypes.c_float * (1_179_648 // 4)).from_address(state.classes))
    assert not memory.any()
    x, y = (np.arange(96, dtype=np.float32) - 40) / 7, np.zeros(96, np.float32)
    launch(lib, writes, x, state)
    assert not any(state.resonance)
    for _ in range(2):
        launch(lib, reads, y, state)
        assert np.array_equal(x, y)
        assert np.array_equal(memory[::3072], x)
        resonance = hologram.Resonance.from_words(list(state.resonance))
        assert list(resonance) == x.tolist()
        sums = [ctypes.byref(state.resonance, 16 * c) for c in range(96)]
        assert [lib.code.hologram_sum_value(s) for s in sums] == x.tolist()
    ctypes.CDLL(None).free(ctypes.c_void_p(state.classes))


def test_class_memory_of_the_caller(lib: Library, reads: ctypes.c_void_p):
    executor = hologram.Executor()
    executor.classes[7].view(np.float32)[0] = 3
    y = np.zeros(96, np.float32)
    launch(lib, reads, y, State(executor.classes.address))
    assert y.tolist() == [3 * (c == 7) for c in range(96)]


def test_what_is_refused(lib: Library, reads: ctypes.c_void_p, writes: ctypes.c_void_p):
    executor = hologram.Executor()
    inside, y = executor.classes[3:5].view(np.float32)[:96], np.zeros(96, np.float32)
    state = State(executor.classes.address)
    for entry in (reads, writes):
        with pytest.raises(Failed, match="lies in class memory, which the program reaches by itself") as caught:
            launch(lib, entry, inside, state)
        assert caught.value.status == calls.BAD_ARGUMENT
        for nothing in (None, State(None)):
            with pytest.raises(Failed, match="main reaches class memory: run it by hologram_launch"):
                launch(lib, entry, y, nothing)
        with pytest.raises(Failed, match="main reaches class memory"):
            lib.call(entry, y)
    with pytest.raises(Failed, match="class memory is not aligned to 16 bytes"):
        launch(lib, reads, y, State(executor.classes.address + 8))
    assert not any(state.resonance)


def test_a_trap_leaves_the_sums_of_lanes_that_ended(lib: Library, reads: ctypes.c_void_p):
    executor = hologram.Executor()
    executor.classes.bytes.view(np.float32)[::3072] = 1
    executor.classes[90].view(np.float32)[0] = np.nan
    with pytest.raises(Failed, match=r"main: atlas.res.accum.*; lane 90"):
        launch(lib, reads, np.zeros(96, np.float32), State(executor.classes.address))


SUMS = [
    0, 1, -1, 1 << 64, -(1 << 64), (1 << 127) - 1, -(1 << 127), (1 << 53) + 1, (1 << 54) + 2, (1 << 54) + 6,
    (1 << 120) + (1 << 67), (1 << 120) + (1 << 67) + 1, -((1 << 120) + (1 << 67) + 1), (1 << 64) - 1, 3 << 62,
]  # fmt: skip


@pytest.mark.parametrize("fixed", SUMS)
def test_a_sum_as_a_double(lib: Library, fixed: int):
    words = (ctypes.c_int64 * 2).from_buffer_copy(fixed.to_bytes(16, "little", signed=True))
    found = lib.code.hologram_sum_value(words)
    assert found == float(Fraction(fixed, 1 << 64))
    assert math.copysign(1, found) == (-1 if fixed < 0 else 1)


MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "hologram.h"
int main(void) {
  hologram_program program;
  hologram_error error;
  const hologram_entry *entry;
  hologram_state state = {hologram_new_classes(), {{0, 0}}};
  if (!state.classes || hologram_open("./reads.so", &program, &error) ||
      hologram_find(&program, "main", &entry, &error))
    return puts(error.message), 1;
  float y[HOLOGRAM_CLASSES];
  for (int c = 0; c < HOLOGRAM_CLASSES; c++) ((float *)state.classes)[c * HOLOGRAM_CLASS_BYTES / 4] = c * 0.5f;
  int64_t n[] = {HOLOGRAM_CLASSES};
  hologram_value arguments[] = {hologram_array(HOLOGRAM_F32, y, 1, n)};
  if (hologram_launch(entry, arguments, 1, &state, &error)) return puts(error.message), 1;
  printf("%g %g\\n", y[95], hologram_sum_value(&state.resonance[94]));
  free(state.classes);
  hologram_close(&program);
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no 'cc'")
def test_from_c(folder: Path, tmp_path: Path):
    (tmp_path / "reads.so").write_bytes((folder / "reads.so").read_bytes())
    (tmp_path / "hologram.h").write_text(library.header())
    (tmp_path / "libhologram.so").write_bytes(library.library_shared())
    (tmp_path / "main.c").write_text(MAIN)
    link = ["-I.", "-L.", "-lhologram", "-Wl,-rpath,.", "-o", "main"]
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", *link], cwd=tmp_path, check=True)
    found = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout == "47.5 47\n"


def test_prototypes_name_what_a_launch_passes():
    entry = Entry("f", "f", (Argument("classes", "scalar", "i64"),), trap=True, classes="read", resonance="readwrite")
    words = "int64_t *trap, const void *classes, int64_t *resonance);"
    assert f"void f(int64_t classes_, {words}" in program_header([entry], "reads")
    entry = Entry("f", "f", (), classes="readwrite")
    assert "void f(void *classes);" in program_header([entry], "reads")


@pytest.mark.parametrize("name", ["for", "class", "a.b", "\u00e9"])
def test_what_c_can_not_say_has_no_prototype(name: str):
    text = program_header([Entry(name, name, ()), Entry("trap", "trap", ())], "words")
    assert f"C has no name for the symbol '{name}'." in text
    assert f"void {name}(" not in text
    assert "void trap(void);" in text
