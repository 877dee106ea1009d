"""`hologram-run` and `hologram-doctor` as commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hologram.driver import graph
from hologram.errors import UsageError
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument
from hologram.tools.run.values import parse_value
from in_process import Outcome, run_tool
from runtime_programs import add, divide, scale

ADD = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOLOGRAM_ISOLATE", "never")
    graph.clear_memory()
    return tmp_path / "cache"


def run(*args: str | Path, stdin: str = "") -> Outcome:
    return run_tool("hologram-run", args, stdin=stdin.encode())


def said(*args: str | Path, stdin: str = "") -> str:
    outcome = run(*args, stdin=stdin)
    assert outcome.code == 0, outcome.errors
    return outcome.text


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "add.ll"
    path.write_text(add())
    return path


# Values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3), ("-0x10", -16), ("2.5", 2.5), ("1e3", 1000.0), ("true", True), ("False", False), ("-inf", -np.inf),
        ("[1,2,3]:f32", np.array([1, 2, 3], np.float32)),
        ("[[1,-2],[3,4]]:i8", np.array([[1, -2], [3, 4]], np.int8)),
        ("[true,false]:bool", np.array([True, False])),
        ("[inf,-inf]:f64", np.array([np.inf, -np.inf])),
        ("[1,2]", np.array([1, 2])),
        ("[]:f32", np.zeros(0, np.float32)),
        ("f32[2x3]=iota", np.arange(6, dtype=np.float32).reshape(2, 3)),
        ("i64[4]=ones", np.ones(4, np.int64)),
        ("bf16[2]=full(1.5)", np.full(2, 1.5).astype(dtypes.dtype("bf16").numpy)),
        ("bool[3]=full(true)", np.ones(3, bool)),
        ("f64[]=full(-inf)", np.array(-np.inf)),
        ("u8[0x4]=zeros", np.zeros((0, 4), np.uint8)),
        ("[[1,-2]]:i128", np.array([[[1, 0], [2**64 - 2, 2**64 - 1]]], np.uint64)),
        ("u128[2]=iota", np.array([[0, 0], [1, 0]], np.uint64)),
        ("u128[1]=full(18446744073709551617)", np.array([[1, 1]], np.uint64)),
        ("i256[0x3]=ones", np.zeros((0, 3, 4), np.uint64)),
    ],
)  # fmt: skip
def test_values(text: str, expected: Any):
    found = parse_value(text, None)
    assert type(found) is type(expected)
    assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["f32", "i8", "bool", "u256"])
def test_random_values(name: str):
    first, again, other = (parse_value(f"{name}[100]=random({seed})", None) for seed in ("7", "7", ""))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert len(np.unique(first)) > 1


def test_arrays_take_the_type_that_is_wanted():
    assert parse_value("[1,2]", Argument("x", "buffer", "f16", (None,))).dtype == np.float16


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("many", "run-value"), ("", "run-value"), ("f32[3]=full(many)", "run-value"),
        ("g32[3]=ones", "run-value"), ("[1]:g32", "run-value"), ("f32[3]=twos", "run-value"),
        ("f32[x]=ones", "run-value"), ("f32[3]=random(x)", "run-value"),
        ("[1,[2]]:f32", "run-value"), ("[300]:u8", "run-value"), ("[1,]:f32", "run-value"),
        ('["a"]:f32', "run-value"), ("[-1]:u128", "limbs-value"), ("[1.5]:u128", "limbs-value"),
        ("i128[2]=full(-1e300)", "limbs-value"), ("i127[2]=ones", "run-value"),
    ],
)  # fmt: skip
def test_wrong_values(text: str, code: str):
    with pytest.raises(UsageError) as caught:
        parse_value(text, None)
    assert caught.value.code == code
    assert caught.value.hint


# Runs


def test_prints_results(program: Path):
    assert said(program, "--arg", "f32[4]=iota", "--arg", "[1,2,3,nan]") == "c: f32[4]\n[ 1.  3.  5. nan]\n"


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
def test_wide_integers(tmp_path: Path, device: str):
    (tmp_path / "wide.mlir").write_text(
        """func.func @main(%x: memref<?xi256>, %s: i256, %r: memref<?xi256> {hologram.result = "(x[0],)"}) {
          atlas.map ins(%x, %s : memref<?xi256>, i256) outs(%r : memref<?xi256>)
              maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>] {
          ^bb0(%a: i256, %b: i256):
            %p = atlas.mul i256 %a, %b
            atlas.yield %p : i256
          }
          func.return
        }"""
    )
    args = [tmp_path / "wide.mlir", "--device", device, "--arg", "[1,-3]:i256", "--arg", str(7**80)]
    assert said(*args).split() == ["r:", "i256[2]", f"[{7**80}", f"{-3 * 7**80}]"]
    (result,) = json.loads(said(*args, "--json"))["results"]
    assert result == {"name": "r", "dtype": "i256", "shape": [2], "values": [7**80, -3 * 7**80]}
    args[-1] = str(2**256)
    assert run(*args).code == 1


def test_files_in_and_out(program: Path, tmp_path: Path):
    x = np.arange(5, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    text = said(program, "--input", tmp_path / "x.npy", "--arg", "f32[5]=ones", "--output", tmp_path / "y.npy")
    assert text.startswith("c: f32[5] in ")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), x + 1)


def test_bfloat_files(tmp_path: Path):
    (tmp_path / "add.ll").write_text(add("bf16"))
    x = np.arange(4).astype(dtypes.dtype("bf16").numpy)
    np.save(tmp_path / "x.npy", x)
    args = [tmp_path / "add.ll", "--input", tmp_path / "x.npy", "--input", tmp_path / "x.npy"]
    assert said(*args) == "c: bf16[4]\n[0. 2. 4. 6.]\n"
    assert json.loads(said(*args, "--json"))["results"][0]["values"] == [0, 2, 4, 6]


def test_arrays_written_in_place(tmp_path: Path):
    (tmp_path / "scale.ll").write_text(scale())
    assert said(tmp_path / "scale.ll", "--arg", "f32[3]=iota", "--arg", "2", "--time").startswith(
        "x: f32[3]\n[0. 2. 4.]"
    )


def test_json(program: Path):
    found = json.loads(said(program, "--arg", "[1,inf,-inf,nan]", "--arg", "f32[4]=ones", "--json", "--time"))
    assert (found["entry"], found["device"]) == ("main", "cpu")
    assert found["results"] == [
        {"name": "c", "dtype": "f32", "shape": [4], "values": [2.0, "Infinity", "-Infinity", "NaN"]}
    ]
    assert found["time"]["median_seconds"] > 0
    assert found["time"]["launches"] >= 3


def test_archives():
    archive = Path(__file__).parents[1] / "fail" / "run" / "Inputs" / "two.holo"
    assert said(archive, "--entry", "double", "--arg", "[1,-2]:f32") == "x: f32[2]\n[ 2. -4.]\n"


@pytest.mark.parametrize("device", ["cpu", "interpreter"])
def test_sweep(tmp_path: Path, device: str):
    (program := tmp_path / "add.mlir").write_text(ADD, encoding="utf-8")
    args = ["--arg", "f32[N]=iota", "--arg", "f32[N]=ones", "--sweep", "N=0,3,1_000", "--device", device]
    found = json.loads(said(program, *args, "--json"))
    assert [row["size"] for row in found["times"]] == [0, 3, 1000]
    assert [row["bytes"] for row in found["times"]] == [0, 36, 12000]
    assert all(row["median_seconds"] > 0 and row["launches"] >= 3 for row in found["times"])
    if device == "cpu":
        lines = said(program, *args).splitlines()
        assert [line.split()[0] for line in lines[1:]] == ["N", "0", "3", "1000"]
        assert lines[-1].split()[3:5] == ["12", "kB"]


def test_time(program: Path):
    assert "us a launch (median of" in said(program, "--arg", "f32[4]=iota", "--arg", "f32[4]=iota", "--time")


@pytest.mark.usefixtures("no_gpus")
def test_auto_and_options(program: Path):
    args = ("--arg", "f32[1]=ones", "--arg", "f32[1]=ones", "--opt-level", "0", "--no-cache", "--device", "auto")
    assert said(program, *args).endswith("device: cpu\n")


def test_standard_input():
    assert said("-", "--arg", "f32[1]=ones", "--arg", "f32[1]=ones", stdin=add()) == "c: f32[1]\n[2.]\n"


def test_mlir_on_both_devices(tmp_path: Path):
    (tmp_path / "add.mlir").write_text(ADD)
    args = (tmp_path / "add.mlir", "--arg", "[1,2]:f32", "--arg", "[3,4]:f32")
    assert said(*args).endswith("f32[2]\n[4. 6.]\n")
    assert said(*args, "--device", "interpreter", "--time").startswith("result: f32[2]\n[4. 6.]\n")
    in_place = tmp_path / "store.mlir"
    in_place.write_text(
        "func.func @main(%x: memref<2xf32>, %v: f32) {\n  %c1 = arith.constant 1 : index\n"
        "  memref.store %v, %x[%c1] : memref<2xf32>\n  return\n}\n"
    )
    assert said(in_place, "--arg", "f32[2]=ones", "--arg", "5", "--device", "interpreter") == "arg0: f32[2]\n[1. 5.]\n"


def test_interpreter_makes_omitted_outputs(tmp_path: Path):
    path = tmp_path / "out.mlir"
    path.write_text(
        'func.func @fill(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(x[0] + 1,)"}) {\n'
        "  %c0 = arith.constant 0 : index\n  %v = memref.load %x[%c0] : memref<?xf32>\n"
        "  memref.store %v, %r[%c0] : memref<?xf32>\n  return\n}\n"
    )
    interpreted = ("--device", "interpreter")
    assert said(path, "--arg", "[5]:f32", *interpreted) == "r: f32[2]\n[5. 0.]\n"
    assert said(path, "--arg", "[5]:f32", "--arg", "f32[2]=ones", *interpreted) == "r: f32[2]\n[5. 1.]\n"
    assert run(path, *interpreted).code == 1


@pytest.mark.usefixtures("no_gpus")
@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["--arg", "[3]:f32"], 1, "[launch-count]"),
        (["--arg", "f32[3]=ones", "--arg", "f64[3]=ones"], 2, "[run-argument]"),
        (["--entry", "man", "--arg", "3"], 1, "did you mean 'main'?"),
        (["--device", "cuda"], 1, "[device-missing]"),
        (["--device", "interpreter"], 2, "[run-interpreter-form]"),
        (["--frobnicate"], 2, "there is no option '--frobnicate'"),
        (["--opt-level", "7"], 2, "not '7' [usage]"),
    ],
)
def test_errors(program: Path, args: list[str], code: int, words: str):
    outcome = run(program, *args)
    assert outcome.code == code
    assert words in outcome.errors
    assert "Traceback" not in outcome.errors
    assert not outcome.text


def test_traps_end_the_run(tmp_path: Path):
    (tmp_path / "divide.ll").write_text(divide())
    outcome = run(tmp_path / "divide.ll", "--arg", "1", "--arg", "0")
    assert outcome.code == 1
    assert "file.mlir:3:5: error: program 'main' trapped in lane 3" in outcome.errors


# The doctor


@pytest.mark.usefixtures("no_gpus")
def test_doctor(tmp_path: Path):
    outcome = run_tool("hologram-doctor", [])
    assert outcome.code == 0
    assert "cpu      ready" in outcome.text
    assert "cuda     not ready" in outcome.text
    assert "use device 'cpu'" in outcome.text
    assert str(tmp_path / "cache") in outcome.text


def test_doctor_json(cache_dir: Path):
    found = json.loads(run_tool("hologram-doctor", ["--json"]).text)
    # Plugins bring more.
    assert {d["name"] for d in found["devices"]} >= {"cpu", "cuda", "vulkan", "webgpu", "opencl", "wasm"}
    assert found["packages"]["xdsl"].startswith("0.74")
    assert found["host"]["cpu"]
    assert found["host"]["features"]
    assert found["cache"]["folder"].startswith(str(cache_dir))
    assert found["cache"]["writable"]


def test_doctor_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "file" / "x"))
    monkeypatch.setenv("HOLOGRAM_CACHE_MEGABYTES", "0")
    monkeypatch.setattr("hologram.tools.doctor.PACKAGES", ("a-package-that-is-not-there",))
    text = run_tool("hologram-doctor", []).text
    assert "turned off" in text
    assert "can't be written" in text
    assert "not installed" in text


def test_doctor_on_the_cache_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "shared" / "cache"))
    text = run_tool("hologram-doctor", []).text
    assert f"others may write to '{tmp_path / 'shared'}'" in text
    assert "chmod go-w" in text


@pytest.mark.parametrize("command", ["hologram-opt", "hologram-run", "hologram-compile", "hologram-doctor"])
@pytest.mark.parametrize("option", ["--version", "-v"])
def test_every_command_says_its_version(command: str, option: str):
    outcome = run_tool(command, [option])
    assert outcome.code == 0
    assert re.fullmatch(rf"{command} \d+\.\d+\S* \(xdsl \S+, Python \S+\)\n", outcome.text)
