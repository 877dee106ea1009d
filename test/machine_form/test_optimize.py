"""`isa.optimize` keeps what programs do and makes them shorter; `isa.metadata` says what a module holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fuzz.counts import FUZZING, PROGRAMS, seed
from hologram import isa
from hologram.dialects import make_context
from hologram.errors import HologramError, TrapError, UsageError
from hologram.interpreter import interpret_program
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.lowering.machine.metadata import length_of

PROGRAM_TEXTS = sorted((Path(__file__).parent / "programs").glob("*.atlas"))
WASTEFUL = """.program wasteful(buf0: u32[?], r0: u32) {
  .launch block(4, 1, 1) grid(2, 1, 1)
  .shared shared0: f32[16]
  .local local0: u64[2]
  mov_imm.u32 r1, 6
  mov_imm.u32 r2, 7
  mul.u32 r3, r1, r2
  add.u32 r4, r3, r0
  add.u32 r5, r3, r0
  mul.u32 r6, r5, r5
  mov_imm.u64 r7, 4
  mul.u64 r8, r255, r7
  seteq.u32 p0, r1, r2
  @p0 bra never
  stg.u32 [buf0 + r8], r4
  exit
never:
  stg.u32 [buf0 + r8], r6
  exit
}
"""


def run(module: Any, name: str, args: Sequence[Any], grid: int = 1) -> str:
    """Executes a program in the interpreter; gives the code of its trap, empty if there is none."""
    lifted = module.clone()
    LiftMachinePass().apply(make_context(), lifted)
    try:
        interpret_program(lifted, name, list(args), grid=(grid, 1, 1))
    except TrapError as error:
        return error.code
    return ""


def test_constants_repetition_and_dead_code_go() -> None:
    module = isa.assemble(WASTEFUL)
    before = str(module)
    better = isa.optimize(module)
    assert str(module) == before
    assert isa.disassemble(better) == (
        ".program wasteful(buf0: u32[?], r4: u32) {\n  .launch block(4, 1, 1) grid(2, 1, 1)\n"
        "  .shared shared0: f32[16]\n  mov.u64 r5, %gid\n  mov_imm.i32 r6, 42\n  add.u32 r4, r4, r6\n"
        "  mov_imm.i64 r6, 4\n  mul.u64 r5, r5, r6\n  stg.u32 [buf0 + r5], r4\n  exit\n}\n"
    )
    for which in (module, better):
        x = np.zeros(8, np.uint32)
        assert run(which, "wasteful", [x, np.uint32(58)], 2) == ""
        assert x.tolist() == [100] * 8


@pytest.mark.parametrize("path", PROGRAM_TEXTS, ids=lambda p: p.stem)
def test_never_longer_and_nothing_more_the_second_time(path: Path) -> None:
    module = isa.assemble(path.read_text())
    better = isa.optimize(module)
    assert isa.metadata(better).length <= isa.metadata(module).length
    assert isa.disassemble(isa.optimize(better)) == isa.disassemble(better)
    known = {p.name: p for p in isa.metadata(module).programs}
    for program in isa.metadata(better).programs:
        if program.kind != "function":
            before = known[program.name]
            assert [(p.dtype, p.shape) for p in program.parameters] == [(p.dtype, p.shape) for p in before.parameters]
            assert (program.block, program.grid) == (before.block, before.grid)


def test_what_is_short_stays_as_it_is() -> None:
    text = isa.disassemble(isa.assemble((PROGRAM_TEXTS[0].parent / "saxpy.atlas").read_text()))
    assert isa.disassemble(isa.optimize(isa.assemble(text))) == text


def test_functions_that_nothing_calls_go_with_programs_alone() -> None:
    text = ".func one() -> (r0: u32) {\n  mov_imm.u32 r0, 1\n  ret\n}\n"
    assert isa.disassemble(isa.optimize(isa.assemble(text))) == text
    both = isa.optimize(isa.assemble(f"{text}\n.program p(buf0: u32[1]) {{\n  stg.u32 [buf0], r252\n}}\n"))
    assert [p.name for p in isa.metadata(both).programs] == ["p"]


def test_calls_pools_classes_and_pointers() -> None:
    text = """.pool pool0: u64[8]

.func twice(r0: u64) -> (r0: u64) {
  mov.u64 r1, r0
  add.u64 r0, r1, r1
  add.u64 r2, r0, r0
  mul.u64 r3, r2, r2
  sub.u64 r2, r3, r2
  ret
}

