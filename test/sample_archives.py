"""Archives that tests read: small, with all kinds of sections, and the same on every machine."""

from __future__ import annotations

from hologram.runtime.archive import Archive, Code, Constant, EntryRecord, Extension, Host, Program
from hologram.runtime.entry import Argument

ADD = """\
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
"""
HOST = Host("x86_64-unknown-linux-gnu", "generic", ("avx2", "sse2"))


def entry(name: str, dtype: str = "f32") -> EntryRecord:
    """A function of two vectors with a result that may be omitted."""
    vectors = [Argument(x, "buffer", dtype, (None,), None, "read") for x in "ab"]
    result = Argument("r", "buffer", dtype, (None,), None, "write", "(a[0],)")
    return EntryRecord(name, (*vectors, result), ("a[0] == b[0]", "a[0] == r[0]"))


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


__all__ = ["ADD", "HOST", "entry", "sample"]
