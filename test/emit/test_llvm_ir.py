# ruff: noqa: E501 (the lines of the programs)
"""LLVM IR text: what each form of the dialect is written as, and that LLVM takes all of it."""

from __future__ import annotations

import json
import re

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

from emit.every_op import text
from emit.jit import ir, parse
from hologram.dialects import llvm
from hologram.errors import PassError
from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
from hologram.lowering.targets.objects.native import verify


def checked(source: str) -> str:
    """The IR of a text, accepted by LLVM's verifier."""
    written = ir(source)
    verify(written)
    return written


def body(source: str) -> list[str]:
    """The lines of the one function, without labels."""
    lines = checked(source).splitlines()
    return [line.strip() for line in lines if line.startswith("  ")]


def test_every_operation_is_accepted_by_llvm():
    verify(ir(text()))


LINES = {
    "%r = llvm.add %i, %i overflow<nsw> : i32": "%r = add nsw i32 %i, %i",
    "%r = llvm.or disjoint %i, %i : i32": "%r = or disjoint i32 %i, %i",
    "%r = llvm.sdiv exact %i, %i : i32": "%r = sdiv exact i32 %i, %i",
    "%r = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<fast>} : f32": "%r = fadd fast float %x, %x",
    "%r = llvm.fneg %x {fastmathFlags = #llvm.fastmath<nsz, arcp>} : f32": "%r = fneg nsz arcp float %x",
    '%r = llvm.fcmp "_true" %x, %x : f32': "%r = fcmp true float %x, %x",
    '%r = llvm.icmp "uge" %p, %p : !llvm.ptr<1>': "%r = icmp uge ptr addrspace(1) %p, %p",
    "%r = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr": "%r = addrspacecast ptr addrspace(1) %p to ptr",
    "%r = llvm.trunc %i overflow<nuw> : i32 to i8": "%r = trunc nuw i32 %i to i8",
    "%r = llvm.getelementptr inbounds %p[%i, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>": (
        "%r = getelementptr inbounds [4 x float], ptr addrspace(1) %p, i32 %i, i32 2"
    ),
    "%r = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr<1> -> f32": (
        "%r = load volatile float, ptr addrspace(1) %p, align 4"
    ),
    '%r = llvm.atomicrmw add %p, %i syncscope("block") acq_rel : !llvm.ptr<1>, i32': (
        '%r = atomicrmw add ptr addrspace(1) %p, i32 %i syncscope("block") acq_rel'
    ),
    "%r = llvm.intr.fma(%x, %x, %x) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32": (
        "%r = call contract float @llvm.fma.f32(float %x, float %x, float %x)"
    ),
    "%r = llvm.intr.sqrt(%b) : (bf16) -> bf16": "%r = call bfloat @llvm.sqrt.bf16(bfloat %b)",
    '%r = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32': "%r = call i32 @llvm.ctlz.i32(i32 %i, i1 true)",
    '"llvm.intr.memcpy"(%p, %p, %i) <{isVolatile = true}> : (!llvm.ptr<1>, !llvm.ptr<1>, i32) -> ()': (
        "call void @llvm.memcpy.p1.p1.i32(ptr addrspace(1) %p, ptr addrspace(1) %p, i32 %i, i1 true)"
    ),
    '%r = llvm.inline_asm has_side_effects "nop", "=r,r" %i : (i32) -> i32': (
        '%r = call i32 asm sideeffect "nop", "=r,r"(i32 %i)'
    ),
}


@pytest.mark.parametrize("source", LINES)
def test_lines(source: str):
    function = f"llvm.func @f(%i: i32, %x: f32, %b: bf16, %p: !llvm.ptr<1>) {{\n  {source}\n  llvm.return\n}}"
    assert body(function)[0] == LINES[source]


# Names


