"""The benchmark itself, on few elements: its files, and that wrong results and missing libraries are told."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bench")]

ROOT = Path(__file__).parents[2]
ADAPTER = """
from worker import Unavailable, Variant

def versions():
    return {"none": "1"}

def start(threads):
    pass

def build(kind, inputs, out):
    {body}
"""
LIAR = 'return [Variant("lie", "out.fill(1)", {"out": out})]'
LATER = """
    import numpy as np
    calls = []
    def add(a, b, out):
        calls.append(1)
        np.add(a, b, out)
        if len(calls) > 1:
            out[-1] += 1
    return [Variant("later", "add(a, b, out)", {"add": add, "a": inputs[0], "b": inputs[1], "out": out})]
"""
PLAIN = ADAPTER.replace("{body}", 'raise Unavailable("it has no " + kind)')


def bench(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "--tiny", "--threads", "1", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def write_peers(folder: Path) -> Path:
    """A file of peers: a right one, wrong ones, and missing ones."""
    adapters = {
        "liar": ADAPTER.replace("{body}", LIAR),
        "later": ADAPTER.replace("{body}", LATER),
        "dying": ADAPTER.replace("{body}", "import os, sys; print(kind, file=sys.stderr); os._exit(3)"),
        "lacking": PLAIN,
        "broken": "import no_such_module\n",
    }
    python = json.dumps(sys.executable)
    text = f'[numpy]\nadapter = "with_numpy.py"\npython = {python}\n'
    for name, source in adapters.items():
        path = folder / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        text += f"[{name}]\nadapter = {json.dumps(str(path))}\npython = {python}\n"
    wheel = json.dumps(str(folder / "absent-1.0-py3-none-any.whl"))
    text += f'[absent]\nadapter = "with_numpy.py"\npackages = [{wheel}]\n'
    text += '[gone]\nadapter = "with_numpy.py"\npython = "no-such-interpreter"\n'
    path = folder / "peers.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_peers(tmp_path_factory.mktemp("peers"))


@pytest.fixture(scope="module")
def output(peers: Path) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = peers.parent / "results"
    return folder, bench("--peers", peers, "--only", "add-16m", "--only", "sum-16m", "--output", folder)


def outcomes(path: Path, row: int = 0) -> dict[str, dict[str, Any]]:
    return json.loads((path / "cpu.json").read_text(encoding="utf-8"))["rows"][row]["outcomes"]


def test_right_results_have_times(output: tuple[Path, subprocess.CompletedProcess[str]]):
    found = outcomes(output[0])
    for name in ("ours", "numpy"):
        assert found[name]["status"] == "measured", found[name]
        assert 0 < found[name]["low"] <= found[name]["seconds"] <= found[name]["high"]
        assert found[name]["error"] <= 1


@pytest.mark.parametrize("name", ["liar", "later"])
def test_wrong_results_are_failures(output: tuple[Path, subprocess.CompletedProcess[str]], name: str):
    """Results may be wrong at the first call, and at later ones."""
    folder, done = output
    found = outcomes(folder)[name]
    assert found["status"] == "wrong"
    assert found["seconds"] is None
    assert "times as far from the float64 reference" in found["reason"]
    assert done.returncode == 1
    assert f"error: add 16M on 1 thread: {name}: wrong" in done.stderr


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("absent", "not run", "pip: "),
        ("gone", "not run", "there is no 'no-such-interpreter'"),
        ("lacking", "not run", "it has no add"),
        ("broken", "not run", "No module named 'no_such_module'"),
        ("dying", "failed", "the process ended: add"),
    ],
)
def test_missing_libraries_say_why(
    output: tuple[Path, subprocess.CompletedProcess[str]], name: str, status: str, reason: str
):
    found = outcomes(output[0])[name]
    assert found["status"] == status
    assert reason in found["reason"]
    assert f"{name}: {status}: " in (output[0] / "cpu.md").read_text(encoding="utf-8")


def test_a_library_that_died_is_started_again(output: tuple[Path, subprocess.CompletedProcess[str]]):
    """The library dies again in each row, rather than being dead since the first."""
    assert outcomes(output[0], 1)["dying"]["reason"] == "the process ended: sum"
    assert outcomes(output[0], 1)["lacking"]["reason"] == "it has no sum"


def test_table_and_plots(output: tuple[Path, subprocess.CompletedProcess[str]]):
    folder, done = output
    table = (folder / "cpu.md").read_text(encoding="utf-8")
    assert "## 1 thread\n" in table
    assert "| add 16M" in table
    assert "Traceback" not in done.stderr
    for name in ("ratios.svg", "roofline.svg"):
        image = xml.etree.ElementTree.parse(folder / name).getroot()
        assert image.tag == "{http://www.w3.org/2000/svg}svg"
        assert any("thread" in (e.text or "") for e in image.iter())


def test_every_kind_of_row_and_a_result_to_add_to(peers: Path, tmp_path: Path):
    """Ours and numpy compute every kind; rows of two runs are joined; a result is read strictly."""
    first = ("chain", "sum", "exp", "softmax", "layer-norm", "transpose", "gemm-17")
    rows = [word for name in first for word in ("--only", name)]
    done = bench("--peers", peers, "--peer", "numpy", *rows, "--json", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert [row["threads"] for row in json.loads(done.stdout)["rows"]] == [1] * len(first)
    done = bench("--peers", peers, "--peer", "none", "--only", "cached-warm", "--add", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "cpu.json").read_text(encoding="utf-8"))
    assert len(result["rows"]) == len(first) + 1
    assert result["rows"][-1]["outcomes"]["ours"]["seconds"] > 0
    result["rows"][0]["unknown"] = 1
    (tmp_path / "cpu.json").write_text(json.dumps(result), encoding="utf-8")
    done = bench("--render", "--output", tmp_path)
    assert done.returncode == 1
    assert "holds no result: ValueError: Row has other fields: unknown" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "nothing"), "there is no row 'nothing'"),
        (("--threads", "0"), "--threads is '0', expected numbers like 1,2"),
        (("--peer", "nobody"), "there is no peer nobody; there are numpy"),
        (("--peers", "/nonexistent/peers.toml"), "the file of peers can't be read"),
    ],
)
def test_options_that_make_no_sense(arguments: tuple[str, ...], message: str):
    done = bench(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_quick_run_measures_five_odd_products_and_all_else() -> None:
    lists = [
        subprocess.run(
            [sys.executable, ROOT / "bench/run.py", "--list", *more], capture_output=True, text=True, check=True
        )
        for more in ([], ["--quick"])
    ]
    every, quick = ([name for name in done.stdout.split() if name] for done in lists)
    odd = [name for name in every if name.startswith("gemm-") and "x" in name]
    assert len(odd) == 20
    assert quick == [name for name in every if name not in odd[5:]]
