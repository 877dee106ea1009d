"""Class memory: pointers into it and accesses of neighbours, by the interpreter and on the CPU; what the host sees."""

from __future__ import annotations

import random

import numpy as np
import pytest

import hologram
from hologram import classes
from hologram.errors import HologramError, LaunchError, TrapError
from hologram.interpreter.core.state import AtlasState
from state_programs import compare, program, reference

NEIGHBOURS = program(
    "%n: memref<?xi32>, %y: memref<?xf32>",
    """%c = atlas.cls.get
  %page = atlas.special lane.x : i32
  %byte = atlas.mov_imm 16 : i32
  %p = atlas.bound.map f32 %c, %page, %byte
  %number = atlas.ldg u32 %n[%i : i64] : memref<?xi32>
  %o = atlas.mov_imm 4 : i64
  %v = atlas.nbr.load f32 %p[%o : i64] : !atlas.ptr<f32, class>, %number
  %own = atlas.ldg f32 %p[] : !atlas.ptr<f32, class>
  %s = atlas.add f32 %v, %own
  %k = atlas.cls.of f32 %p[%o : i64] : !atlas.ptr<f32, class>
  %f = atlas.cvt u32 to f32 %k
  %r = atlas.mad f32 %f, %own, %s
  atlas.stg f32 %r, %y[%i : i64] : memref<?xf32>""",
    grid=100, block=3,
)  # fmt: skip