def test_names_come_from_hints_and_are_unique():
    written = checked("""
llvm.func @f(%a: i32) -> i32 {
  %x = llvm.add %a, %a : i32
  llvm.br ^next(%x : i32)
^next(%a_1: i32):
  %y = llvm.add %a_1, %a : i32
  llvm.return %y : i32
}""")
    assert "%y = add i32 %a_1, %a" in written
    module = parse(written_names())
    for op in module.walk():
        for result in op.results:
            result.name_hint = "entry"
    written = emit_llvm_ir(module)
    verify(written)
    assert "%entry_1 = add" in written
    assert "%entry_2 = add" in written


def written_names() -> str:
    return """
llvm.func @f(%a: i32) -> i32 {
  %x = llvm.add %a, %a : i32
  %y = llvm.add %x, %a : i32
  llvm.return %y : i32
}"""


def test_symbols_that_need_quotes_get_them():
    written = checked("""
llvm.func @"a b\\22c"() {
  llvm.call @"a b\\22c"() : () -> ()
  llvm.return
}""")
    assert 'define void @"a b\\22c"()' in written


# Blocks


def test_a_branch_with_two_ways_to_one_block_gets_a_block_between():
    written = checked("""
llvm.func @pick(%c: i1, %x: i32, %y: i32) -> i32 {
  llvm.cond_br %c, ^done(%x : i32), ^done(%y : i32)
^done(%z: i32):
  llvm.return %z : i32
}""")
    assert "br i1 %c, label %bb, label %entry_to_bb" in written
    assert "%z = phi i32 [ %x, %entry ], [ %y, %entry_to_bb ]" in written


def test_two_ways_with_the_same_values_need_none():
    lines = body("""
llvm.func @same(%c: i1, %x: i32) -> i32 {
  llvm.cond_br %c, ^done(%x : i32), ^done(%x : i32)
^done(%z: i32):
  llvm.return %z : i32
}""")
    assert lines == ["br i1 %c, label %bb, label %bb", "%z = phi i32 [ %x, %entry ], [ %x, %entry ]", "ret i32 %z"]


def test_blocks_may_stand_in_any_order():
    checked("""
llvm.func @f(%c: i1) -> i32 {
  llvm.br ^last
^middle:
  llvm.return %x : i32
^last:
  %x = llvm.mlir.constant(4 : i32) : i32
  %y = llvm.add %x, %x : i32
  llvm.cond_br %c, ^middle, ^end(%y : i32)
^end(%z: i32):
  llvm.return %z : i32
}""")


def test_blocks_that_nothing_reaches_are_kept_valid():
    lines = body("""
llvm.func @f() -> i32 {
  %x = llvm.mlir.constant(4 : i32) : i32
  llvm.return %x : i32
^lost(%y: i32, %z: f32):
  llvm.return %y : i32
}""")
    assert lines[1:3] == ["%y = freeze i32 poison", "%z = freeze float poison"]


# Functions and globals


def test_attribute_groups_are_shared():
    written = checked("""
llvm.func @f() attributes {passthrough = ["nounwind", ["frame-pointer", "all"]]} {
  llvm.return
}
llvm.func @g() attributes {passthrough = ["nounwind", ["frame-pointer", "all"]]} {
  llvm.return
}""")
    assert written.count("#0 {") == 2
    assert 'attributes #0 = { nounwind "frame-pointer"="all" }' in written


@pytest.mark.parametrize(("linkage", "word"), [("internal", "internal "), ("weak_odr", "weak_odr "), ("external", "")])
@pytest.mark.parametrize(("cconv", "convention"), [("ptx_kernelcc", "ptx_kernel "), ("ccc", ""), ("cc_10", "ghccc ")])
def test_linkage_and_calling_convention(linkage: str, word: str, cconv: str, convention: str):
    function, entry = llvm.function("f", [], None, linkage, cconv)
    entry.add_op(llvm.ReturnOp())
    written = emit_llvm_ir(ModuleOp([function]))
    verify(written)
    assert f"define {word}{convention}void @f()" in written


def test_named_structs_are_defined_once():
    written = checked("""
llvm.func @f(%x: !llvm.struct<"pair", (i32, struct<"in ner", packed (i8, f32)>)>, %p: !llvm.ptr) {
  %y = llvm.extractvalue %x[1] : !llvm.struct<"pair", (i32, struct<"in ner", packed (i8, f32)>)>
  llvm.return
}""")
    assert '%pair = type { i32, %"in ner" }' in written
    assert '%"in ner" = type <{ i8, float }>' in written


