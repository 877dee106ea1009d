"""Archives that tests read: small, with all kinds of sections, and the same on every machine."""

from __future__ import annotations

from hologram.driver.artifacts import ENTRIES, LOADABLE, OBJECT, Request
from hologram.driver.graph import Build
from hologram.driver.source import Source
from hologram.driver.targets import CPU
from hologram.runtime.archive import Archive, Code, Constant, Extension, Host, Program
from hologram.runtime.archive.records import said
from hologram.runtime.entry import Argument, Entry

ADD = """\
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
PROGRAMS = {
    "add": ADD
    + """
func.func @add_f64(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
  %0 = hologram.add %a, %b : tensor<?xf64>
  func.return %0 : tensor<?xf64>
}
""",
    "softmax": """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = hologram.softmax %x {axis = 1 : i64} : tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
""",
    "divide": """
func.func @divide(%x: memref<?xi32>, %d: i32) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xi32>
  %q = atlas.div i32 %v, %d
  memref.store %q, %x[%c0] : memref<?xi32>
  func.return
}
""",
}
"""Two entries; one called `main`, with parallel loops; one that traps."""
HOST = Host("x86_64-unknown-linux-gnu", "generic", ("avx2", "sse2"))


def entry(name: str, dtype: str = "f32") -> Entry:
    """A function of two vectors with a result that may be omitted."""
    vectors = [Argument(x, "buffer", dtype, (None,), None, "read") for x in "ab"]
    result = Argument("r", "buffer", dtype, (None,), None, "write", "(a[0],)")
    return Entry(name, "", (*vectors, result), ("a[0] == b[0]", "a[0] == r[0]"))


def compiled(name: str, *, shared: bool = True) -> Program:
    """One of `PROGRAMS`, compiled for this machine."""
    source = Source("mlir", f"{name}.mlir", PROGRAMS[name].encode())
    form = LOADABLE if shared else OBJECT
    made = Build(source, cache=False).get([Request(form, CPU), Request(ENTRIES, CPU)])
    artifact, entries = made[Request(form, CPU)], made[Request(ENTRIES, CPU)].entries
    code = Code("cpu", artifact.about.get("format", "object"), artifact.data, Host.here())
    return Program(name, source.name, "", source.data, None, tuple(map(said, entries)), (code,))


def sample() -> Archive:
    """Two programs, one with two entries and codes for two targets; constants; extensions."""
    codes = (
        Code("webgpu", "wgsl", b"// text", None, {"bindings": "8"}),
        Code("cpu", "object", b"\x7fELF no more than this", HOST),
    )
    add = Program(
        "add", "vector/add.py", "ab" * 32, ADD.encode(), b"\x89ATLAS", (entry("add"), entry("add_f64", "f64")), codes
    )
    sub = Program("sub", "vector/sub.py", "", b"// nothing", None, (entry("main"),))
    constants = (
        Constant("bias", "f32", (3,), bytes(12)),
        Constant("tokens", "u8", (2, 2), b"abcd"),
        Constant("weights", "f64", (2,), bytes(16)),
        Constant("none", "i64", (0, 5), b""),
    )
    extensions = (Extension("org.example.note", b"hello"), Extension("org.example.empty", b""))
    return Archive((sub, add), constants, extensions, "hologram 0.1.0", {"license": "MIT"})


__all__ = ["ADD", "HOST", "PROGRAMS", "compiled", "entry", "sample"]
