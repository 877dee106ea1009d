"""The launch ABI and the entry record."""

from __future__ import annotations

import json
from typing import cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Operation

from core_to_llvm.jit import SINGLY, Compiled, lower, records

TEXT = """
func.func @kernel(
    %n: index {hologram.name = "count"},
    %a: memref<?x4xf32>,
    %b: memref<?x?xi32, strided<[?, 1]>> {hologram.type = "u32", hologram.result = "(a[0], 4)"},
    %flag: i1,
    %scale: f64,
    %c: memref<8xi1>,
    %trap: memref<8xi64> {hologram.trap}
) attributes {hologram.constraints = ["a[0] == b[0]"], hologram.sites = ["s0", "s1: \\"quoted\\""], other = 3 : i32} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0, %c0] : memref<?x4xf32>
  %v = "memref.cast"(%c) : (memref<8xi1>) -> memref<?xi1>
  %z = arith.constant 0 : i32
  memref.store %z, %b[%c0, %c0] : memref<?x?xi32, strided<[?, 1]>>
  memref.store %flag, %v[%c0] : memref<?xi1>
  %y = memref.load %v[%c0] : memref<?xi1>
  func.return
}"""
RECORD = {
    "version": 1,
    "name": "kernel",
    "symbol": "kernel",
    "arguments": [
        {"name": "count", "kind": "scalar", "dtype": "index"},
        {
            "name": "a",
            "kind": "buffer",
            "dtype": "f32",
            "shape": [None, 4],
            "strides": None,
            "access": "read",
            "result": None,
        },
        {
            "name": "b",
            "kind": "buffer",
            "dtype": "u32",
            "shape": [None, None],
            "strides": [None, 1],
            "access": "write",
            "result": "(a[0], 4)",
        },
        {"name": "flag", "kind": "scalar", "dtype": "bool"},
        {"name": "scale", "kind": "scalar", "dtype": "f64"},
        {
            "name": "c",
            "kind": "buffer",
            "dtype": "bool",
            "shape": [8],
            "strides": None,
            "access": "readwrite",
            "result": None,
        },
    ],
    "constraints": ["a[0] == b[0]"],
    "trap": True,
    "sites": ["s0", 's1: "quoted"'],
    "launch": "call",
}


def entry(module_text: str) -> Operation:
    return next(op for op in lower(module_text).walk() if "hologram.entry" in op.attributes)


def test_record():
    assert records(lower(TEXT)) == [RECORD]
    assert records(lower(TEXT, SINGLY)) == [RECORD]


def test_record_is_compact():
    value = entry(TEXT).attributes["hologram.entry"]
    assert isinstance(value, StringAttr)
    text = value.data
    assert text == json.dumps(json.loads(text), separators=(",", ":"))


def test_parameters():
    """Pointers, then sizes and strides of each buffer, then scalars, then the trap record."""
    function = entry(TEXT)
    assert "(ptr, ptr, ptr, i64, i64, i64, i64, i64, i8, f64, ptr)" in str(function.properties["function_type"])
    assert set(function.attributes) == {"hologram.entry", "other"}
    given = function.properties["arg_attrs"]
    assert isinstance(given, ArrayAttr)
    items = cast("ArrayAttr[DictionaryAttr]", given).data
    first = [{k: str(v) for k, v in a.data.items()} for a in items]
    noalias = {"llvm.noalias": "unit"}
    assert first[0] == {**noalias, "llvm.align": "4 : i64"}
    assert first[2] == {**noalias, "llvm.nonnull": "unit", "llvm.align": "1 : i64"}
    assert first[3:10] == [{}] * 7
    assert first[10] == {**noalias, "llvm.nonnull": "unit", "llvm.align": "8 : i64"}


def access(body: str, type: str = "memref<8xf32>") -> str:
    text = f"""func.func @f(%m: {type}, %o: {type}, %c: i1) {{
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  {body}
  func.return
}}
func.func private @g({type})"""
    found = {record["arguments"][0]["access"] for record in (records(lower(text))[0], records(lower(text, SINGLY))[0])}
    (one,) = found
    return one