GLOBALS = {
    "@g(7 : i32) : i32": "@g = global i32 7",
    "internal constant @g(dense<[1.0, 2.0]> : tensor<2xf32>) : !llvm.array<2 x f32>": (
        "@g = internal constant [2 x float] [float 1.0, float 2.0]"
    ),
    "@g() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>": (
        "@g = external addrspace(3) global [4 x float], align 16"
    ),
    "internal @g() {addr_space = 3 : i32} : !llvm.array<4 x f32>": "@g = internal addrspace(3) global [4 x float] undef",
    'private constant @g("hi\\00") : !llvm.array<3 x i8>': '@g = private constant [3 x i8] c"hi\\00"',
    "@g(dense<0> : tensor<2x2xi64>) : !llvm.array<2 x array<2 x i64>>": ("@g = global [2 x [2 x i64]] zeroinitializer"),
    "@g(dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>) : !llvm.array<2 x vector<2xi8>>": (
        "@g = global [2 x <2 x i8>] [<2 x i8> <i8 1, i8 2>, <2 x i8> <i8 3, i8 4>]"
    ),
    "@g(dense<3> : vector<4xi16>) : vector<4xi16>": "@g = global <4 x i16> splat (i16 3)",
    "@g(dense<3> : tensor<2xi16>) : !llvm.array<2 x i16>": "@g = global [2 x i16] [i16 3, i16 3]",
    "@g(dense<[1, 255]> : tensor<2xi8>) : !llvm.array<2 x i8>": '@g = global [2 x i8] c"\\01\\FF"',
    "@g([1 : i32, 2.5 : f64]) : !llvm.struct<(i32, f64)>": "@g = global { i32, double } { i32 1, double 2.5 }",
    "external thread_local unnamed_addr @g(1 : i1) : i1": "@g = thread_local unnamed_addr global i1 true",
    "extern_weak @g() : f32": "@g = extern_weak global float",
    "common @g() : f32": "@g = common global float zeroinitializer",
    '@g() {section = "data"} : f32': '@g = external global float, section "data"',
}


@pytest.mark.parametrize("source", GLOBALS)
def test_globals(source: str):
    assert checked(f"llvm.mlir.global {source}").strip() == GLOBALS[source]


def test_initialiser_regions():
    written = checked("""
llvm.mlir.global @data(dense<0> : tensor<8xi32>) : !llvm.array<8 x i32>
llvm.mlir.global internal @table() : !llvm.array<2 x struct<(ptr, i64)>> {
  %0 = llvm.mlir.zero : !llvm.array<2 x struct<(ptr, i64)>>
  %1 = llvm.mlir.addressof @data : !llvm.ptr
  %2 = llvm.mlir.constant(3 : i64) : i64
  %3 = llvm.getelementptr inbounds %1[%2] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %4 = llvm.ptrtoint %3 : !llvm.ptr to i64
  %5 = llvm.insertvalue %3, %0[1, 0] : !llvm.array<2 x struct<(ptr, i64)>>
  %6 = llvm.insertvalue %4, %5[1, 1] : !llvm.array<2 x struct<(ptr, i64)>>
  llvm.return %6 : !llvm.array<2 x struct<(ptr, i64)>>
}""")
    place = "getelementptr inbounds (i32, ptr @data, i64 3)"
    assert f"{{ ptr, i64 }} {{ ptr {place}, i64 ptrtoint (ptr {place} to i64) }}" in written


def test_triple_and_layout():
    module = parse('module attributes {llvm.target_triple = "wasm32", llvm.data_layout = "e"} {}')
    assert emit_llvm_ir(module) == 'target datalayout = "e"\ntarget triple = "wasm32"\n'
    assert 'triple = "other"' in emit_llvm_ir(module, triple="other")


# Metadata


