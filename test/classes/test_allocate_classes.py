"""The allocator: its policy under random use, and as a pass over random lifetimes, which changes no result."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

import hologram
from fuzz.counts import PROGRAMS
from hologram.classes import BYTES_PER_CLASS
from hologram.dialects.classes.allocation import FreeClasses, classes_for
from hologram.errors import InputError
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState
from hologram.runtime.memory.class_memory import ClassAllocator
from stages import parse, run_passes


def test_class_free_threshold():
    assert [classes_for(n) for n in (0, 1, BYTES_PER_CLASS, BYTES_PER_CLASS + 1)] == [0, 1, 1, 2]
    assert classes_for(48 * BYTES_PER_CLASS) == 48
    assert classes_for(48 * BYTES_PER_CLASS + 1) == 0
    assert -(-788_480 // BYTES_PER_CLASS) == 65
    assert classes_for(788_480) == 0
    executor = hologram.Executor()
    assert not executor.allocate(788_480, "u8").classes
    assert len(executor.classes.allocator.free) == 96


def test_soak():
    """Random use against a set of free classes: nothing is lost, nothing is taken twice, refusals are right."""
    rng = random.Random(5)
    allocator = FreeClasses()
    free, held, singles = set(range(96)), list[range](), list(range(95, -1, -1))
    for _ in range(20 * PROGRAMS):
        if held and rng.random() < 0.5:
            run = held.pop(rng.randrange(len(held)))
            allocator.give(run)
            assert not free & set(run)
            free |= set(run)
            singles += reversed(run)
            continue
        count = rng.choice((1, 1, 2, 3, 5, 13, 48))
        lowest = next((c for c in range(97 - count) if free.issuperset(range(c, c + count))), None)
        taken = allocator.take(count)
        assert (taken is None) == (lowest is None)
        if taken is None:
            continue
        assert taken.start == (singles[-1] if count == 1 else lowest)
        assert len(taken) == count
        free -= set(taken)
        singles = [c for c in singles if c not in taken]
        held.append(taken)
    for run in held:
        allocator.give(run)
    assert allocator.runs == [range(96)]


def test_freeing_twice_changes_nothing():
    allocator = ClassAllocator()
    taken = allocator.allocate(3)
    allocator.release(taken)
    allocator.release(taken)
    assert allocator.free == tuple(range(96))
    assert {allocator.allocate(1).start for _ in range(96)} == set(range(96))
    with pytest.raises(InputError, match="no place for 1 class in class memory: none is free"):
        allocator.allocate(1)


def test_threads():
    allocator, failed = ClassAllocator(), list[str]()
    owner: dict[int, int] = {}

    def use(number: int) -> None:
        rng = random.Random(number)
        for _ in range(300):
            try:
                taken = allocator.allocate(rng.choice((1, 2, 5)))
            except InputError:
                continue
            for c in taken:
                if owner.setdefault(c, number) != number:
                    failed.append(f"class {c} was taken twice")
            for c in taken:
                del owner[c]
            allocator.release(taken)

    threads = [threading.Thread(target=use, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert allocator.free == tuple(range(96))


# The pass


def program(rng: random.Random) -> str:
    """Buffers made, filled, read into others and freed in random order; what is read in the end goes to %out."""
    lines = ["func.func @f(%out: memref<64xi32>) {"]
    lines += [f"  %i{n} = arith.constant {n} : index" for n in range(64)]
    lines += [f"  %k{n} = arith.constant {1 << n} : i32" for n in range(8)]
    live: dict[str, int] = {}
    count = 0
    for step in range(30):
        if live and rng.random() < 0.4:
            name = rng.choice(list(live))
            size = live.pop(name)
            place = rng.choice((0, 15))
            lines += [
                f"  %x{step} = memref.load {name}[%i{place}] : memref<{size}xi32>",
                f"  %o{step} = memref.load %out[%i{step}] : memref<64xi32>",
                f"  %s{step} = arith.addi %x{step}, %o{step} : i32",
                f"  memref.store %s{step}, %out[%i{step}] : memref<64xi32>",
                *[f"  memref.dealloc {name} : memref<{size}xi32>"] * (rng.random() < 0.7),
            ]
            continue
        size = rng.choice((16, 3072, 3073, 9216, 40_000, 197_120))
        name, count = f"%b{count}", count + 1
        lines.append(f"  {name} = memref.alloc() : memref<{size}xi32>")
        sources = [(n, s) for n, s in live.items() if rng.random() < 0.5]
        for place in (0, 15):
            value = f"%k{rng.randrange(8)}"
            for source, other in sources:
                lines.append(f"  %l{len(lines)} = memref.load {source}[%i{place}] : memref<{other}xi32>")
                lines.append(f"  %a{len(lines)} = arith.addi {value}, %l{len(lines) - 1} : i32")
                value = f"%a{len(lines) - 1}"
            lines.append(f"  memref.store {value}, {name}[%i{place}] : memref<{size}xi32>")
        live[name] = size
    return "\n".join([*lines, "  func.return", "}"])


def test_random_lifetimes():
    rng = random.Random(3)
    taken = 0
    for _ in range(max(4, PROGRAMS // 250)):
        text = program(rng)
        module = parse(text)
        run_passes(module, "allocate-classes")
        taken += str(module).count("class.tile")
        found: list[list[int]] = []
        for form in (parse(text), module):
            out = np.zeros(64, np.int32)
            interpret(form, None, [out], state=AtlasState())
            found.append(out.tolist())
        assert found[0] == found[1]
    assert taken > 10


CALLS = """
func.func @main(%x: memref<4xi32>) {
  %i = arith.constant 0 : index
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  func.call @leaf(%a) : (memref<4xi32>) -> ()
  func.call @again(%a) : (memref<4xi32>) -> ()
  "scf.parallel"(%i, %n, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%j: index):
    func.call @many(%a) : (memref<4xi32>) -> ()
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
func.func private @leaf(%x: memref<4xi32>) {
  %b = memref.alloc() : memref<6000xi32>
  %c = memref.alloc() : memref<4xi32>
  "memref.copy"(%c, %x) : (memref<4xi32>, memref<4xi32>) -> ()
  %i = arith.constant 0 : index
  %v = memref.load %b[%i] : memref<6000xi32>
  func.return
}
func.func private @again(%x: memref<4xi32>) {
  %d = memref.alloc() : memref<4xi32>
  func.call @again(%d) : (memref<4xi32>) -> ()
  func.return
}
func.func private @many(%x: memref<4xi32>) {
  %e = memref.alloc() : memref<4xi32>
  func.call @deep(%e) : (memref<4xi32>) -> ()
  func.return
}
func.func private @deep(%x: memref<4xi32>) {
  %g = memref.alloc() : memref<4xi32>
  "memref.copy"(%g, %x) : (memref<4xi32>, memref<4xi32>) -> ()
  func.return
}"""


def test_functions_that_call_each_other():
    module = parse(CALLS)
    run_passes(module, "allocate-classes")
    text = str(module)
    places = {line.split()[0]: text.splitlines()[n - 1].split()[3] for n, line in enumerate(text.splitlines())
              if "class.tile" in line}  # fmt: skip
    # %main's buffer lies above those of what it calls; a recursive function and one in a parallel loop keep theirs.
    assert places == {"%b": "0", "%c": "2", "%a": "3"}
    assert text.count("memref.alloc()") == 3


def test_compiled():
    """A program with temporary buffers, allocated and compiled from there on."""
    text = """
func.func @f(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %a = memref.alloc() : memref<1000xf32>
  scf.for %i = %zero to %n step %one {
    %v = memref.load %x[%i] : memref<1000xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%i] : memref<1000xf32>
  }
  scf.for %i = %zero to %n step %one {
    %v = memref.load %a[%i] : memref<1000xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<1000xf32>
  }
  memref.dealloc %a : memref<1000xf32>
  func.return
}"""
    module = parse(text)
    run_passes(module, "allocate-classes{first=7}")
    executor = hologram.Executor()
    x, y = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    executor.compile(str(module))(x, y)
    assert (y == 4 * x * x).all()
    assert (executor.classes[7].view(np.float32)[:1000] == 2 * x).all()
