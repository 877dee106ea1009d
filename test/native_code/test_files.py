"""The LLVM IR of the C sources: it is what the sources give, it calls what the runtime finds for it and no more, and it
agrees with Python on the numbers that both sides have.
"""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path

import pytest

from hologram.classes import ARENA_BYTES, CLASS_COUNT
from hologram.driver.c.table import DTYPES
from hologram.lowering.targets.objects import elf
from hologram.lowering.targets.objects.native import to_object
from hologram.runtime import native
from hologram.runtime.devices.cuda import host as cuda_host
from hologram.runtime.launch import device_prepared, launch_table, launcher
from hologram.support.host_target import HostTarget
from native_code.compile_c import COMPILER, FILES, SOURCES, TRIPLES, compiled, files

MODULES = pytest.mark.parametrize(
    ("module", "platform", "path"), [pytest.param(*row, id=row[2].stem) for row in files()]
)
LIBRARY_FUNCTIONS = "aligned_alloc dlclose dlerror dlopen dlsym free memcpy memset strcmp vsnprintf".split()
"""The C library of `hologram.h` is linked by programs in C, so it may call what it likes of Linux's C libraries."""
CALLED = {
    native.LAUNCH: native.LAUNCHER_FUNCTIONS,
    native.PREPARED_LAUNCH: device_prepared.PYTHON_FUNCTIONS,
    native.THREAD_POOL: (*native.POOL_FUNCTIONS, *native.LINUX_FUNCTIONS, *native.PLACEMENT_FUNCTIONS),
    native.CUDA_LAUNCH: (),
    native.HALF_FLOATS: (),
    native.C_LIBRARY: LIBRARY_FUNCTIONS,
}
DEFINED = {
    native.LAUNCH: {*native.LAUNCHER_SYMBOLS},
    native.PREPARED_LAUNCH: {"hologram_prepared"},
    native.THREAD_POOL: {*native.POOL_SYMBOLS},
    native.CUDA_LAUNCH: {*cuda_host.COMPILED},
    native.HALF_FLOATS: {*native.HALF_SYMBOLS},
    native.C_LIBRARY: {f"hologram_{name}" for name in "open close find run launch new_classes sum_value".split()},
}  # fmt: skip


@pytest.mark.tools
@MODULES
def test_files_are_what_the_sources_give(module: str, platform: str, path: Path):
    assert COMPILER in os.environ, "'make test-tools' names the compiler"
    assert path.read_text(encoding="utf-8") == compiled(module, platform), "run 'make native'"


def test_there_are_no_other_files():
    assert {*FILES.glob("*.ll")} == {path for _, _, path in files()}
    assert {path.stem for path in SOURCES.glob("*.c")} == {module for module, _, _ in files()}


def image_of(platform: str, path: Path) -> bytes:
    """The object file that the runtime makes on a platform."""
    _, triple = TRIPLES[platform]
    return to_object(path.read_text(encoding="utf-8"), HostTarget(triple, "", ""), 1)


@MODULES
def test_what_objects_define_and_call(module: str, platform: str, path: Path):
    text = path.read_text(encoding="utf-8")
    declared = {name for name in re.findall(r'^declare .*?@"?(?:\\01_)?([\w.]+)', text, re.MULTILINE)}
    called = {name for name in declared if not name.startswith("llvm.")}
    assert called <= {*CALLED[module]}
    defined = set(
        re.findall(r"^(?:define|@)(?!.*\b(?:internal|private)\b).*?@?(hologram_\w+|__\w+?f2)\b", text, re.MULTILINE)
    )
    assert defined == DEFINED[module]
    image = image_of(platform, path)
    if platform.endswith("linux"):
        symbols = elf.read_object(image, path.name).symbols
        outside = {s.name for s in symbols if s.section is None and s.binding != elf.LOCAL}
        assert outside <= {*CALLED[module]}
        assert elf.link_shared([(module, image)], f"{module}.so")
    elif module != native.THREAD_POOL:
        # What LLVM calls by itself: the runtime does not look for it there.
        assert not re.search(rb"memset|memcpy|memmove|chkstk|stack_chk", image)