def test_loop_annotations():
    written = checked("""
llvm.func @f(%c: i1) {
  llvm.br ^loop
^loop:
  llvm.cond_br %c, ^loop, ^end {loop_annotation = #llvm.loop_annotation<
    vectorize = <disable = true>, unroll = <disable = true>, licm = <disable = true>, distribute = <disable = false>,
    mustProgress = true, isVectorized = true>}
^end:
  llvm.return
}""")
    assert re.search(r"br i1 %c, label %bb, label %bb_1, !llvm.loop !\d+", written)
    for node in (
        '!{!"llvm.loop.vectorize.enable", i1 false}',
        '!{!"llvm.loop.unroll.disable"}',
        '!{!"llvm.licm.disable"}',
        '!{!"llvm.loop.distribute.enable", i1 true}',
        '!{!"llvm.loop.mustprogress"}',
        '!{!"llvm.loop.isvectorized", i32 1}',
    ):
        assert node in written


def test_equal_loops_are_not_one_loop():
    loop = "#llvm.loop_annotation<mustProgress = true>"
    written = checked(f"""
llvm.func @f(%c: i1) {{
  llvm.br ^a
^a:
  llvm.cond_br %c, ^a, ^b {{loop_annotation = {loop}}}
^b:
  llvm.cond_br %c, ^b, ^end {{loop_annotation = {loop}}}
^end:
  llvm.return
}}""")
    assert len(set(re.findall(r"!llvm.loop (!\d+)", written))) == 2


def test_nontemporal_alone():
    lines = body("""
llvm.func @f(%p: !llvm.ptr, %x: f32) {
  llvm.store %x, %p {nontemporal} : f32, !llvm.ptr
  llvm.return
}""")
    assert lines[0] == "store float %x, ptr %p, !nontemporal !0"


# Entry records


def test_entry_records_become_a_constant():
    record = {"version": 1, "name": 'a "b"', "symbol": "a"}
    module = parse("llvm.func @a() {\n llvm.return\n}\nllvm.func @b() {\n llvm.return\n}")
    for op in module.body.ops:
        op.attributes["hologram.entry"] = StringAttr(json.dumps(record))
    written = emit_llvm_ir(module)
    verify(written)
    match = re.search(r'@hologram_entries = constant \[(\d+) x i8\] c"(.*)\\00"', written)
    assert match is not None
    data = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), match[2])
    assert json.loads(data) == [{**record, "packed": f"hologram_call_{name}"} for name in "ab"]
    assert len(data) + 1 == int(match[1])


def test_packed_form_of_an_entry():
    module = parse("llvm.func @f(%p: !llvm.ptr, %n: i64, %x: f32, %b: i8) {\n llvm.return\n}")
    (function,) = module.body.ops
    function.attributes["hologram.entry"] = StringAttr('{"symbol": "f"}')
    written = emit_llvm_ir(module)
    verify(written)
    packed = written[written.index("define void @hologram_call_f(ptr %words)") :]
    assert "%value0 = load ptr, ptr %at0" in packed
    assert "%at2 = getelementptr i64, ptr %words, i64 2\n  %value2 = load float, ptr %at2" in packed
    assert "call void @f(ptr %value0, i64 %value1, float %value2, i8 %value3) noinline" in packed


def test_no_packed_form_where_its_name_is_taken():
    module = parse("llvm.func @f() {\n llvm.return\n}\nllvm.func @hologram_call_f() {\n llvm.return\n}")
    first = next(iter(module.body.ops))
    first.attributes["hologram.entry"] = StringAttr('{"symbol": "f"}')
    written = emit_llvm_ir(module)
    verify(written)
    assert "packed" not in written


def test_modules_without_entries_have_no_such_constant():
    assert "hologram_entries" not in ir("llvm.func @f()")


# Errors


def test_errors_name_the_operation_and_the_place():
    module = parse("llvm.func @f(%x: i32) {\n  %y = arith.addi %x, %x : i32\n  llvm.return\n}")
    with pytest.raises(PassError, match=r"arith.addi can't be written as LLVM IR") as caught:
        emit_llvm_ir(module)
    assert caught.value.code == "llvm-ir-operation"
    assert caught.value.op.name == "arith.addi"
