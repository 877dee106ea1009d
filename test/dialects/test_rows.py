"""Operations as rows: classes that are made when an operation is met, with what upstream's have."""

import subprocess
import sys

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import Float32Type, IntegerAttr, VectorType, i64
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.irdl import AttrSizedOperandSegments

from hologram.dialects import get_all_dialects, make_context
from hologram.dialects.custom.kinds import kinds_of
from hologram.dialects.custom.rows import Row, operation
from hologram.dialects.mlir_parser import parse_module
from hologram.dialects.mlir_printer import print_operation
from hologram.errors import HologramError, VerifyError
from hologram.transforms.analysis.verifier import collect_errors


def test_a_dialect_is_loaded_without_its_rows() -> None:
    code = (
        "import sys; from hologram.dialects import make_context; c = make_context(); c.get_op('vector.load');"
        "m = 'hologram.dialects.custom.vector_rows'; assert m not in sys.modules;"
        "c.get_op('vector.mask'); assert m in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_all_contexts_get_one_class_and_lists_show_it() -> None:
    first, second = make_context(), make_context()
    assert first.get_op("vector.scan") is second.get_op("vector.scan") is operation("vector.scan")
    assert "vector.scan" in {op.name for op in get_all_dialects()["vector"]().operations}
    assert first.get_optional_op("vector.no_such") is None
    assert first.get_optional_attr("vector.iterator_type") is not None


def test_what_is_left_out_has_the_value_that_upstream_gives_it() -> None:
    kind = operation("vector.outerproduct")
    values = test.TestOp(result_types=[VectorType(Float32Type(), [2]), VectorType(Float32Type(), [3])]).results
    op = kind.create(operands=values, result_types=[VectorType(Float32Type(), [2, 3])])
    assert op.properties["kind"] == CombiningKindAttr(CombiningKindFlag.ADD)
    assert print_operation(op).endswith(": vector<2xf32>, vector<3xf32>")
    text = '"vector.outerproduct"(%a, %b) : (vector<2xf32>, vector<3xf32>) -> vector<2x3xf32>'
    program = f"func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) {{ %r = {text} return }}"
    module = parse_module(program, "-", make_context())
    assert "kind = #vector.kind<add>" in print_operation(module, generic=True)


def test_two_lists_of_operands_have_segments_and_a_letter_means_one_type() -> None:
    row = Row("vector.try", "A trial.", "a:index* b:any$T c:any$T?", "r:any$T", "n:i64_attr", form=None, traits="pure")
    kind = row.made("vector_rows", kinds_of("hologram.dialects.custom.vector_rows"))
    definition = kind.get_irdl_definition()
    assert AttrSizedOperandSegments(as_property=True) in definition.options
    [i, f] = test.TestOp(result_types=[VectorType(Float32Type(), [n]) for n in (2, 3)]).results
    op = kind.build(operands=[[], i, [f]], result_types=[i.type], properties={"n": IntegerAttr(1, i64)})
    with pytest.raises(Exception, match="'c'"):
        op.verify()


def test_a_rule_that_does_not_hold_is_an_error_at_the_operation() -> None:
    wrong = "%r = vector.shape_cast %a : vector<2x3xf32> to vector<5xf32>"
    text = f"func.func @f(%a: vector<2x3xf32>) {{\n  {wrong}\n  return\n}}"
    [error] = collect_errors(parse_module(text, "-", make_context()))
    assert isinstance(error, VerifyError)
    assert error.code == "operation-rule"
    assert error.where is not None
    assert error.where.line == 2


WRONG_SPIRV = {
    "spirv.Unreachable": "stands where control never comes",
    "spirv.mlir.merge": "stands in 'spirv.mlir.selection' or 'spirv.mlir.loop'",
    "spirv.BranchConditional %c [0, 0], ^b, ^b\n^b:\n  spirv.Return": "are not both 0",
    "spirv.mlir.selection {\n    spirv.mlir.merge\n  }\n  spirv.Return": "has a block that branches before",
    "spirv.FunctionCall @f() : () -> ()\n  spirv.Return": "there is no function @f",
    "%r = spirv.GroupIAdd <Device> <Reduce> %i : i32\n  spirv.Return": "has the scope Workgroup or Subgroup",
    "%r = spirv.GroupFAdd <Workgroup> <Reduce> %i : i32\n  spirv.Return": "takes floats",
    "%r = spirv.SDot %i, %i : i32 -> i32\n  spirv.Return": "has a format of packed vectors",
    "%r = spirv.GroupNonUniformIAdd <Subgroup> <ClusteredReduce> %i : i32 -> i32\n  spirv.Return": "says how large",
    "%r = spirv.GroupNonUniformBroadcast <Subgroup> %i, %i : i32, i32\n  spirv.Return": "whose number is a constant",
}


@pytest.mark.parametrize("text", WRONG_SPIRV)
def test_operations_of_spirv_hold_upstream_rules(text: str) -> None:
    module = parse_module(f"func.func @g(%c: i1, %i: i32) {{\n  {text}\n}}", "-", make_context())
    [error] = collect_errors(module)
    assert (error.code, error.where and error.where.line) == ("operation-rule", 2)
    assert WRONG_SPIRV[text] in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "@f() attributes {spirv.something = 64}",
        "@f() attributes {spirv.entry_point_abi = 64}",
        "@f(%x: i32 {spirv.something}) { return }",
        "@f() -> (i32 {spirv.something})",
        "@f(%x: memref<4xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1), Uniform>}) { return }",
    ],
)
def test_functions_have_the_attributes_of_spirv_that_there_are(text: str) -> None:
    [error] = collect_errors(parse_module(f"func.func private {text}", "-", make_context()))
    assert error.code == "operation-rule"