.program p(buf0: u64[?]) {
  .launch block(1, 1, 1)
  mov_imm.u64 r9, 8
  mul.u64 r10, r255, r9
  ldg.u64 r0, [buf0 + r10]
  call twice
  pool.store.u64 [pool0 + r10], r0
  pool.load.u64 r5, [pool0 + r10]
  stg.u64 [c21 + 256], r5
  ldg.u64 r6, [c21 + 256]
  lea.u64 r7, [buf0 + r10]
  mov_imm.u64 r20, 1
  mov_imm.u64 r21, 2
  add.u64 r20, r20, r21
  mul.u64 r21, r20, r20
  add.u64 r6, r6, r20
  stg.u64 [r7], r6
  exit
}
"""
    module = isa.assemble(text)
    better = isa.optimize(module)
    assert isa.metadata(better).length < isa.metadata(module).length
    assert isa.metadata(better).pools == (isa.metadata(module).pools)
    for which in (module, better):
        x = np.array([20], np.uint64)
        assert run(which, "p", [x]) == ""
        assert x.tolist() == [43]


def test_traps_stay() -> None:
    text = """.program p(buf0: i32[?], r0: i32) {
  .launch block(1, 1, 1)
  mov_imm.i32 r1, 0
  div.i32 r2, r0, r1
  mov_imm.i32 r3, 5
  mov_imm.i32 r4, 5
  stg.i32 [buf0 + 400], r3
  exit
}
"""
    module = isa.assemble(text)
    codes = [run(which, "p", [np.zeros(4, np.int32), np.int32(1)]) for which in (module, isa.optimize(module))]
    assert codes[0] == codes[1] != ""


def test_wrong_modules() -> None:
    from hologram.frontend.mlir import parse_module

    with pytest.raises(HologramError) as caught:
        isa.optimize(isa.assemble(".program p() {\n  add.i32 r1, r0, r0\n  exit\n}\n"))
    assert caught.value.code == "lift-uninitialised"
    other = parse_module("func.func @f() { func.return }", "f.mlir", make_context())
    for function in (isa.optimize, isa.metadata):
        with pytest.raises(HologramError) as caught:
            function(other)
        assert caught.value.code == "machine-form-foreign"


OPERATIONS = ("add", "sub", "mul", "and", "or", "xor", "min", "max", "div", "rem")


def random_text(random: Random) -> str:
    """A program of one type, with constants, repetition, dead code, forward branches and a loop."""
    dtype = random.choice(("u32", "i32", "u64", "i64", "u8", "i16"))
    lines = [f"  mov_imm.{dtype} r{n}, {random.choice((0, 1, 2, 3, 7, 64, 100))}" for n in range(1, 9)]
    lines += ["  mov_imm.u64 r30, 8", "  mul.u64 r31, r255, r30", f"  ldg.{dtype} r9, [buf0 + r31]"]
    labels: list[str] = []
    for step in range(random.randrange(4, 30)):
        d, a, b = (random.randrange(1, 12 if step else 10) if n else random.randrange(1, 10) for n in (0, 1, 2))
        a, b = min(a, 9), min(b, 9)
        choice = random.random()
        if choice < 0.15:
            label = f"L{step}"
            labels.append(label)
            lines += [
                f"  setlt.{dtype} p{step % 4}, r{a}, r{b}",
                f"  @{random.choice(('', '!'))}p{step % 4} bra {label}",
            ]
        elif choice < 0.25 and labels:
            lines.append(f"{labels.pop()}:")
        elif choice < 0.3:
            lines.append(f"  loop 3, r{40 + step} {{\n  add.{dtype} r{d}, r{d}, r{b}\n  }}")
        elif choice < 0.4:
            lines.append(f"  stg.{dtype} [buf0 + r31 + 0], r{d}")
        elif choice < 0.5:
            lines.append(f"  mov.{dtype} r{d}, r{a}")
        else:
            lines.append(f"  {random.choice(OPERATIONS)}.{dtype} r{d}, r{a}, r{b}")
    lines += [f"{label}:" for label in labels]
    size = int(dtype.lstrip("iu")) // 8
    lines += ["  mov_imm.u64 r33, 8", "  mul.u64 r31, r255, r33"]
    lines += [f"  stg.{dtype} [buf0 + r31 + {n * 64 * size}], r{1 + n}" for n in range(9)]
    return f".program p(buf0: {dtype}[?]) {{\n  .launch block(8, 1, 1)\n" + "\n".join(lines) + "\n  exit\n}\n"


def test_random_programs_keep_their_meaning() -> None:
    start = seed("optimize")
    shorter = 0
    for number in range(PROGRAMS // 5 if FUZZING else 40):
        text = random_text(Random(f"{start} {number}"))
        module = isa.assemble(text)
        better = isa.optimize(module)
        dtype = isa.metadata(module)["p"].parameters[0].dtype
        given = np.arange(640).astype(np.dtype(dtype.replace("i", "int").replace("u", "uint")))
        got = given.copy()
        assert run(module, "p", [given]) == run(better, "p", [got]), text
        assert np.array_equal(given, got), f"'{start} {number}': {text}"
        shorter += isa.metadata(better).length < isa.metadata(module).length
    assert shorter > PROGRAMS // 20 if FUZZING else 20


def test_metadata() -> None:
    found = isa.metadata(isa.assemble(".pool pool0: u64[16]\n" + WASTEFUL))
    program = found["wasteful"]
    assert found.entry == "wasteful"
    assert found.version == (1, 0)
    assert len(found) == len(program) == 14
    assert [(p.name, p.dtype, p.shape) for p in program.parameters] == [("buf0", "u32", (None,)), ("r0", "u32", None)]
    assert (program.kind, program.block, program.grid) == ("program", (4, 1, 1), (2, 1, 1))
    assert (program.shared_bytes, program.local_bytes) == (64, 16)
    assert (program.registers, program.predicates) == (10, 1)
    assert program.instructions == ("add", "bra", "exit", "mov_imm", "mul", "setcc", "stg")
    assert [(p.name, p.dtype, p.shape) for p in found.pools] == [("pool0", "u64", (16,))]
    with pytest.raises(UsageError, match="did you mean 'wasteful'") as caught:
        found["wastefull"]
    assert caught.value.code == "metadata-name"


def test_metadata_of_functions_arrays_and_nothing() -> None:
    text = """.func wide(r0: u128, p2: bool) -> (r4: u128) {
  add.u128 r4, r0, r0
  ret
}
.program open() {
  .shared shared0: f32[?]
  exit
}
.program sized() {
  .launch shared(48)
  .shared shared0: f32[?]
  .shared shared1: u8[3]
  exit
}
.arrays copy(buf0: f32[?, 4], buf1: f32[?, 4]) {
  copy buf1, buf0
}
"""
    found = isa.metadata(isa.assemble(text))
    assert found.entry is None
    assert found.version == (1, 1)
    assert [(p.kind, p.length) for p in found.programs] == [
        ("function", 2),
        ("program", 1),
        ("program", 1),
        ("arrays", 1),
    ]
    assert found["wide"].results[0].dtype == "u128"
    assert found["wide"].parameters[1].name == "p2"
    assert (found["wide"].registers, found["wide"].predicates) == (4, 1)
    assert found["open"].shared_bytes is None
    assert found["sized"].shared_bytes == 51
    assert found["copy"].parameters[0].shape == (None, 4)
    nothing = isa.metadata(isa.assemble(""))
    assert nothing.entry is None
    assert len(nothing) == 0
    assert nothing.programs == ()


@pytest.mark.parametrize("path", PROGRAM_TEXTS, ids=lambda p: p.stem)
def test_lengths_are_those_of_the_text(path: Path) -> None:
    module = isa.assemble(path.read_text())
    found = isa.metadata(module)
    assert found.length == sum(length_of(op) for op in module.body.block.ops)
    lines = [line for line in isa.disassemble(module).splitlines() if line.startswith("  ") and line[2] != "."]
    assert found.length == len(lines)


def test_lengths_of_builders() -> None:
    builder = isa.ProgramBuilder()
    assert len(builder) == 0
    assert builder
    program = builder.program("p")
    x, one = program.buffer("u32"), program.register("u32")
    program.emit("mov_imm.u32", one, 1)
    end = program.label()
    program.bra(end)
    program.emit("stg.u32", x[0], one)
    program.place(end)
    program.emit("exit")
    arrays = builder.arrays("a")
    arrays.emit("copy", arrays.buffer("f32"), arrays.buffer("f32"))
    assert (len(program), len(arrays), len(builder)) == (4, 1, 5)
    assert isa.metadata(builder.build()).length == 5