def filled() -> hologram.Executor:
    executor = hologram.Executor()
    executor.classes.bytes.view(np.float32)[:] = np.random.default_rng(1).normal(0, 1, classes.ARENA_BYTES // 4)
    return executor


def test_neighbours():
    executor = filled()
    n, y = (np.arange(300, dtype=np.int32) // 3 % 5), np.zeros(300, np.float32)
    compare(NEIGHBOURS, n, y, executor=executor)
    for i in range(300):
        c, page = i // 3 % 96, i % 3
        own = executor.classes[c].view(np.float32)[(page * 256 + 16) // 4]
        other = executor.classes[classes.neighbours(c)[n[i]]].view(np.float32)[(page * 256 + 20) // 4]
        assert y[i] == np.float32(np.float32(c) * own) + (other + own)


def stores(dtype: str, block: int = 96) -> str:
    return program(
        f"%x: memref<?x{dtype}>",
        f"""%c32 = atlas.special lane.x : i32
  %zero = atlas.mov_imm 0 : i32
  %p = atlas.bound.map {dtype} %c32, %zero, %zero
  %v = atlas.ldg {dtype} %x[%i : i64] : memref<?x{dtype}>
  atlas.stg {dtype} %v, %p[] : !atlas.ptr<{dtype}, class>
  atlas.bar.sync 0
  %three = atlas.mov_imm 0 : i32
  %w = atlas.nbr.load {dtype} %p[] : !atlas.ptr<{dtype}, class>, %three
  atlas.bar.sync 1
  %o = atlas.mov_imm 64 : i64
  atlas.stg {dtype} %w, %p[%o : i64] : !atlas.ptr<{dtype}, class>""",
        grid=1, block=block,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64", "i8", "i64"])
def test_types(dtype: str):
    executor = hologram.Executor()
    names = {"i8": np.int8, "i64": np.int64, "f16": np.float16, "f32": np.float32, "f64": np.float64}
    x = np.arange(96).astype(names[dtype])
    compare(stores(dtype), x, executor=executor)
    assert [executor.classes[c].view(names[dtype])[0] for c in range(96)] == list(range(96))
    step = 64 // x.itemsize
    assert [executor.classes[c].view(names[dtype])[step] for c in range(96)] == [
        classes.neighbours(c)[0] for c in range(96)
    ]


SCATTER = program(
    "%x: memref<?xf32>, %n: memref<?xi32>",
    """%c = atlas.cls.get
  %zero = atlas.mov_imm 0 : i32
  %p = atlas.bound.map f32 %c, %zero, %zero
  %v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  %number = atlas.ldg u32 %n[%i : i64] : memref<?xi32>
  atlas.nbr.store f32 %v, %p[] : !atlas.ptr<f32, class>, %number""",
    grid=96, block=1,
)  # fmt: skip


def test_neighbour_stores():
    """Each class goes to its e6 neighbour, so no two lanes store to one place."""
    executor = hologram.Executor()
    wanted = [c - 6 if classes.vertex(c).e6 else c + 6 for c in range(96)]
    n = np.array([classes.neighbours(c).index(w) for c, w in enumerate(wanted)], np.int32)
    compare(SCATTER, np.arange(96, dtype=np.float32), n, executor=executor)
    assert [executor.classes[w].view(np.float32)[0] for w in wanted] == list(range(96))


def test_races_are_those_of_global_memory():
    """Class 1 is a neighbour of 0 and of 2: two blocks store to it."""
    n = np.zeros(96, np.int32)
    with pytest.raises(TrapError, match="data race") as caught:
        reference(SCATTER, [np.zeros(96, np.float32), n])
    assert caught.value.code == "trap-race"


def test_arguments_in_class_memory_race_too():
    state = AtlasState()
    x = state.classes.view(np.float32)[: 12288 // 4 * 96 : 12288 // 4]
    n = np.array([classes.neighbours(c).index(c - 6 if classes.vertex(c).e6 else c + 6) for c in range(96)], np.int32)
    with pytest.raises(TrapError, match="data race"):
        reference(SCATTER, [x, n], state)


# Traps


def bound(dtype: str = "f32", offset: int = 0) -> str:
    return program(
        "%c: memref<?xi32>, %g: memref<?xi32>, %b: memref<?xi32>, %y: memref<?xi64>",
        f"""%1 = atlas.ldg u32 %c[%i : i64] : memref<?xi32>
  %2 = atlas.ldg u32 %g[%i : i64] : memref<?xi32>
  %3 = atlas.ldg u32 %b[%i : i64] : memref<?xi32>
  %p = atlas.bound.map {dtype} %1, %2, %3
  %o = atlas.mov_imm {offset} : i64
  %v = atlas.ldg {dtype} %p[%o : i64] : !atlas.ptr<{dtype}, class>
  %k = atlas.cls.of {dtype} %p[%o : i64] : !atlas.ptr<{dtype}, class>
  %w = atlas.cvt u32 to i64 %k
  atlas.stg i64 %w, %y[%i : i64] : memref<?xi64>""",
        grid=1, block=1,
    )  # fmt: skip


CASES = [
    (bound(), (96, 0, 0), "trap-class-place", "place out of class memory", r"\(values 96, 96\)"),
    (bound(), (0, 48, 0), "trap-class-place", "place out of class memory", r"\(values 48, 48\)"),
    (bound(), (0, 0, 256), "trap-class-place", "place out of class memory", r"\(values 256, 256\)"),
    (bound(), (-1, -1, -1), "trap-class-place", "= 4294967295", r"\(values 4294967295, 96\)"),
    (bound(), (95, 47, 253), "trap-out-of-range", "out of range", r"out of range \(values 1179645, 1179648\)"),
    (bound("f64"), (3, 0, 4), "trap-misaligned", "aligned", r"misaligned address \(values 36868, 8\)"),
    (bound("f32", -4), (0, 0, 0), "trap-out-of-range", "out of range", r"out of range \(values -4, 1179648\)"),
]


@pytest.mark.parametrize(("text", "place", "code", "ours", "theirs"), CASES)
def test_places_trap(text: str, place: tuple[int, int, int], code: str, ours: str, theirs: str):
    arrays = [*(np.array([n], np.int32) for n in place), np.zeros(1, np.int64)]
    with pytest.raises(TrapError, match=ours) as caught:
        reference(text, arrays)
    assert caught.value.code == code
    with pytest.raises(TrapError, match=theirs):
        hologram.compile(text)(*arrays)


def test_the_last_place():
    arrays = [np.array([n], np.int32) for n in (95, 47, 252)]
    y = np.zeros(1, np.int64)
    compare(bound(), *arrays, y)
    assert y[0] == 95


@pytest.mark.parametrize(("c", "i"), [(0, 5), (1, 6), (95, -1)])
def test_neighbour_past_the_degree(c: int, i: int):
    text = SCATTER.replace("%c = atlas.cls.get", f"%c = atlas.mov_imm {c} : i32").replace("constant 96", "constant 1")
    arrays = (np.zeros(1, np.float32), np.array([i], np.int32))
    with pytest.raises(TrapError, match=f"past the degree in lane .*class = {c}, i = {i % 2**32}") as caught:
        reference(text, arrays)
    assert caught.value.code == "trap-neighbour"
    with pytest.raises(TrapError, match=rf"at or past the degree \(values {c}, {i % 2**32}\)"):
        hologram.compile(text)(*arrays)
    hologram.compile(text)(arrays[0], np.zeros(1, np.int32))


# The host


def test_the_host_sees_class_memory():
    executor = hologram.Executor()
    assert len(executor.classes) == 96
    assert executor.classes[5].shape == (12288,)
    assert executor.classes[5].dtype == np.uint8
    assert sum(len(c) for c in executor.classes) == classes.ARENA_BYTES
    executor.classes[5][:] = 7
    assert executor.classes.bytes[classes.address(5) : classes.address(6)].sum() == 7 * 12288
    assert executor.classes.bytes.sum() == 7 * 12288
    assert executor.classes[5:7].size == 2 * 12288
    assert executor.classes[96:].size == 0
    assert executor.classes.address % 4096 == 0
    for wrong in (96, -1):
        with pytest.raises(HologramError, match="class is .* out of the range of 0 to 95"):
            executor.classes[wrong]
    with pytest.raises(HologramError, match="do not lie one after another"):
        executor.classes[0:8:2]


def test_each_executor_has_its_own():
    text = stores("f32")
    first, second = hologram.Executor(), hologram.Executor()
    first.compile(text)(np.full(96, 3, np.float32))
    assert first.classes[9].view(np.float32)[0] == 3
    assert not second.classes.bytes.any()
    kernel = hologram.compile(text)
    kernel(np.full(96, 4, np.float32))
    assert hologram.default_executor().classes[9].view(np.float32)[0] == 4
    assert kernel.classes is hologram.default_executor("cpu").classes
    assert first.classes[9].view(np.float32)[0] == 3


def test_memory_outlives_its_executor_while_a_kernel_or_a_view_does():
    kernel = hologram.Executor().compile(stores("f32"))
    kernel(np.full(96, 5, np.float32))
    view = kernel.classes[3]
    del kernel
    assert view.view(np.float32)[0] == 5


def test_arguments_must_lie_elsewhere():
    executor = hologram.Executor()
    inside = executor.allocate(96)
    with pytest.raises(LaunchError, match="argument 'x' lies in class memory, which 'main' reaches by itself"):
        executor.compile(stores("f32"))(inside)
    hologram.compile(stores("f32"))(inside)  # memory of another executor's is like any
    reads = NEIGHBOURS.replace("atlas.stg f32 %r, %y[%i : i64] : memref<?xf32>", "")
    executor.compile(reads)(np.zeros(300, np.int32), np.zeros(300, np.float32))


# Buffers and the allocator


def test_buffers():
    executor = hologram.Executor()
    one = executor.allocate(3072)
    two = executor.allocate((2, 3072))
    assert (one.classes, two.classes) == (range(0, 1), range(1, 3))
    assert one.array.ctypes.data == executor.classes.address
    assert one.nbytes == 12288
    assert len(two) == 2
    one.copy_from(np.arange(3072))
    assert one.copy()[7] == 7
    assert not one.is_empty
    assert executor.classes[0].view(np.float32)[7] == 7
    large = executor.allocate(788_480, "u8")
    assert not large.classes
    assert not executor.classes.overlaps(large.array)
    assert repr(large) == "<hologram.Buffer u8[788480] in plain memory>"
    assert repr(two) == "<hologram.Buffer f32[2, 3072] in classes 1 to 2>"
    assert len(executor.allocate(48 * 12288, "u8").classes) == 48
    empty = executor.allocate(0)
    assert empty.is_empty
    assert not empty.classes
    one.free()
    one.free()
    with pytest.raises(HologramError, match="the buffer was freed"):
        one.copy()
    again = executor.allocate(1)
    assert again.classes == range(0, 1)
    assert not again.array.any()
    assert repr(one) == "<hologram.Buffer, freed>"
    with executor.allocate(5000) as inside:
        assert len(inside.classes) == 2
    assert 1 not in executor.classes.allocator.free
    assert repr(executor).endswith("93 classes free>")
    for shape, dtype in (((-1,), "f32"), (3, "f99")):
        with pytest.raises(HologramError, match="buffer"):
            executor.allocate(shape, dtype)


def test_kernels_take_buffers():
    executor = hologram.Executor()
    a, b = executor.allocate(100), executor.allocate(100)
    a.copy_from(np.arange(100))
    double = program("%x: memref<?xf32>, %y: memref<?xf32>", """%v = atlas.ldg f32 %x[%i : i64] : memref<?xf32>
  %w = atlas.add f32 %v, %v
  atlas.stg f32 %w, %y[%i : i64] : memref<?xf32>""", grid=25)  # fmt: skip
    executor.compile(double)(a, b)
    assert b.array.tolist() == [2 * n for n in range(100)]
    assert executor.classes[1].view(np.float32)[99] == 198


def test_single_classes_come_last_in_first_out():
    allocator = hologram.Executor().classes.allocator
    first = [allocator.allocate(1) for _ in range(4)]
    assert [run.start for run in first] == [0, 1, 2, 3]
    for run in (first[1], first[3]):
        allocator.release(run)
    assert [allocator.allocate(1).start for _ in range(3)] == [3, 1, 4]


def test_runs_are_the_lowest_that_fit():
    allocator = hologram.Executor().classes.allocator
    runs = [allocator.allocate(8) for _ in range(12)]
    assert [run.start for run in runs] == list(range(0, 96, 8))
    with pytest.raises(HologramError, match="no place for 1 class in class memory: none is free"):
        allocator.allocate(1)
    for run in (runs[2], runs[5], runs[6]):
        allocator.release(run)
    with pytest.raises(HologramError, match="no place for 17 classes.* 24 are free, in 2 runs of at most 16"):
        allocator.allocate(17)
    assert allocator.allocate(9) == range(40, 49)
    assert allocator.allocate(8) == range(16, 24)


def test_no_class_is_lost():
    rng = random.Random(11)
    allocator = hologram.Executor().classes.allocator
    held: list[range] = []
    for _ in range(4000):
        if held and rng.random() < 0.5:
            allocator.release(held.pop(rng.randrange(len(held))))
            continue
        try:
            held.append(allocator.allocate(rng.choice((1, 1, 1, 2, 3, 8, 48))))
        except HologramError:
            assert held
    taken = sorted(c for run in held for c in run)
    assert len(set(taken)) == len(taken)
    assert sorted([*taken, *allocator.free]) == list(range(96))
    for run in held:
        allocator.release(run)
    assert allocator.free == tuple(range(96))
    assert allocator.allocate(48) == range(48)


def test_launch_config():
    config = hologram.LaunchConfig.linear(1000)
    assert (config.grid, config.block, config.total_threads) == ((4, 1, 1), (256, 1, 1), 1024)
    assert hologram.LaunchConfig.linear(1, block=7).total_threads == 7
    assert hologram.LaunchConfig.grid_2d(33, 16) == hologram.LaunchConfig((3, 1, 1), (16, 16, 1))
    assert hologram.LaunchConfig((2, 3, 4), (5, 6, 7), 64).total_threads == 24 * 210
    for wrong in (
        lambda: hologram.LaunchConfig((0, 1, 1), (1, 1, 1)), lambda: hologram.LaunchConfig((1, 1, 1), (1, 1, 1), -1),
        lambda: hologram.LaunchConfig((1 << 32, 1, 1), (1, 1, 1)), lambda: hologram.LaunchConfig.linear(0),
        lambda: hologram.LaunchConfig.linear(5, block=0), lambda: hologram.LaunchConfig.grid_2d(0, 4),
    ):  # fmt: skip
        with pytest.raises(LaunchError):
            wrong()