def test_functions_of_spirv_see_nothing_outside_themselves() -> None:
    function = 'spirv.func @f() -> i32 "None" {\n  spirv.ReturnValue %c : i32\n}'
    [error] = collect_errors(parse_module(f"%c = spirv.Constant 1 : i32\n{function}", "-", make_context()))
    assert error.code == "dominance-isolated"


def test_spirv_is_loaded_without_its_rows_and_syntax() -> None:
    code = (
        "import sys; from hologram.dialects import make_context; c = make_context(); c.get_op('spirv.func');"
        "m = 'hologram.dialects.spirv.'; assert not {m + 'rows', m + 'syntax', m + 'abi'} & {*sys.modules};"
        "c.get_op('spirv.Kill'); assert m + 'rows' in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_llvm_rows_are_left_alone_until_one_is_met() -> None:
    code = (
        "import sys; from hologram.dialects import make_context; c = make_context(); c.get_op('llvm.call');"
        "m = 'hologram.dialects.llvm.rows'; assert m not in sys.modules;"
        "c.get_op('llvm.invoke'); assert m in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


WRONG_LLVM = {
    "begins with an 'llvm.landingpad'": """
        llvm.func @p(...)
        llvm.func @f() -> i32 attributes {personality = @p} {
          %0 = llvm.invoke @f() to ^a unwind ^a : () -> i32
        ^a:
          llvm.return %0 : i32
        }""",
    "with a personality": """
        llvm.func @f() {
          %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
          llvm.return
        }""",
    "cleans up, or has a clause": """
        llvm.func @p(...)
        llvm.func @f() attributes {personality = @p} {
          %0 = llvm.landingpad : !llvm.struct<(ptr, i32)>
          llvm.return
        }""",
    "is a constant": """
        llvm.func @p(...)
        llvm.func @f(%x: !llvm.ptr) attributes {personality = @p} {
          %0 = llvm.landingpad (catch %x : !llvm.ptr) : !llvm.struct<(ptr, i32)>
          llvm.return
        }""",
    "that is scalable": """
        llvm.func @f(%x: vector<4xf32>) {
          %0 = llvm.intr.vector.extract %x[0] : vector<[8]xf32> from vector<4xf32>
          llvm.return
        }""",
    "have one tag": """
        llvm.func @f() {
          llvm.blocktag <id = 1>
          llvm.blocktag <id = 1>
          llvm.return
        }""",
    "has the tag 1": """
        llvm.func @f() {
          %0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
          llvm.return
        }""",
    "gives a pointer": """
        llvm.mlir.alias external @a : i32 {
          %0 = llvm.mlir.zero : i32
          llvm.return %0 : i32
        }""",
    "linkage 'appending'": """
        llvm.mlir.alias appending @a : i32 {
          %0 = llvm.mlir.zero : !llvm.ptr
          llvm.return %0 : !llvm.ptr
        }""",
    "of one length": """
        llvm.func @c()
        llvm.mlir.global_ctors ctors = [@c], priorities = [0 : i32], data = []""",
    "names @c, which is not there": "llvm.mlir.global_ctors ctors = [@c], priorities = [0 : i32], data = [#llvm.zero]",
    "names @x, which is not there": """
        llvm.func @f() {
          %0 = llvm.dso_local_equivalent @x : !llvm.ptr
          llvm.return
        }""",
    "which is none of llvm.func": """
        llvm.mlir.global external @g() : i32
        llvm.func @f() {
          llvm.call @g() : () -> ()
          llvm.return
        }""",
    "is in address space 3": """
        llvm.mlir.global external @g() {addr_space = 3 : i32} : i32
        llvm.func @f() {
          %0 = llvm.mlir.addressof @g : !llvm.ptr
          llvm.return
        }""",
    "holds 'llvm.comdat_selector' alone": """
        llvm.comdat @c {
          llvm.func @f()
        }""",
}


@pytest.mark.parametrize("said", WRONG_LLVM)
def test_what_upstream_refuses_of_llvm_rows_is_refused(said: str) -> None:
    errors = collect_errors(parse_module(WRONG_LLVM[said], "wrong", make_context()))
    assert any(said in error.message for error in errors), errors


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @f(!llvm.no_such_type<8>)",
        'llvm.func @f() attributes {x = #llvm.di_label<name = "a">}',
        'llvm.func @f() attributes {x = #llvm.di_file<"a">}',
        "llvm.func @f() attributes {x = #llvm.di_label<what = 1>}",
    ],
)
def test_types_and_attributes_of_llvm_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(HologramError):
        parse_module(text, "wrong", make_context(allow_unregistered=True))
