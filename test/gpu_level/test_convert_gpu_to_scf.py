"""convert-gpu-to-scf: lowered kernels do what lanes in lockstep do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func

from gpu_level.kernels import Size, bodies, kernel
from gpu_level.simulate import lower, run_lanes, run_lowered

INPUT = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int64)
BLOCKS: list[Size] = [(1, 1, 1), (4, 1, 1), (2, 3, 1), (1, 2, 2), (2, 1, 3), (3, 2, 2), (1, 1, 5)]


def check(body: str, grid: Size, block: Size, sizes: str = "launch") -> list[int]:
    """Runs both ways; gives the output."""
    text = kernel(body, grid, block, sizes=sizes)
    count = int(np.prod(grid) * np.prod(block))
    expected, actual = np.zeros(count, np.int64), np.zeros(count, np.int64)
    with np.errstate(over="ignore"):
        run_lanes(text, "kernel", grid, block, INPUT, expected, 8)
        run_lowered(text, INPUT, actual, 8, *((*grid, *block) if sizes == "dynamic" else ()))
    assert actual.tolist() == expected.tolist()
    return actual.tolist()


REDUCTION = """
  %x = memref.load %in[%lane] : memref<?xi64>
  memref.store %x, %s[%lane] : memref<64xi64, #gpu.address_space<workgroup>>
  "gpu.barrier"() : () -> ()
  %half = arith.divui %lanes, %c2 : index
  %end = scf.while (%d = %half) : (index) -> index {
    %more = arith.cmpi ne, %d, %c0 : index
    scf.condition(%more) %d : index
  } do {
  ^bb0(%d: index):
    %mine = arith.cmpi ult, %lane, %d : index
    scf.if %mine {
      %o = arith.addi %lane, %d : index
      %a = memref.load %s[%lane] : memref<64xi64, #gpu.address_space<workgroup>>
      %b = memref.load %s[%o] : memref<64xi64, #gpu.address_space<workgroup>>
      %c = arith.addi %a, %b : i64
      memref.store %c, %s[%lane] : memref<64xi64, #gpu.address_space<workgroup>>
    }
    "gpu.barrier"() : () -> ()
    %h = arith.divui %d, %c2 : index
    scf.yield %h : index
  }
  %sum = memref.load %s[%c0] : memref<64xi64, #gpu.address_space<workgroup>>
  %y = arith.subi %sum, %x : i64
  memref.store %y, %out[%gid] : memref<?xi64>
"""


@pytest.mark.parametrize("sizes", ["known", "launch", "dynamic"])
@pytest.mark.parametrize("block", [(8, 1, 1), (2, 2, 2), (1, 4, 1), (1, 1, 1)])
def test_block_reduction(block: Size, sizes: str):
    count = int(np.prod(block))
    result = check(REDUCTION, (2, 1, 1), block, sizes)
    assert result == [int(INPUT[:count].sum() - INPUT[i]) for i in range(count)] * 2


SWAP = """
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %tid, %q = %k7) -> (i64, i64) {
    "gpu.barrier"() : () -> ()
    scf.yield %q, %p : i64, i64
  }
  %m = arith.muli %r#0, %k8 : i64
  %v = arith.addi %m, %r#1 : i64
  memref.store %v, %out[%gid] : memref<?xi64>
