"""Registers assigned and lifted again: the interpreter gives what it gives for the program as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import hologram
from hologram import isa
from hologram.dialects import make_context
from hologram.errors import PassError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.lowering.machine.assign_registers import AssignRegistersPass
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.transforms.analysis.verifier import verify_module
from hologram.transforms.lanes.raise_accesses import RaiseAccessesPass
from hologram.transforms.lanes.raise_loops import RaiseLoopsPass
from hologram.transforms.lanes.structure_control_flow import StructureControlFlowPass

from . import branch_programs, lane_programs
from .counts import FUZZING, PROGRAMS
from .test_branch_programs import agree, results, run
from .test_lane_programs import same, trapped
from .test_tensor_programs import Drawn


def there_and_back(
    text: str, registers: int, predicates: int, *, structured: bool = False, optimized: bool = False
) -> str:
    """The module after its programs went through registers, assembly and binary, and were lifted again."""
    start = text.index("atlas.program")
    context = make_context()
    module = parse_module(text[start:], "test.mlir", context)
    AssignRegistersPass(registers, predicates).apply(context, module)
    verify_module(module)
    if optimized:
        length = isa.metadata(module).length
        module = isa.optimize(module)
        assert isa.metadata(module).length <= length
    assembly = isa.disassemble(module)
    module = isa.decode(isa.encode(isa.assemble(assembly)))
    assert isa.disassemble(module) == assembly
    LiftMachinePass().apply(context, module)
    verify_module(module)
    if structured:
        StructureControlFlowPass().apply(context, module)
        RaiseLoopsPass().apply(context, module)
        RaiseAccessesPass().apply(context, module)
        verify_module(module)
    return text[:start] + "\n".join(str(op) for op in module.body.block.ops)


def lanes_there_and_back(text: str, size: tuple[int, int], *, structured: bool = False, optimized: bool = False) -> str:
    """The same of a lane program; one whose wide values need more registers at once than there are does not count."""
    try:
        return there_and_back(text, *size, structured=structured, optimized=optimized)
    except PassError as error:
        if error.code != "assign-pressure" or not any(f"i{bits}" in text for bits in (512, 1024, 2048, 4096)):
            raise
        reject()


EXAMPLES = PROGRAMS // 20 if FUZZING else 4
SIZES = ((256, 16), (40, 8))
"""Registers and predicates: all there are, and so few that values go to memory."""


@settings(max_examples=max(EXAMPLES, 1))
@given(st.data(), st.sampled_from(SIZES))
def test_branches_and_calls(data: Any, size: tuple[int, int]) -> None:
    text = branch_programs.build(Drawn(data.draw))
    expected = results(run(parse_module(text, "test.mlir", make_context())))
    again = there_and_back(text, *size)
    agree(again, expected, results(run(parse_module(again, "again.mlir", make_context()))))


@settings(max_examples=max(EXAMPLES, 1))
@given(st.data(), st.sampled_from(SIZES), st.booleans())
def test_lane_programs(data: Any, size: tuple[int, int], structured: bool) -> None:
    program = lane_programs.build(Drawn(data.draw))
    expected, ours = ([a.copy() for a in program.arguments] for _ in range(2))
    traps = trapped(lambda: interpret(parse_module(program.text, "test.mlir", make_context()), "main", expected))
    again = lanes_there_and_back(program.text, size, structured=structured)
    spilled = again.count("atlas.alloca") > program.text.count("atlas.alloca")
    # Loops whose counters went to memory are no longer known as such.
    assert not structured or spilled or again.count("atlas.loop ") >= program.text.count("atlas.loop "), again
    assert trapped(lambda: interpret(parse_module(again, "again.mlir", make_context()), "main", ours)) == traps, again
    if not traps:
        assert all(same(a, b) for a, b in zip(ours, expected, strict=True)), again


@settings(max_examples=max(EXAMPLES, 1))
@given(st.data(), st.sampled_from(SIZES))
def test_optimized_branches_and_calls(data: Any, size: tuple[int, int]) -> None:
    text = branch_programs.build(Drawn(data.draw))
    expected = results(run(parse_module(text, "test.mlir", make_context())))
    again = there_and_back(text, *size, optimized=True)
    agree(again, expected, results(run(parse_module(again, "again.mlir", make_context()))))


@settings(max_examples=max(EXAMPLES, 1))
@given(st.data(), st.sampled_from(SIZES))
def test_optimized_lane_programs(data: Any, size: tuple[int, int]) -> None:
    program = lane_programs.build(Drawn(data.draw))
    expected, ours = ([a.copy() for a in program.arguments] for _ in range(2))
    traps = trapped(lambda: interpret(parse_module(program.text, "test.mlir", make_context()), "main", expected))
    again = lanes_there_and_back(program.text, size, optimized=True)
    assert trapped(lambda: interpret(parse_module(again, "again.mlir", make_context()), "main", ours)) == traps, again
    assert traps or all(same(a, b) for a, b in zip(ours, expected, strict=True)), again


@settings(max_examples=max(EXAMPLES // 4, 1))
@given(st.data(), st.sampled_from(SIZES))
def test_compiled(data: Any, size: tuple[int, int]) -> None:
    text = branch_programs.build(Drawn(data.draw))
    expected = results(run(parse_module(text, "test.mlir", make_context())))
    again = there_and_back(text, *size)
    agree(again, expected, results(hologram.compile(again, cache=False, opt_level=1)))


@settings(max_examples=max(EXAMPLES // 4, 1))
@given(st.data(), st.sampled_from(SIZES))
def test_compiled_lane_programs(data: Any, size: tuple[int, int]) -> None:
    program = lane_programs.build(Drawn(data.draw))
    expected, ours = ([a.copy() for a in program.arguments] for _ in range(2))
    traps = trapped(lambda: interpret(parse_module(program.text, "test.mlir", make_context()), "main", expected))
    again = lanes_there_and_back(program.text, size)
    try:
        kernel = hologram.compile(again, cache=False, opt_level=1)
    except PassError as error:
        # Lanes are no longer known to agree on what was kept in local memory.
        if error.code != "gpu-barrier-divergent" or "memref<1x" not in again:
            raise
        reject()
    assert trapped(lambda: kernel(*ours)) == traps, again
    if not traps:
        assert all(same(a, b) for a, b in zip(ours, expected, strict=True)), again


def test_wide_values_and_pressure() -> None:
    """More values at once than registers, of 64 to 1024 bits, swapped in a loop."""
    lines = ["%i = atlas.special gid : i64", "%zero = atlas.mov_imm 0 : i64"]
    wide = ("i64", "i128", "i1024")
    names: list[tuple[str, str]] = []
    for number in range(24):
        type = wide[number % 3]
        lines.append(f"%a{number} = atlas.cvt i64 to {type} %i")
        lines.append(f"%k{number} = atlas.mov_imm {number * 7 - 40} : {type}")
        lines.append(f"%b{number} = atlas.mul {type} %a{number}, %k{number}")
        names.append((f"%b{number}", type))
    lines.append("%sum0 = atlas.add i64 %zero, %zero")
    for step, (name, type) in enumerate(names):
        lines.append(f"%c{step} = atlas.cvt {type} to i64 {name}")
        lines.append(f"%sum{step + 1} = atlas.add i64 %sum{step}, %c{step}")
    lines.append(f"atlas.stg i64 %sum{len(names)}, %x[%i : i64] : memref<?xi64>")
    text = (
        "func.func @main(%x: memref<?xi64>) {\n  %one = arith.constant 1 : index\n"
        "  atlas.launch @p grid(%one, %one, %one) args(%x : memref<?xi64>)\n  func.return\n}\n"
        "atlas.program @p(%x: memref<?xi64>) block [4, 1, 1] {\n  " + "\n  ".join(lines) + "\n}\n"
    )
    expected = np.arange(4) * sum(n * 7 - 40 for n in range(24))
    for registers in (256, 64):
        x = np.zeros(4, np.int64)
        again = there_and_back(text, registers, 16)
        assert ("memref<1xi1024" in again) == (registers == 64)
        interpret(parse_module(again, "again.mlir", make_context()), "main", [x])
        assert x.tolist() == expected.tolist()
