"""Programs as LLVM IR with entry records, written by hand: the runtime's tests need no lowering."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hologram

Array = NDArray[Any]

LLVM_TYPES = {
    "f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double", "index": "i64", "bool": "i8",
    **{f"{sign}{bits}": f"i{bits}" for sign in "iu" for bits in (8, 16, 32, 64)},
}  # fmt: skip


def buffer(
    name: str,
    dtype: str = "f32",
    shape: Sequence[int | None] = (None,),
    access: str = "read",
    result: str | None = None,
    strides: Sequence[int | None] | None = None,
) -> dict[str, Any]:
    """A buffer argument of a record."""
    return {
        "name": name, "kind": "buffer", "dtype": dtype, "shape": list(shape),
        "strides": None if strides is None else list(strides), "access": access, "result": result,
    }  # fmt: skip


def scalar(name: str, dtype: str) -> dict[str, Any]:
    """A scalar argument of a record."""
    return {"name": name, "kind": "scalar", "dtype": dtype}


def record(arguments: Sequence[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """An entry record."""
    return {
        "version": 1, "name": "main", "symbol": "main", "arguments": list(arguments), "constraints": [],
        "trap": False, "sites": [], "launch": "call", **more,
    }  # fmt: skip


def constant(records: Any) -> str:
    """The global that holds the records."""
    text = records if isinstance(records, str) else json.dumps(records)
    spelled = "".join(c if c.isalnum() or c in " ,:.[]{}()" else f"\\{ord(c):02X}" for c in text)
    return f'@hologram_entries = constant [{len(text) + 1} x i8] c"{spelled}\\00"\n'


def parameters(entry: dict[str, Any]) -> str:
    """The parameters of the entry's function by the launch ABI."""
    buffers = [a for a in entry["arguments"] if a["kind"] == "buffer"]
    found = [f"ptr %{a['name']}" for a in buffers]
    for a in buffers:
        found += [f"i64 %{a['name']}_n{i}" for i, n in enumerate(a["shape"]) if n is None]
        found += [f"i64 %{a['name']}_s{i}" for i, s in enumerate(a["strides"] or ()) if s is None]
    found += [f"{LLVM_TYPES[a['dtype']]} %{a['name']}" for a in entry["arguments"] if a["kind"] == "scalar"]
    return ", ".join(found + ["ptr %trap"] * entry["trap"])


def packed(entry: dict[str, Any]) -> str:
    """The packed form of an entry's function."""
    types = [parameter.split()[0] for parameter in parameters(entry).split(", ") if parameter]
    loads = "".join(
        f"  %a{i} = getelementptr i64, ptr %words, i64 {i}\n  %v{i} = load {type}, ptr %a{i}\n"
        for i, type in enumerate(types)
    )
    values = ", ".join(f"{type} %v{i}" for i, type in enumerate(types))
    call = f"  call void @{entry['symbol']}({values})\n  ret void\n"
    return f"define void @{entry['symbol']}.packed(ptr %words) {{\n{loads}{call}}}\n"


def program(entry: dict[str, Any], body: str = "  ret void\n", extra: str = "", pack: bool = True) -> str:
    """LLVM IR with one entry, whose function has this body; with its packed form unless `pack` is false."""
    said = {**entry, "packed": f"{entry['symbol']}.packed"} if pack else entry
    text = f"{constant([said])}{extra}define void @{entry['symbol']}({parameters(entry)}) {{\nentry:\n{body}}}\n"
    return text + packed(entry) if pack else text


def loop(count: str, body: str) -> str:
    """A loop over `%i` below `count`, then a return."""
    return (
        f"  %some = icmp sgt i64 {count}, 0\n  br i1 %some, label %loop, label %exit\n"
        f"loop:\n  %i = phi i64 [0, %entry], [%next, %loop]\n{body}"
        f"  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, {count}\n"
        "  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n"
    )


def add(dtype: str = "f32") -> str:
    """c = a + b over vectors; c may be omitted."""
    kind = LLVM_TYPES[dtype]
    op = "fadd" if dtype[0] in "fb" else "add"
    args = [buffer("a", dtype), buffer("b", dtype), buffer("c", dtype, access="write", result="(a[0],)")]
    body = "".join(f"  %p{x} = getelementptr {kind}, ptr %{x}, i64 %i\n" for x in "abc")
    body += f"  %x = load {kind}, ptr %pa\n  %y = load {kind}, ptr %pb\n  %z = {op} {kind} %x, %y\n"
    body += f"  store {kind} %z, ptr %pc\n"
    return program(record(args, constraints=["a[0] == b[0]"]), loop("%a_n0", body))


def scale(strided: bool = False) -> str:
    """x[i] *= f in place; with `strided`, for any stride."""
    args = [buffer("x", access="readwrite", strides=[None] if strided else None), scalar("f", "f32")]
    step = "  %o = mul i64 %i, %x_s0\n" if strided else "  %o = add i64 %i, 0\n"
    body = f"{step}  %p = getelementptr float, ptr %x, i64 %o\n  %v = load float, ptr %p\n"
    body += "  %w = fmul float %v, %f\n  store float %w, ptr %p\n"
    return program(record(args), loop("%x_n0", body))


def identity(dtype: str) -> str:
    """Stores a scalar to an output of rank 0."""
    args = [scalar("v", dtype), buffer("r", dtype, [], "write", "()")]
    return program(record(args), f"  store {LLVM_TYPES[dtype]} %v, ptr %r\n  ret void\n")


def divide() -> str:
    """q = n / d of scalars, trapping in lane 3 where d is 0."""
    args = [scalar("n", "i64"), scalar("d", "i64"), buffer("q", "i64", [], "write", "()")]
    sites = ["atlas.div: division by zero; at file.mlir:3:5"]
    body = """  %zero = icmp eq i64 %d, 0
  br i1 %zero, label %bad, label %good
bad:
  store i64 1, ptr %trap
  %lane = getelementptr i64, ptr %trap, i64 1
  store i64 3, ptr %lane
  %value = getelementptr i64, ptr %trap, i64 2
  store i64 %n, ptr %value
  ret void
good:
  %r = sdiv i64 %n, %d
  store i64 %r, ptr %q
  ret void
"""
    return program(record(args, trap=True, sites=sites), body)


class Counted:
    """Counts how often a call went through Python."""

    slow = 0


def vector(n: int = 5, dtype: Any = np.float32) -> Array:
    return np.arange(n).astype(dtype)


def double_in_threads(adder: hologram.Kernel, size: int) -> None:
    """Adds arrays to themselves in four threads at once."""
    wrong: list[int] = []

    def work(n: int) -> None:
        a = np.full(size, n, np.float32)
        if any((adder(a, a) != 2 * n).any() for _ in range(50)):
            wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
