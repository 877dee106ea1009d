"""Shared objects of our linker: for C compilers and their linkers where there are any, and for aarch64."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hologram.lowering.targets.objects import elf as elf_object
from hologram.lowering.targets.objects.elf import link_shared
from hologram.lowering.targets.objects.native import to_object
from hologram.support.host_target import HostTarget
from in_process import run_tool

ROOT = Path(__file__).resolve().parents[2]
X86 = HostTarget("x86_64-unknown-linux-gnu", "x86-64", "")
ARM = HostTarget("aarch64-unknown-linux-gnu", "generic", "")

FIRST = """
@counter = global i64 40
@spread = global [1000 x i64] zeroinitializer
@constants = constant [4 x ptr] [ptr @counter, ptr @second, ptr getelementptr (i8, ptr @counter, i64 8), ptr null]
declare i64 @second(i64)
declare i64 @labs(i64)
declare double @nowhere(double)
@here = weak global ptr @labs
define i64 @first(i64 %x) {
  %c = load i64, ptr @counter
  %a = call i64 @labs(i64 %x)
  %b = call i64 @second(i64 %a)
  %at = getelementptr [1000 x i64], ptr @spread, i64 0, i64 999
  %s = load i64, ptr %at
  %r = add i64 %b, %c
  %t = add i64 %r, %s
  ret i64 %t
}
define i64 @indirect(i64 %x) {
  %f = load ptr, ptr @here
  %r = call i64 %f(i64 %x)
  ret i64 %r
}
define internal double @unused(double %x) {
  %r = call double @nowhere(double %x)
  ret double %r
}
"""
SECOND = """
define i64 @second(i64 %x) {
  %r = mul i64 %x, 10
  ret i64 %r
}
"""
SPARE = "define i64 @spare(i64 %x) { ret i64 %x }"


def objects(target: HostTarget) -> list[tuple[str, bytes]]:
    return [("first", to_object(FIRST, target)), ("second", to_object(SECOND, target))]


def has(compiler: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(compiler) is None, reason=f"there is no '{compiler}'")


def test_two_objects_and_what_the_process_has(tmp_path: Path):
    from hologram.support.host_target import host_target

    path = tmp_path / "both.so"
    text = FIRST.replace("call double @nowhere(double %x)", "fadd double %x, %x")
    images = [("first", to_object(text, host_target())), ("second", to_object(SECOND, host_target()))]
    path.write_bytes(link_shared(images, "both.so", [("spare", to_object(SPARE, host_target()))]))
    code = ctypes.CDLL(str(path))
    for name in ("first", "indirect"):
        function = getattr(code, name)
        function.restype, function.argtypes = ctypes.c_int64, [ctypes.c_int64]
    assert code.first(-7) == 110
    assert code.indirect(-7) == 7
    pointers = (ctypes.c_int64 * 4).in_dll(code, "constants")
    counter = ctypes.addressof(ctypes.c_int64.in_dll(code, "counter"))
    assert pointers[0] == counter
    assert pointers[1] == ctypes.cast(code.second, ctypes.c_void_p).value
    assert (pointers[2], pointers[3]) == (counter + 8, 0)
    assert not hasattr(code, "spare")


def test_an_archive_gives_what_is_wanted(tmp_path: Path):
    first, second = objects(X86)
    image = link_shared([first], "first.so", [second, ("spare", to_object(SPARE, X86))])
    assert b"\0second\0" in image
    assert b"\0spare\0" not in image


def sections(image: bytes) -> list[tuple[int, ...]]:
    """The section headers."""
    fields: tuple[Any, ...] = elf_object.HEADER.unpack_from(image)
    return [elf_object.SECTION.unpack_from(image, fields[6] + 64 * i) for i in range(fields[12])]


def dynamic_symbols(image: bytes) -> dict[str, int]:
    """The addresses of the symbols of a shared object, by its section headers."""
    headers = sections(image)
    table = next(h for h in headers if h[1] == 11)
    names = image[headers[table[6]][4] :]
    rows: list[tuple[int, ...]] = [*elf_object.SYMBOL.iter_unpack(image[table[4] : table[4] + table[5]])]
    return {names[name : names.index(b"\0", name)].decode(): value for name, _, _, _, value, _ in rows}


def at(image: bytes, address: int) -> int:
    """The place in the file of an address."""
    segments: list[tuple[int, ...]] = [*struct.iter_unpack("<IIQQQQQQ", image[64 : 64 + 3 * 56])]
    for kind, _, offset, start, _, size, _, _ in segments:
        if kind == 1 and start <= address < start + size:
            return offset + address - start
    raise AssertionError(hex(address))


def page_of(word: int, place: int) -> int:
    """The page that ADRP at `place` gives."""
    number = (word >> 5 & 0x7FFFF) << 2 | word >> 29 & 3
    return (place & -4096) + ((number ^ 1 << 20) - (1 << 20)) * 4096


def test_aarch64_addresses():
    """Pages, their low bits, slots and branches, decoded again from the instructions."""
    image = link_shared(objects(ARM), "both.so")
    symbols = dynamic_symbols(image)
    start = symbols["first"]
    code: tuple[int, ...] = struct.unpack_from("<64I", image, at(image, start))
    branches: list[int] = []
    pages: dict[int, int] = {}
    loads: list[int] = []
    for i, word in enumerate(code[: code.index(0xD65F03C0)]):
        place = start + 4 * i
        if word >> 26 == 0b100101:
            offset = word & 0x3FFFFFF
            branches.append(place + 4 * ((offset ^ 1 << 25) - (1 << 25)))
        elif word & 0x9F000000 == 0x90000000:
            pages[word & 31] = page_of(word, place)
        elif word & 0xFFC00000 == 0xF9400000 and (word >> 5 & 31) in pages:
            loads.append(pages[word >> 5 & 31] + (word >> 10 & 0xFFF) * 8)
    assert symbols["second"] in branches
    # Exported data is reached through slots, which the loader fills with base plus addend.
    slots = {place: addend for place, info, addend in relocations(image) if info == 1027}
    assert {slots.get(place) for place in loads} >= {symbols["counter"], symbols["spread"]}
    # The other branch goes to code that jumps to what its slot holds: labs.
    (outside,) = (b for b in branches if b != symbols["second"])
    adrp, load, jump, _ = struct.unpack_from("<4I", image, at(image, outside))
    slot = page_of(adrp, outside) + (load >> 10 & 0xFFF) * 8
    assert (jump, load & 0x3FF) == (0xD61F0220, 0x211)
    assert "labs" in names_of(image, slot)


def relocations(image: bytes) -> list[tuple[int, int, int]]:
    table = next(h for h in sections(image) if h[1] == 4)
    return [*struct.iter_unpack("<QQq", image[table[4] : table[4] + table[5]])]


def names_of(image: bytes, slot: int) -> list[str]:
    """The symbols that the loader puts into a slot."""
    names = list(dynamic_symbols(image))
    return [names[info >> 32] for place, info, _ in relocations(image) if place == slot and info & 0xFFFFFFFF == 1025]


@pytest.mark.parametrize("cut", [5, 63, 64, 200, 400, -1])
def test_damaged_objects(cut: int):
    from hologram.errors import InputError

    _, image = objects(X86)[0]
    with pytest.raises(InputError, match="'first' can't be linked"):
        link_shared([("first", image[:cut])], "x.so")


@has("readelf")
def test_readelf_has_no_complaint(tmp_path: Path):
    for target in (X86, ARM):
        path = tmp_path / "both.so"
        path.write_bytes(link_shared(objects(target), "both.so"))
        done = subprocess.run(["readelf", "--all", "--wide", str(path)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@has("cc")
@pytest.mark.parametrize("language", ["c", pytest.param("c++", marks=has("c++"))])
def test_the_example(tmp_path: Path, language: str):
    example = ROOT / "examples" / "saxpy.c"
    program = ROOT / "examples" / "saxpy.mlir"
    assert run_tool("hologram-compile", [str(program), "--c-library", "."], cwd=tmp_path).code == 0
    flags = ["-std=c99"] if language == "c" else ["-std=c++17", "-x", "c++", "-fpermissive", "-w"]
    link = ["-I.", "-L.", "-x", "none", "-lhologram", "-Wl,-rpath,.", "-o", "saxpy"]
    build = ["cc" if language == "c" else "c++", *flags, "-Wall", "-Wextra", "-Werror", str(example), *link]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(["./saxpy", "./saxpy.so"], cwd=tmp_path, check=True, capture_output=True, text=True)
    signature = "saxpy(a: f32, x: f32[?], y: f32[?]) -> (r: f32[?])"
    assert done.stdout == f"{signature}\n1000 results, the last is 1999\n"


def test_the_page_shows_the_example():
    page = (ROOT / "docs" / "c.mdx").read_text(encoding="utf-8")
    assert (ROOT / "examples" / "saxpy.c").read_text(encoding="utf-8") in page


DIRECT = """
#include <stdio.h>
#include "program.h"
int main(void) {
  float x[] = {1, 2, 3}, y[] = {10, 20, 30}, r[3];
  saxpy(x, y, r, 3, 3, 3, 2);
  printf("%g %g %g\\n", r[0], r[1], r[2]);
  return 0;
}
"""


@has("cc")
@pytest.mark.parametrize("output", ["program.so", "program.o"])
def test_direct_calls(tmp_path: Path, output: str):
    """The header's prototype, and an image that the C compiler links."""
    program = str(ROOT / "examples" / "saxpy.mlir")
    assert run_tool("hologram-compile", [program, "-o", output, "--header", "program.h"], cwd=tmp_path).code == 0
    (tmp_path / "main.c").write_text(DIRECT)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", f"./{output}", "-Wl,-rpath,.", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(["./main"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "12 24 36\n"