def test_access():
    t = "memref<8xf32>"
    load, store = f"%y = memref.load %m[%c0] : {t}", f"memref.store %x, %m[%c0] : {t}"
    assert access("") == "read"
    assert access(f"%n = memref.dim %m, %c0 : {t}") == "read"
    assert access(load) == "read"
    assert access(store) == "write"
    assert access(load + "\n" + store) == "readwrite"
    assert access(f'"memref.copy"(%m, %o) : ({t}, {t}) -> ()') == "read"
    assert access(f'"memref.copy"(%o, %m) : ({t}, {t}) -> ()') == "write"
    assert access(f"func.call @g(%m) : ({t}) -> ()") == "readwrite"
    assert access(f"%v = vector.load %m[%c0] : {t}, vector<4xf32>") == "read"
    view = f"%v = memref.subview %m[2] [4] [1] : {t} to memref<4xf32, strided<[1], offset: 2>>\n  "
    assert access(view) == "read"
    assert access(view + "memref.store %x, %v[%c0] : memref<4xf32, strided<[1], offset: 2>>") == "write"
    choice = f"%s = arith.select %c, %m, %o : {t}\n  memref.store %x, %s[%c0] : {t}"
    assert access(choice) == "write"


def test_access_through_branches():
    text = """func.func @f(%m: memref<8xf32>, %o: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  cf.cond_br %c, ^bb1(%o, %m : memref<8xf32>, memref<8xf32>), ^bb1(%o, %o : memref<8xf32>, memref<8xf32>)
^bb1(%p: memref<8xf32>, %q: memref<8xf32>):
  memref.store %x, %q[%c0] : memref<8xf32>
  %y = memref.load %p[%c0] : memref<8xf32>
  func.return
}"""
    arguments = records(lower(text))[0]["arguments"]
    assert [a["access"] for a in arguments[:2]] == ["write", "readwrite"]


def test_names():
    """A name is from the attribute, else the value's name, else the number; no name occurs twice."""
    text = """func.func @f(%x_1: memref<1xf32>, %x_2: memref<1xf32>, %0: i64, %y: i64 {hologram.name = "arg2"}) {
  func.return
}"""
    assert [a["name"] for a in records(lower(text))[0]["arguments"]] == ["x", "x_1", "arg2", "arg2_1"]


def test_functions_with_results_are_no_entries():
    module = lower("func.func @f(%v: vector<4xf32>, %n: index) -> index { func.return %n : index }")
    assert records(module) == []
    (function,) = module.body.block.ops
    assert "i64 (vector<4xf32>, i64)" in str(function.properties["function_type"])


def test_private_functions_are_internal():
    module = lower("""func.func private @f(%m: memref<?xf32> {llvm.noalias}, %n: index) { func.return }
func.func private @declared(memref<?x?xf32, strided<[?, 1], offset: ?>>) -> (index, i1)""")
    first, second = module.body.block.ops
    assert "(ptr, i64, i64)" in str(first.properties["function_type"])
    assert "internal" in str(first.properties["linkage"])
    assert "struct<(i64, i1)> (ptr, i64, i64, i64)" in str(second.properties["function_type"])
    assert "external" in str(second.properties["linkage"])


def test_runs():
    """The order of the parameters is that of the record."""
    text = """func.func @f(%s: f32, %a: memref<?xf32>, %k: index, %b: memref<?xf32, strided<[?]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %k to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %s : f32
    memref.store %y, %b[%i] : memref<?xf32, strided<[?]>>
  }
  func.return
}"""
    import ctypes

    a, b = np.arange(4, dtype=np.float32), np.zeros(8, np.float32)
    Compiled(text).call("f", a, b, 4, 4, 2, ctypes.c_float(10), 1)
    assert b.tolist() == [0, 0, 10, 0, 20, 0, 30, 0]
