"""LLVM IR text to optimised IR, assembly and objects."""

from __future__ import annotations

import ctypes
import time

import pytest
from xdsl.context import Context

from emit.jit import Loaded, parse
from hologram.errors import HologramError, InputError, InternalError
from hologram.lowering.pipelines.output_forms import get_all_targets
from hologram.lowering.targets.objects import native
from hologram.lowering.targets.objects.native import compile_ir, optimise, to_assembly, to_object, verify
from hologram.support.host_target import HostTarget, host_target
from machine_speed import allowed

SCALE = """
define void @scale(ptr noalias %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %q = getelementptr inbounds float, ptr %p, i64 %i
  %x = load float, ptr %q, align 4
  %y = fmul float %x, 2.0
  store float %y, ptr %q, align 4
  %j = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""
TINY = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"


def scaled(image: bytes) -> list[float]:
    data = (ctypes.c_float * 5)(1, 2, 3, 4, 5)
    Loaded(image).function("scale", None, ctypes.c_void_p, ctypes.c_int64)(ctypes.addressof(data), 5)
    return list(data)


def test_host_target_is_this_machine():
    target = host_target()
    assert target is host_target()
    assert target.triple
    assert target.cpu


def test_optimise_vectorises():
    text = optimise(SCALE, host_target())
    assert " x float>" in text
    assert '"target-cpu"=' in text
    assert " x float>" not in optimise(SCALE, host_target(), 1)


@pytest.mark.skipif(not host_target().wide_vectors, reason="no 512-bit vectors here")
def test_wide_vectors_are_used():
    text = optimise(SCALE, host_target())
    assert "<16 x float>" in text
    assert "zmm" in to_assembly(text, host_target())


def test_compile_gives_ir_and_object():
    made = compile_ir(SCALE, host_target())
    assert " x float>" in made.optimised
    assert scaled(made.object) == [2, 4, 6, 8, 10]


def test_long_functions_are_not_optimised(monkeypatch: pytest.MonkeyPatch):
    short = TINY.replace("@f", "@g")
    monkeypatch.setenv("HOLOGRAM_MAX_OPTIMISED_INSTRUCTIONS", "13")
    assert " x float>" in optimise(SCALE + short, host_target())
    monkeypatch.setenv("HOLOGRAM_MAX_OPTIMISED_INSTRUCTIONS", "12")
    made = compile_ir(SCALE + short, host_target())
    assert " x float>" not in made.optimised
    assert scaled(made.object) == [2, 4, 6, 8, 10]


def test_object_of_optimised_text():
    assert scaled(to_object(optimise(SCALE, host_target()), host_target())) == [2, 4, 6, 8, 10]


def test_assembly_assembles_again():
    assembly = to_assembly(optimise(SCALE, host_target()), host_target())
    assert "scale:" in assembly
    assert scaled(native.assemble(assembly, host_target())) == [2, 4, 6, 8, 10]


def test_assembly_with_quotes_and_backslashes():
    text = 'define i32 @f() {\n  ret i32 7\n}\n@s = constant [4 x i8] c"a\\22\\5C\\00"\n'
    image = native.assemble(to_assembly(text, host_target()), host_target())
    assert Loaded(image).memory("s", 4) == b'a"\\\0'


def test_entries_survive_optimisation():
    text = TINY + '@hologram_entries = constant [3 x i8] c"[]\\00"\n'
    assert Loaded(compile_ir(text, host_target()).object).memory("hologram_entries", 3) == b"[]\0"


# Function attributes


@pytest.mark.parametrize(
    "header",
    [
        "define void @f() {",
        "define internal fastcc noundef float @f(ptr byval({ i32 }) align 4 %p, i32 %x) unnamed_addr #0 {",
        'define void @"a(b"(i32 %x) local_unnamed_addr addrspace(0) nounwind section ".text)" align 16 {',
        'define i32 @f(ptr dereferenceable(8) %p) #0 section "x" {',
    ],
)
def test_attributes_go_after_the_parameters(header: str):
    group = "#1" if "#0" in header else "#0"
    line, _, said = native.with_attributes(header, HostTarget("t", "some", "+x")).partition("\n\n")
    assert said == f'attributes {group} = {{ "target-cpu"="some" "target-features"="+x" }}\n'
    assert line.replace(f" {group}", "") == header
    assert line[: line.index(f" {group}")].endswith((")", "unnamed_addr", "addrspace(0)"))


def test_attributes_of_the_text_win():
    text = 'define void @f() "target-cpu"="mine" {\n  ret void\n}\n'
    assert native.with_attributes(text, host_target()) == text


# Errors


def test_errors_of_ours_and_of_the_user():
    broken = "define i32 @f() {\n  ret i64 0\n}\n"
    with pytest.raises(InternalError):
        verify(broken)
    with pytest.raises(InputError, match="doesn't match function result type") as caught:
        verify(broken, origin="mine.ll")
    assert caught.value.where is not None
    assert (caught.value.where.file, caught.value.where.line) == ("mine.ll", 2)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("define void @f( {", 1, 18),
        ("define void @f() wrong {\n  ret void\n}\n", 1, 18),
        ("define void @f() {\n  ret void\n}\ndefine void @g() {\n  ret i32 0\n}\n", 5, 7),
    ],
)
def test_places_are_those_of_the_text_as_given(text: str, line: int, column: int):
    with pytest.raises(InputError, match="LLVM refuses") as caught:
        to_object(text, host_target(), origin="x.ll")
    where = caught.value.where
    assert where is not None
    assert (where.file, where.line, where.column) == ("x.ll", line, column)


def test_verifier_errors_are_reported():
    broken = "define i32 @f() {\nentry:\n  br label %a\na:\n  ret i32 %x\nb:\n  %x = add i32 1, 1\n  br label %a\n}\n"
    with pytest.raises(InputError, match="does not dominate"):
        verify(broken, origin="mine.ll")


@pytest.mark.parametrize("make", [optimise, to_object, to_assembly, compile_ir])
def test_all_refuse_nonsense(make: object):
    assert callable(make)
    with pytest.raises(HologramError, match="LLVM refuses"):
        make("nonsense", host_target(), origin="x.ll")


# Other targets


def test_other_targets():
    assert to_object(TINY, HostTarget("wasm32-unknown-unknown", "", "")).startswith(b"\0asm")
    assert ".visible .func" in to_assembly(TINY, HostTarget("nvptx64-nvidia-cuda", "sm_90", ""))


# Output forms

FUNCTION = """
llvm.func @twice(%x: f32) -> f32 {
  %y = llvm.fadd %x, %x : f32
  llvm.return %y : f32
}"""


def emitted(name: str) -> str:
    import io

    stream = io.StringIO()
    get_all_targets()[name]()().emit(Context(), parse(FUNCTION), stream)
    return stream.getvalue()


def test_output_forms():
    assert {"asm", "atlas-asm", "atlas-binary", "circuit", "llvm-ir", "llvm-opt", "obj"} < set(get_all_targets())
    assert "%y = fadd float %x, %x" in emitted("llvm-ir")
    assert "target triple" in emitted("llvm-opt")
    assert "twice:" in emitted("asm")


def test_object_form():
    from hologram.lowering.pipelines.output_forms import ObjectTarget

    image = ObjectTarget().emit_binary(Context(), parse(FUNCTION))
    assert Loaded(image).function("twice", ctypes.c_float, ctypes.c_float)(1.5) == 3


@pytest.mark.speed
def test_tiny_functions_compile_fast():
    compile_ir(TINY, host_target())
    times: list[float] = []
    for _ in range(10):
        start = time.perf_counter()
        compile_ir(TINY, host_target())
        times.append(time.perf_counter() - start)
    assert min(times) < allowed(0.01)