def constant(header: str, name: str) -> int:
    """The names and numbers of an enumeration of a header."""
    found = re.search(rf"\b{name} = (-?\d+)", (SOURCES / header).read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(
    ("header", "name", "value"),
    [
        ("launch_table.h", "MAX_WORDS", native.MAX_WORDS),
        ("launch_table.h", "MAX_ARGUMENTS", native.MAX_ARGUMENTS),
        ("launch_table.h", "MAX_RANK", native.MAX_RANK),
        ("launch_table.h", "ANY_SIZE", launch_table.ANY),
        ("launch_watch.h", "RECORD_WORDS", native.RECORD_WORDS),
        ("launch_table.h", "CLASS_COUNT", CLASS_COUNT),
        ("launch_table.h", "CLASS_MEMORY_BYTES", ARENA_BYTES),
        ("shape_expression.h", "MAX_STACK", native.MAX_STACK),
        ("cuda_launch.c", "TOO_LARGE", cuda_host.TOO_LARGE),
        ("cuda_launch.c", "COPY", cuda_host.COPIED),
        ("cuda_launch.c", "REPLAY", cuda_host.REPLAYED),
    ],
)
def test_constants(header: str, name: str, value: int):
    assert constant(header, name) == value


def members(header: str, kind: str) -> list[str]:
    """The names in an enumeration, or the names of a struct's fields."""
    text = re.sub(r"/\*.*?\*/", "", (SOURCES / header).read_text(encoding="utf-8"), flags=re.DOTALL)
    found = re.search(rf"\b{kind} \{{(.*?)\}};", text, re.DOTALL)
    assert found is not None
    if kind.startswith("enum"):
        return re.findall(r"\w+", found[1])
    # Of a pointer to a function the name stands before its parameters; `a, b` are two fields.
    declarations = re.sub(r"\)\s*\(.*?\)", "", found[1], flags=re.DOTALL)
    return re.findall(r"(\w+)(?:\[\d+\])?\s*[,;]", declarations)


OPERATIONS = {
    "+": "ADD", "-": "SUBTRACT", "*": "MULTIPLY", "//": "FLOOR_DIVIDE", "%": "MODULO", "min": "MINIMUM",
    "max": "MAXIMUM", "==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS", "<=": "LESS_EQUAL", ">": "GREATER",
    ">=": "GREATER_EQUAL",
}  # fmt: skip


def test_orders_of_numbers():
    operations = members("shape_expression.h", "enum shape_operation")
    assert operations == [OPERATIONS.get(step, step.upper()) for step in native.STEPS]
    formats = members("launch_table.h", "enum number_format")
    short = [name.replace("uint", "u").replace("float", "f").replace("int", "i") for name in launcher.NUMBERS]
    assert [name[3:].lower() for name in formats] == [name.replace("bool_", "boolean") for name in short]
    kinds = members("launch_table.h", "enum argument_kind")
    assert [kinds.index(name) for name in ("ARRAY", "F64", "F32", "INTEGER", "BOOLEAN")] == [
        launch_table.BUFFER, launch_table.F64, launch_table.F32, launch_table.INTEGER, launch_table.BOOLEAN
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("struct", "mirror"),
    [
        ("kernel", cuda_host.KernelSlot),
        ("context", cuda_host.Context),
        ("driver", cuda_host.DriverFunctions),
    ],
)
def test_structs_of_cuda(struct: str, mirror: type[ctypes.Structure]):
    """Fields in the same number, of 64 bits each."""
    names = members("cuda_launch.c", f"struct {struct}")
    assert len(names) == len(mirror._fields_)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    words = ctypes.sizeof(mirror) // 8
    assert words == len(names) + (6 if struct == "context" else 0)


def test_names_of_element_types():
    text = (SOURCES / "c_library.c").read_text(encoding="utf-8")
    found = re.findall(r'\[HOLOGRAM_(\w+)\] = "(\w+)"', text)
    assert [name for _, name in found] == [*DTYPES]
    assert all(number == name.upper() for number, name in found)
