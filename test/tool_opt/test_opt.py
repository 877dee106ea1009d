"""`hologram-opt` as a user meets it: what it reads, runs, prints and refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hologram.lowering.pipelines.pipelines import PIPELINES
from in_process import opt, run_tool
from machine_speed import allowed

FUNCTION = """\
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %d = arith.constant 0 : i32
  %x = arith.addi %c, %a : i32
  func.return %x : i32
}
"""
MODULE = """\
builtin.module {
  func.func @f(%a: i32) -> i32 {
    %c = arith.constant 0 : i32
    %d = arith.constant 0 : i32
    %x = arith.addi %c, %a : i32
    func.return %x : i32
  }
}
"""
TWO = FUNCTION + FUNCTION.replace("@f", "@g")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "f.mlir"
    path.write_text(FUNCTION)
    return path


# Reading and writing


def test_no_passes_is_a_round_trip():
    assert opt(FUNCTION).text == MODULE
    assert opt(MODULE).text == MODULE


@pytest.mark.parametrize("text", ["", "\n", "// nothing\n"])
def test_empty_input_is_an_empty_module(text: str):
    outcome = opt(text)
    assert (outcome.code, outcome.text) == (0, "builtin.module {\n}\n")


def test_reads_a_file_and_writes_a_file(source: Path, tmp_path: Path):
    out = tmp_path / "out.mlir"
    assert run_tool("hologram-opt", [source, "-o", out]).out == b""
    assert out.read_text() == MODULE


def test_a_failure_leaves_the_output_file_alone(tmp_path: Path):
    out = tmp_path / "out.mlir"
    out.write_text("as it was")
    assert opt("func.func", "-o", out).code == 1
    assert out.read_text() == "as it was"


def test_windows_line_ends_and_byte_order_mark():
    outcome = run_tool("hologram-opt", [], stdin=b"\xef\xbb\xbf" + FUNCTION.replace("\n", "\r\n").encode())
    assert outcome.text == MODULE


def test_generic_form_and_locations():
    assert '"func.func"() <{' in opt(FUNCTION, "--print-op-generic").text
    assert 'arith.addi %c, %a : i32 loc("<stdin>":4:3)' in opt(FUNCTION, "--mlir-print-debuginfo").text
    assert '"builtin.module"' in opt(FUNCTION, "-t", "mlir{print_generic_format}").text


def test_unregistered_operations():
    text = '%0 = "my.op"() {x = 1 : i32} : () -> i32\n'
    assert opt(text).code == 1
    assert '"my.op"() {x = 1 : i32}' in opt(text, "--allow-unregistered-dialect").text


def test_split_input_keeps_line_numbers_and_goes_on():
    text = FUNCTION + "// -----\n" + "func.func @g() {\n  func.retrun\n}\n// -----\n" + FUNCTION
    outcome = opt(text, "--split-input-file")
    assert outcome.code == 1
    assert outcome.text == MODULE + "// -----\n" + MODULE
    assert "<stdin>:9:3: error: there is no operation 'func.retrun'" in outcome.errors
    assert "\n    func.retrun\n    ^^^^^^^^^^^\n" in outcome.errors


def test_split_input_at_another_mark():
    assert opt(FUNCTION + "// ===\n" + FUNCTION, "--split-input-file=// ===").text.count("// -----") == 1


# Passes


@pytest.mark.parametrize(
    "args",
    [
        ("-p", "canonicalize,cse"),
        ("-p", " canonicalize , cse "),
        ("-p", "canonicalize", "-p", "cse"),
        ("-p=canonicalize,cse",),
        ("--pass-pipeline=builtin.module(canonicalize,cse)",),
        ("--pass-pipeline", "builtin.module( func.func( canonicalize, cse ) )"),
        ("-pass-pipeline=any(func.func(canonicalize),cse)",),
        ("--canonicalize", "--cse"),
        ("-canonicalize", "-cse"),
        ("--canonicalize=", "-p", "cse"),
    ],
)
def test_ways_to_ask_for_passes(args: tuple[str, ...]):
    outcome = opt(FUNCTION, *args)
    assert outcome.errors == ""
    assert "arith" not in outcome.text


def test_nested_pipelines_run_on_the_operations_of_the_anchor():
    text = "module {\n" + FUNCTION + "}\n" + FUNCTION.replace("@f", "@g") + "func.func @h() {\n  func.return\n}\n"
    outcome = opt(text, "--pass-pipeline=builtin.module(func.func(canonicalize))")
    inner, outer = outcome.text.split("@g")
    assert "arith.addi" in inner
    assert "arith" not in outer
    assert outer.index("@h") > 0
    nested = opt(text, "--pass-pipeline=builtin.module(builtin.module(func.func(canonicalize)))").text
    assert "arith" not in nested.split("@g")[0]
    assert "arith" in nested.split("@g")[1]


def test_pass_options():
    text = "func.func private @p() {\n  func.return\n}\n"
    assert "@p" not in opt(text, "-p", "symbol-dce").text
    assert opt(FUNCTION, "-p", "scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}").errors == ""
    assert opt(FUNCTION, "-p", "arith-add-fastmath{flags=nnan,nsz}").errors == ""
    assert opt(FUNCTION, "-p", 'print-ir{label="a b"}').code == 2


def test_dump_pass_pipeline_can_be_read_back():
    asked = "builtin.module(func.func(canonicalize,cse),symbol-dce)"
    outcome = opt(FUNCTION, f"--pass-pipeline={asked}", "--dump-pass-pipeline")
    assert outcome.errors == asked + "\n"


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (
            ("-p", "canonicalise"),
            r"-p:1:1: error: .*'canonicalise'.*\n.*\n  \^{12}\nhint: did you mean 'canonicalize'\?",
        ),
        (("-p", "cse,,cse"), r"-p:1:5: error: the name of a pass was expected here"),
        (("-p", "cse{a=}"), r"-p:1:7: error: a value of 'a' was expected here"),
        (("-p", "cse{a=1 a=2}"), r"-p:1:9: error: option 'a' is given twice"),
        (
            ("--pass-pipeline=func.func(cse",),
            r"--pass-pipeline:1:14: .* the '\)' of 'func.func\(' was expected",
        ),
        (("-p", "cse[x]"), r"only 'mlir-opt' takes a pipeline in brackets"),
        (("--cannonicalize",), r"there is no option '--cannonicalize'"),
        (("--pases=x",), r"did you mean '--passes'"),
        (("-o",), r"option '-o' requires an argument"),
        (("--verify-each=perhaps",), r"'--verify-each' is true or false, not 'perhaps'"),
        (("--help-pass", "cannonicalize"), r"did you mean 'canonicalize'"),
    ],
)
def test_wrong_command_lines(args: tuple[str, ...], expected: str):
    outcome = opt(FUNCTION, *args)
    assert outcome.code == 2
    assert re.search(expected, outcome.errors), outcome.errors
    assert "Traceback" not in outcome.errors


# Diagnostics


def test_all_invalid_operations_are_told():
    text = "func.func @f() -> i32 {\n  func.return\n}\nfunc.func @g() -> i32 {\n  func.return\n}\n"
    outcome = opt(text)
    assert (outcome.code, outcome.text) == (1, "")
    assert re.findall(r"<stdin>:(\d+):(\d+): error", outcome.errors) == [("2", "3"), ("5", "3")]


WRONG = "func.func @f() -> i32 {\n  func.return %s\n}\n"


@pytest.mark.parametrize(
    "comment",
    [
        "// expected-error {{the function has results of types}}",
        "// expected-error{{[verify-op]}}",
        "// expected-error-re {{the function {{.*}}i32{{.*}}, and this gives}}",
        "\n// expected-error@above {{is not valid}}",
        "\n\n// expected-error @-2 {{is not valid}}",
    ],
)
def test_expected_errors(comment: str):
    outcome = opt(WRONG % comment, "--verify-diagnostics")
    assert (outcome.code, outcome.errors) == (0, "")


def test_expected_errors_before_the_line():
    for head in ("@+2", "@below"):
        text = f"// expected-error{head} {{{{no operation}}}}\n" + ("\n" if head == "@+2" else "") + "func.fun\n"
        assert opt(text, "--verify-diagnostics").errors == ""
    text = "// expected-error@below {{no operation}}\n// expected-note@below {{did you mean 'func.func'}}\nfunc.fun\n"
    assert opt(text, "--verify-diagnostics").errors == ""


def test_expected_errors_in_each_part():
    text = "// -----\n".join(
        [WRONG % "// expected-error {{valid}}", FUNCTION, "foo.bar // expected-error {{no dialect}}\n"]
    )
    outcome = opt(text, "--split-input-file", "--verify-diagnostics")
    assert (outcome.code, outcome.errors) == (0, "")


def test_hints_are_notes():
    text = "func.fun // expected-error {{no operation}} expected-note {{did you mean}}\n"
    assert opt(text, "--verify-diagnostics").code == 0


@pytest.mark.parametrize("kind", ["error", "warning", "note", "remark"])
def test_what_is_expected_must_come(kind: str):
    outcome = opt(f"// expected-{kind} {{{{something}}}}\n", "--verify-diagnostics")
    assert outcome.code == 1
    assert f'<stdin>:1: error: expected {kind} "something" was not produced' in outcome.errors


def test_only_expected():
    assert opt(WRONG % "", "--verify-diagnostics").code == 1
    assert opt(WRONG % "", "--verify-diagnostics=only-expected").code == 0


def test_parsing_diagnostics_of_xdsl_opt():
    outcome = opt("func.fun\n", "--parsing-diagnostics")
    assert (outcome.code, outcome.errors) == (0, "")
    assert outcome.text.startswith("<stdin>:1:1: error: there is no operation 'func.fun'")


def test_shrink_of_xdsl_opt(monkeypatch: pytest.MonkeyPatch):
    from xdsl.utils.exceptions import ShrinkException

    from hologram.transforms.canonical.cse import CsePass

    def broken(*_: object) -> None:
        raise ShrinkException

    assert opt(FUNCTION, "-p", "cse", "--shrink").code == 1
    monkeypatch.setattr(CsePass, "apply", broken)
    outcome = opt(FUNCTION, "-p", "cse", "--shrink")
    assert (outcome.code, outcome.text) == (0, "Success, can shrink\n")


# Looking inside


def test_print_ir():
    def heads(*args: str) -> list[str]:
        return re.findall(r"// -----// IR Dump (.*) //-----", opt(FUNCTION, "-p", "canonicalize,cse", *args).errors)

    before = ["Before CanonicalizePass (canonicalize)", "Before CsePass (cse)"]
    after = [head.replace("Before", "After") for head in before]
    assert heads("--mlir-print-ir-before-all") == before
    assert heads("--mlir-print-ir-after-all") == after
    assert heads("--mlir-print-ir-before=cse") == before[1:]
    assert heads("--mlir-print-ir-after=canonicalize,cse") == after
    assert heads("-mlir-print-ir-after") == after
    assert heads("--mlir-print-ir-after-change") == after[:1]
    assert heads("--mlir-print-ir-after-failure") == []


def test_print_ir_after_failure():
    text = 'func.func @f() {\n  %c:2 = "test.op"() : () -> (i32, i32)\n  func.return\n}\n'
    outcome = opt(text, "-p", "eqsat-create-eclasses", "--mlir-print-ir-after-failure")
    assert "IR Dump After EqsatCreateEclassesPass Failed (eqsat-create-eclasses)" in outcome.errors


def test_timing():
    assert re.search(r"\d+\.\d+ +\d+\.\d% +1  cse\n", opt(FUNCTION, "-p", "cse", "--timing").errors)
    report = json.loads(opt(FUNCTION, "-p", "cse,cse", "--timing=json").errors)
    assert {"name": "cse", "runs": 2} == {k: v for k, v in report["rows"][3].items() if k != "seconds"} or any(
        row["name"] == "cse" and row["runs"] == 2 for row in report["rows"]
    )
    assert opt(FUNCTION, "--timing", "-p", "cse").code == 0


def test_dump_stages_by_pass(tmp_path: Path):
    assert opt(FUNCTION, "-p", "canonicalize,cse", "--dump-stages-to", tmp_path / "d").code == 0
    assert sorted(p.name for p in (tmp_path / "d").iterdir()) == [
        "00-input.mlir",
        "01-canonicalize.mlir",
        "02-cse.mlir",
    ]
    assert opt((tmp_path / "d" / "00-input.mlir").read_text()).text == MODULE


def test_dump_stages_by_stage(tmp_path: Path):
    assert (
        opt(
            "func.func @f() {\n  func.return\n}\n",
            "-p",
            "hologram-to-cpu{from=clean to=clean}",
            "--dump-stages-to",
            tmp_path,
        ).code
        == 0
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["00-input.mlir", "01-clean.mlir"]
    text = (tmp_path / "01-clean.mlir").read_text()
    assert re.search(r"^// after stage \d+ of hologram-to-cpu: clean \(canonicalize,cse\)$", text, re.MULTILINE)


# Reproducers


def test_reproducer(tmp_path: Path):
    path = tmp_path / "repro.mlir"
    text = 'func.func @f() {\n  %a:2 = "test.op"() : () -> (i32, i32)\n  func.return\n}\n'
    first = opt(text, "-p", "canonicalize,eqsat-create-eclasses", f"--mlir-pass-pipeline-crash-reproducer={path}")
    assert first.code == 1
    assert str(path) in first.errors
    assert 'pipeline: "builtin.module(canonicalize,eqsat-create-eclasses)"' in path.read_text()
    assert opt(path.read_text()).code == 0
    again = run_tool("hologram-opt", [path, "--run-reproducer"])
    assert again.code == 1
    assert f"{path}:2:3: error: pass 'eqsat-create-eclasses' can't go on" in again.errors


def test_invalid_input_makes_no_reproducer(tmp_path: Path):
    path = tmp_path / "repro.mlir"
    assert opt(WRONG % "", "-p", "cse", f"--mlir-pass-pipeline-crash-reproducer={path}").code == 1
    assert not path.exists()


def test_nested_anchors():
    kernel = f'"gpu.module"() <{{sym_name = "m"}}> ({{\n{FUNCTION}}}) : () -> ()\n'
    outcome = opt(FUNCTION + kernel, "--pass-pipeline=builtin.module(gpu.module(func.func(canonicalize)))")
    assert outcome.errors == ""
    assert outcome.text.count("arith.addi") == 1
    assert outcome.text.index("arith.addi") < outcome.text.index("gpu.module")


def test_reproducer_of_mlir_opt():
    text = FUNCTION + (
        "{-#\n  external_resources: {\n    mlir_reproducer: {\n"
        '      pipeline: "builtin.module(func.func(canonicalize))",\n'
        "      disable_threading: true,\n      verify_each: true\n    }\n  }\n#-}\n"
    )
    assert "arith" not in opt(text, "--run-reproducer").text
    assert "arith" in opt(text).text


def test_a_fault_of_ours_writes_a_reproducer(monkeypatch: pytest.MonkeyPatch):
    from hologram.transforms.canonical.cse import CsePass

    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(CsePass, "apply", broken)
    outcome = opt(FUNCTION, "-p", "cse")
    assert outcome.code == 70
    assert "pass 'cse' broke: KeyError: 'lost' [pass-crashed]" in outcome.errors
    assert "please report it" in outcome.errors
    found = re.search(r"wrote (\S+) to reproduce this", outcome.errors)
    assert found is not None
    content = Path(found[1]).read_text()
    assert "// KeyError: 'lost'" in content
    monkeypatch.undo()
    assert run_tool("hologram-opt", [found[1], "--run-reproducer"]).code == 0


def test_a_pass_that_leaves_invalid_ir_is_named(monkeypatch: pytest.MonkeyPatch):
    from xdsl.dialects.builtin import ModuleOp

    from hologram.transforms.canonical.cse import CsePass

    def broken(self: object, ctx: object, module: ModuleOp) -> None:
        for op in module.walk():
            if op.name == "func.return":
                op.detach()
                op.erase()

    monkeypatch.setattr(CsePass, "apply", broken)
    outcome = opt(FUNCTION, "-p", "cse")
    assert outcome.code == 70
    assert "<stdin>:4:3: error: pass 'cse' left IR that is not valid" in outcome.errors
    assert opt(FUNCTION, "-p", "cse", "--verify-each=false").code == 0


# Telling


def test_lists():
    passes = opt("", "--list-passes").text
    assert re.search(r"^symbol-dce +Removes private symbols", passes, re.MULTILINE)
    assert re.search(r"^canonicalize ", passes, re.MULTILINE)
    rows = {row["name"]: row for row in json.loads(opt("", "--list-passes", "--json").text)}
    assert rows["verify"]["from"] == "hologram"
    assert rows["dce"]["from"] == "xdsl"
    assert opt("", "--list-pipelines").text.startswith("hologram-to-cpu  shapes > atlas")
    dialects = {row["name"]: row for row in json.loads(opt("", "--list-dialects", "--json").text)}
    assert "arith.addi" in dialects["arith"]["operations"]
    assert "atlas" in dialects
    assert "convert-to-llvm" in opt("", "--show-pipeline", "hologram-to-cpu").text


def test_help_of_a_pass():
    text = opt("", "--help-pass", "scf-parallel-loop-tiling").text
    assert "parallel-loop-tile-sizes: tuple[int, ...], required" in text
    assert "After::" in opt("", "--help-pass", "symbol-dce").text


def test_no_pass_breaks_the_list():
    rows = json.loads(opt("", "--list-passes", "--json").text)
    assert not [row["name"] for row in rows if "can't be loaded" in row["summary"]]


# Depth, and what starting costs


@pytest.mark.parametrize("depth", [200, 600])
def test_deep_nesting(depth: int):
    text = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "func.return\n}\n"
    outcome = opt(text, "-p", "canonicalize")
    assert outcome.errors == ""
    assert outcome.code == 0


@pytest.mark.speed
def test_version_is_fast():
    command = [str(Path(sys.executable).parent / "hologram-opt"), "--version"]
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        best = min(best, time.perf_counter() - start)
        assert ran.stdout.startswith("hologram-opt ")
    assert best < allowed(0.25)


# The whole way down

KERNEL = """\
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  %1 = hologram.mul %0, %b : tensor<?xf32>
  func.return %1 : tensor<?xf32>
}
"""


def test_every_stage_is_written_and_can_be_resumed(tmp_path: Path):
    assert opt(KERNEL, "--dump-stages-to", tmp_path).errors == ""
    names = [p.name for p in sorted(tmp_path.iterdir())]
    stages = [f"{stage.name}{stage.suffix}" for stage in PIPELINES["hologram-to-cpu"]]
    assert names == [f"{number:02}-{name}" for number, name in enumerate(["input.mlir", *stages])]
    assert stages[-5:] == ["llvm.mlir", "llvm-ir.ll", "llvm-opt.opt.ll", "asm.s", "obj.o"]
    final = run_tool("hologram-opt", [tmp_path / names[-5]]).text
    rows = [stage.name for stage in PIPELINES["hologram-to-cpu"]]
    for number, name in enumerate(names[:-5]):
        outcome = run_tool("hologram-opt", [tmp_path / name, "-p", f"hologram-to-cpu{{from={rows[number]}}}"])
        assert outcome.errors == ""
        assert outcome.text == final, name


def test_output_forms(tmp_path: Path):
    assert "define void @main(" in opt(KERNEL, "-p", "hologram-to-cpu", "-t", "llvm-ir").text
    assert opt(KERNEL, "-p", "hologram-to-cpu", "-t", "obj", "-o", tmp_path / "k.o").code == 0
    assert (tmp_path / "k.o").stat().st_size > 500
    assert opt(KERNEL, "-p", "hologram-to-cpu{to=core}", "-t", "llvm-ir").code == 1
    assert opt(KERNEL, "-t", "llvm-ir{tripel=x}").code == 2


def test_the_tool_imports_no_numpy_and_no_llvm_to_print():
    code = (
        "import sys; from hologram.tools.opt.command import run; run(['-p', 'canonicalize,cse']);"
        "sys.exit(', '.join({'numpy', 'llvmlite', 'rich'} & sys.modules.keys()) or None)"
    )
    ran = subprocess.run([sys.executable, "-c", code], input=FUNCTION, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
