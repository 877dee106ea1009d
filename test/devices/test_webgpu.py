"""The peculiarities of WebGPU: several arrays in one binding, grids in parts, NaN through operations that clamp."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hologram
from devices.columns import Column
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.errors import DeviceError
from hologram.runtime.devices import open_device

pytestmark = pytest.mark.device
COUNT = 9
BINDINGS = 6
TYPES = ("u32", "f32", "i8", "u16", "i64", "f64", "bool", "f16")


@pytest.fixture(autouse=True)
def here() -> None:
    if missing := Column("webgpu").missing:
        pytest.skip(missing)


@pytest.fixture
def few_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are made for an adapter that binds fewer buffers."""
    options: Any = open_device("webgpu:0").options
    monkeypatch.setitem(options, "bindings", str(BINDINGS))


def many(atomic: str) -> str:
    """Copies of arrays into as many; the last one counts atomically. The outs are first, so that some of them are bound
    where they lie."""
    lines: list[str] = []
    names = [TYPES[n % len(TYPES)] for n in range(COUNT)]
    for n, t in enumerate(names):
        place = "p0" if t == "bool" else "r4"
        lines.append(
            f"  mov_imm.u64 r2, {DTYPES[t].bytes}\n  mul.u64 r2, r0, r2\n  ldg.{t} {place}, [buf{COUNT + n} + r2]\n"
        )
        lines.append(f"  stg.{t} [buf{n} + r2], {place}\n")
    buffers = ", ".join(f"buf{n}: {t}[?]" for n, t in enumerate([*names, *names, atomic]))
    return (
        f".program many({buffers}) {{\n  .launch block(32, 1, 1)\n  mov.u64 r0, %gid\n{''.join(lines)}"
        f"  mov_imm.u64 r2, 0\n  mov_imm.{atomic} r4, 3\n  atom.add.{atomic} r5, [buf{2 * COUNT} + r2], r4\n"
        "  exit\n}\n"
    )


def inputs() -> list[Any]:
    random = np.random.default_rng(1)
    return [random.integers(0, 2, 64).astype(DTYPES[TYPES[n % len(TYPES)]].numpy) for n in range(COUNT)]


@pytest.mark.parametrize("atomic", ["u32", "f32"])
def test_more_arrays_than_are_bound(atomic: str, few_bindings: None):
    kernel = hologram.Executor("webgpu").compile(many(atomic), cache=False)
    given = inputs()
    outs = [np.zeros_like(a) for a in given]
    total = np.full(3, 7, DTYPES[atomic].numpy)
    kernel(*outs, *given, total, 2, 1, 1)
    for a, b in zip(given, outs, strict=True):
        assert a.tobytes() == b.tobytes()
    assert total.tolist() == [7 + 3 * 64, 7, 7]


def test_rows_of_one_array_in_and_beside_a_joint_binding(few_bindings: None):
    """They are written by one kernel, some where they lie and some in a copy, whose rest is older."""
    kernel = hologram.Executor("webgpu").compile(many("u32"), cache=False)
    rows = hologram.array(np.full((4, 64), 9, np.uint32), device="webgpu")
    given = inputs()
    placed: list[Any] = [hologram.array(np.zeros_like(a), device="webgpu") for a in given]
    assert TYPES[0] == "u32"
    placed[8], placed[0] = rows[0], rows[2]
    kernel(
        *placed,
        *(hologram.array(a, device="webgpu") for a in given),
        hologram.zeros(1, "u32", device="webgpu"),
        2,
        1,
        1,
    )
    nines = np.full(64, 9)
    assert rows.numpy().tolist() == [given[8].tolist(), nines.tolist(), given[0].tolist(), nines.tolist()]


WHERE = """
.program where(buf0: u32[?]) {
  .launch block(1, 1, 1)
  mov.u32 r4, %block.x
  mov.u32 r5, %grid.x
  mov.u32 r6, %block.y
  mul.u32 r7, r6, r5
  add.u32 r7, r7, r4
  mov.u32 r8, %grid.y
  mul.u32 r8, r8, r5
  add.u32 r8, r8, r7
  mov.u64 r0, %gid
  mov_imm.u64 r2, 4
  mul.u64 r0, r0, r2
  stg.u32 [buf0 + r0], r8
  exit
}
"""


@pytest.mark.parametrize("grid", [(1, 1), (65535, 1), (65536, 1), (70001, 1), (3, 65537), (140000, 2)])
def test_grids_beyond_one_dispatch(grid: tuple[int, int]):
    kernel = hologram.Executor("webgpu").compile(WHERE)
    total = grid[0] * grid[1]
    found = np.zeros(total, np.uint32)
    kernel(found, *grid, 1)
    assert (found == total + np.arange(total, dtype=np.uint32)).all()


def test_grids_that_an_index_can_not_number():
    kernel = hologram.Executor("webgpu").compile(WHERE)
    with pytest.raises(DeviceError) as caught:
        kernel(np.zeros(4, np.uint32), 1 << 20, 1 << 12, 1)
    assert caught.value.code == "device-lanes"
    found = np.zeros(2, np.uint32)
    kernel(found, 2, 1, 1)
    assert found.tolist() == [2, 3]


@pytest.mark.parametrize("name", ["exp", "exp2", "expm1", "sigmoid", "tanh", "gelu", "relu"])
def test_nan_stays(name: str):
    text = f"""
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %r = hologram.{name} %x : tensor<?xf32>
  func.return %r : tensor<?xf32>
}}
"""
    found: Any = hologram.compile(text, device="webgpu")(np.array([np.nan, 1.0, -3.0, -np.nan], np.float32))
    assert np.isnan(found).tolist() == [True, False, False, True]


ROUNDED = ("absf", "ceil", "floor", "round", "roundeven", "sqrt", "trunc")


@pytest.mark.parametrize("t", ["f16", "f32", "f64"])
def test_functions_of_constants(t: str):
    """Compilers of WGSL refuse a root of -2.5 that they see, any function of such an f64, and its conversions."""
    lines = [f"%v{n} = math.{name} %c : {t}" for n, name in enumerate(ROUNDED)]
    lines += [f"%n = arith.fptosi %c : {t} to i32", f"%v{len(ROUNDED)} = arith.sitofp %n : i32 to {t}"]
    for n in range(len(lines) - 1):
        lines += [f"%i{n} = arith.constant {n} : index", f"memref.store %v{n}, %o[%i{n}] : memref<?x{t}>"]
    body = "\n    ".join(lines)
    text = f"""
"gpu.module"() <{{sym_name = "kernels"}}> ({{
  "gpu.func"() <{{function_type = (memref<?x{t}>) -> ()}}> ({{
  ^bb0(%o: memref<?x{t}>):
    %c = arith.constant -2.5 : {t}
    {body}
    "gpu.return"() : () -> ()
  }}) {{sym_name = "k", gpu.kernel}} : () -> ()
}}) : () -> ()
func.func @f(%o: memref<?x{t}>) {{
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %o) <{{
    kernel = @kernels::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>
  }}> : (index, index, index, index, index, index, memref<?x{t}>) -> ()
  func.return
}}
"""
    found = np.zeros(len(ROUNDED) + 1, DTYPES[t].numpy)
    hologram.compile(text, device="webgpu")(found)
    np.testing.assert_array_equal(found, [2.5, -2, -3, -3, -2, np.nan, -2, -2])