"""


def test_carried_values_are_copied_in_parallel():
    assert check(SWAP, (1, 1, 1), (3, 1, 1)) == [7 * 8 + lane for lane in range(3)]


def test_grid_positions():
    body = """
      %a = arith.muli %bz, %c8 : index
      %b = arith.addi %a, %by : index
      %c = arith.muli %b, %c8 : index
      %d = arith.addi %c, %bx : index
      %v = arith.index_cast %d : index to i64
      memref.store %v, %out[%gid] : memref<?xi64>
    """
    assert check(body, (2, 3, 2), (1, 1, 1)) == [z * 64 + y * 8 + x for z in range(2) for y in range(3) for x in (0, 1)]


def test_uniform_assert_ends_the_launch():
    body = """
      %ok = arith.cmpi eq, %n, %c0 : index
      cf.assert %ok, "n is not 0"
      memref.store %k1, %out[%gid] : memref<?xi64>
    """
    out = np.zeros(2, np.int64)
    run_lowered(kernel(body, (2, 1, 1), (1, 1, 1)), INPUT, out, 8)
    assert out.tolist() == [0, 0]


@pytest.mark.slow
@given(
    bodies(),
    st.sampled_from(BLOCKS),
    st.sampled_from([(1, 1, 1), (2, 1, 1), (1, 2, 2)]),
    st.sampled_from(["known", "launch", "dynamic"]),
)
@settings(max_examples=50)
def test_random_kernels(body: str, block: Size, grid: Size, sizes: str):
    check(body, grid, block, sizes)


def lowered_text(body: str, block: Size = (4, 1, 1)) -> str:
    return str(lower(kernel(body, (1, 1, 1), block)))


def test_without_barriers_there_is_one_lane_loop_and_no_array():
    text = lowered_text("memref.store %tid, %out[%gid] : memref<?xi64>")
    assert text.count("scf.for") == 1
    assert text.count("memref.alloca") == 1  # the workgroup attribution


def test_uniform_values_run_once_for_the_block():
    text = lowered_text("%d = arith.muli %bid, %k3 : i64\n memref.store %d, %out[%gid] : memref<?xi64>")
    assert text.index("%d = arith.muli") < text.index("scf.for")


def test_division_stays_behind_what_guards_it():
    body = """
      %ok = arith.cmpi ne, %n, %c0 : index
      %bad = arith.cmpi eq, %tid, %k9 : i64
      %good = arith.xori %ok, %bad : i1
      cf.assert %good, "n is 0"
      %q = arith.divui %c8, %n : index
      %i = arith.index_cast %q : index to i64
      memref.store %i, %out[%gid] : memref<?xi64>
    """.replace("%k9", "%k8")
    text = lowered_text(body)
    assert text.index("cf.assert") < text.index("arith.divui %c8")
    assert check(body, (1, 1, 1), (2, 1, 1)) == [1, 1]


def test_lanes_keep_buffers_across_barriers_with_lanes_contiguous():
    body = """
      %b = memref.alloca() : memref<2xi64>
      memref.store %tid, %b[%c1] : memref<2xi64>
      "gpu.barrier"() : () -> ()
      %v = memref.load %b[%c1] : memref<2xi64>
      memref.store %v, %out[%gid] : memref<?xi64>
    """
    assert "memref<2x4xi64>" in lowered_text(body)
    assert check(body, (1, 1, 1), (4, 1, 1)) == [0, 1, 2, 3]


def test_views_are_made_again_behind_a_barrier():
    body = """
      %b = memref.subview %in[%lane][4][1] : memref<?xi64> to memref<4xi64, strided<[1], offset: ?>>
      %v = memref.load %b[%c0] : memref<4xi64, strided<[1], offset: ?>>
      "gpu.barrier"() : () -> ()
      %w = memref.load %b[%c1] : memref<4xi64, strided<[1], offset: ?>>
      %x = arith.addi %v, %w : i64
      memref.store %x, %out[%gid] : memref<?xi64>
    """
    assert check(body, (1, 1, 1), (3, 1, 1)) == [4, 5, 5]


DEVICE_FUNCTION = """
"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    func.func @helper(%k: i64) -> i64 {
      %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %b = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %i = arith.index_cast %t : index to i64
      %j = arith.index_cast %b : index to i64
      %m = arith.muli %j, %k : i64
      %r = arith.addi %i, %m : i64
      func.return %r : i64
    }
    func.func @outer(%k: i64) -> i64 {
      %r = func.call @helper(%k) : (i64) -> i64
      func.return %r : i64
    }
    "gpu.func"() <{function_type = (memref<?xi64>) -> ()}> ({
    ^bb0(%out: memref<?xi64>, %p: memref<1xi64, #gpu.address_space<private>>):
      %g = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
      %c0 = arith.constant 0 : index
      %k = arith.constant 100 : i64
      %v = func.call @outer(%k) : (i64) -> i64
      memref.store %v, %p[%c0] : memref<1xi64, #gpu.address_space<private>>
      "gpu.barrier"() : () -> ()
      %w = memref.load %p[%c0] : memref<1xi64, #gpu.address_space<private>>
      memref.store %w, %out[%g] : memref<?xi64>
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "main"} : () -> ()
  }) : () -> ()
  func.func @helper() {
    func.return
  }
  func.func @main(%out: memref<?xi64>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : i32
    "gpu.launch_func"(%c2, %c2, %c2, %c1, %c1, %c1, %out) <{kernel = @m::@main, operandSegmentSizes
      = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}>
      : (i32, i32, i32, index, index, index, memref<?xi64>) -> ()
    func.return
  }
}) {gpu.container_module} : () -> ()
"""


def test_device_functions_get_ids_and_names_that_are_free():
    out = np.zeros(2, np.int64)
    run_lowered(DEVICE_FUNCTION, out)
    assert out.tolist() == [0, 100]
    names = {op.sym_name.data for op in lower(DEVICE_FUNCTION).walk() if isinstance(op, func.FuncOp)}
    assert names == {"main", "helper", "m_main", "m_helper", "outer"}


def test_dynamic_shared_memory_is_as_large_as_the_launch_says():
    text = """
      "builtin.module"() ({
        "gpu.module"() <{sym_name = "m"}> ({
          "gpu.func"() <{function_type = () -> ()}> ({
            %s = "gpu.dynamic_shared_memory"() : () -> memref<?xi8, #gpu.address_space<workgroup>>
            "gpu.return"() : () -> ()
          }) {gpu.kernel, sym_name = "k"} : () -> ()
        }) : () -> ()
        func.func @main(%n: index, %bytes: i32) {
          "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %bytes) <{kernel = @m::@k, operandSegmentSizes
            = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0>}>
            : (index, index, index, index, index, index, i32) -> ()
          func.return
        }
      }) : () -> ()
    """
    module = str(lower(text))
    assert 'memref.alloc(%shared_bytes) {alignment = 64 : i64, hologram.of = "the arrays of a block"}' in module
    assert "memref.dealloc" in module
    assert "arith.index_cast %bytes : i32 to index" in module
