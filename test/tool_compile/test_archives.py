"""hologram-compile makes archives: of folders, again after changes, with the errors of all files."""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hologram.driver import artifacts, compilation
from hologram.runtime import archive
from hologram.runtime.settings import current
from hologram.tools.compile import driver
from hologram.tools.compile import jobs as compile_jobs
from hologram.tools.compile.driver import Driver, shown_progress
from hologram.tools.compile.inputs import Input
from hologram.tools.compile.jobs import Outcome
from hologram.tools.compile.options import Options
from in_process import run_tool

from .programs import HEAD, compiled, kernel, write

TWO = HEAD + 'T = Element("T", "f32", "f64")\n' + kernel("double", type="T", head="").replace("f32", "T")


def counts(text: str) -> tuple[int, int]:
    """The number of files that were compiled, and of those that were in the cache."""
    found = re.search(r"(\d+) compiled, (\d+) unchanged", text)
    assert found is not None
    return int(found[1]), int(found[2])


def test_a_folder(tmp_path: Path):
    write(tmp_path / "kernels" / "inner", double=kernel("double"), _no=kernel("half", "x[i] / 2"))
    write(tmp_path / "kernels", none="def helper(x):\n    return x\n", main=kernel("main"))
    write(tmp_path / "kernels" / "__pycache__", wrong="def")
    (tmp_path / "kernels" / "settings.json").write_text('{"a": 1}')
    compiled(tmp_path, "kernels", "--target", "cpu,sm_90", "-o", "all.holo")
    found = archive.open(tmp_path / "all.holo").contents()
    assert [(p.name, p.source_name) for p in found.programs] == [
        ("_no", "kernels/inner/_no.py"), ("double", "kernels/inner/double.py"), ("main", "kernels/main.py"),
    ]  # fmt: skip
    program = found.programs[1]
    assert [entry.signature for entry in program.entries] == ["double(x: f32[?])"]
    assert [code.target for code in program.codes] == ["cpu", "sm_90"]
    assert b'loc("kernels/inner/double.py":10:16)' in program.ir
    assert len(program.source_digest) == 64


def test_what_did_not_change_is_not_compiled(tmp_path: Path):
    folder = tmp_path / "kernels"
    write(folder, a=kernel("a"), b=kernel("b"))
    assert counts(compiled(tmp_path, "kernels", "-o", "x.holo", "--stats").errors) == (2, 0)
    first = (tmp_path / "x.holo").read_bytes()
    assert counts(compiled(tmp_path, "kernels", "-o", "y.holo", "--stats").errors) == (0, 2)
    assert (tmp_path / "y.holo").read_bytes() == first
    os.utime(folder / "a.py", (1, 1))
    assert counts(compiled(tmp_path, "kernels", "-o", "y.holo", "--stats").errors) == (0, 2)
    write(folder, b=kernel("b", "x[i] * 3"))
    assert counts(compiled(tmp_path, "kernels", "-o", "y.holo", "--stats").errors) == (1, 1)
    assert (tmp_path / "y.holo").read_bytes() != first
    assert counts(compiled(tmp_path, "kernels", "-O0", "-o", "y.holo", "--stats").errors) == (2, 0)


def test_another_version_compiles_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """So do other targets, the missing ones alone."""
    write(tmp_path / "k", a=kernel("a"), b=kernel("b"))

    def again(*args: str) -> tuple[int, int]:
        return counts(compiled(tmp_path, "k", "-o", "x.holo", "--stats", *args).errors)

    assert again() == (2, 0)
    assert again("--target", "cpu,webgpu") == (2, 0)
    assert again("--target", "webgpu") == (0, 2)
    assert again("--target", "webgpu{bindings=10}") == (2, 0)
    assert again("--target", "cpu") == (0, 2)
    monkeypatch.setattr(artifacts, "compiler_fingerprint", lambda: "another version")
    assert again() == (2, 0)
    assert again() == (0, 2)


def test_a_file_that_others_import_changes_them(tmp_path: Path):
    imports = HEAD + "from .numbers import HALF\n"
    write(tmp_path / "k", numbers="HALF = 0.5\n", a=kernel("a", "x[i] * HALF", head=imports), b=kernel("b"))
    compiled(tmp_path, "k", "-o", "x.holo")
    write(tmp_path / "k", numbers="HALF = 0.25\n")
    assert counts(compiled(tmp_path, "k", "-o", "x.holo", "--stats").errors) == (1, 1)
    assert b"2.500000e-01" in archive.open(tmp_path / "x.holo").contents().programs[0].ir


def test_archives_do_not_depend_on_where_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    imports = HEAD + "from .numbers import half\n"
    for place in ("here", "there"):
        monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / f"cache of {place}"))
        folder = tmp_path / place / "k"
        write(folder, numbers="def half(v):\n    return v / 2\n", a=kernel("a", "half(x[i])", head=imports))
        compiled(tmp_path, folder, "-o", f"{place}.holo")
    compiled(tmp_path / "here", "k", "-o", "../relative.holo")
    texts = {(tmp_path / f"{name}.holo").read_bytes() for name in ("here", "there", "relative")}
    assert len(texts) == 1
    assert b'"k/numbers.py":2:' in texts.pop()


def test_an_entry_for_each_type(tmp_path: Path):
    write(tmp_path, a=TWO)
    compiled(tmp_path, "a.py", "--types", "f32,f64", "-o", "a.holo")
    (program,) = archive.open(tmp_path / "a.holo").contents().programs
    assert [entry.signature for entry in program.entries] == ["double(x: f32[?])", "double_f64(x: f64[?])"]
    compiled(tmp_path, "a.py", "-o", "a.holo")
    (program,) = archive.open(tmp_path / "a.holo").contents().programs
    assert [entry.name for entry in program.entries] == ["double"]


def test_the_errors_of_all_files(tmp_path: Path):
    folder = tmp_path / "k"
    write(folder, a=kernel("a", "y"), b=kernel("b"), c=kernel("c", "z"), d="@kernel\ndef d(:\n")
    found = compiled(tmp_path, folder, "-o", "x.holo", code=1).errors
    assert re.findall(r"^(.*?): error: (.*) \[", found, re.MULTILINE) == [
        (f"{folder}/a.py:10:16", "there is no variable 'y'"),
        (f"{folder}/c.py:10:16", "there is no variable 'z'"),
        (f"{folder}/d.py:2:7", "this is no Python: invalid syntax"),
    ]
    assert found.count("        x[i] = ") == 2
    assert found.endswith("3 files of 4 could not be compiled\n")
    assert not (tmp_path / "x.holo").exists()


def test_check_writes_nothing(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a"), b=kernel("b", "x[i] + i", type="f32"))
    compiled(tmp_path, "k", "--check", "--target", "cpu,vulkan")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k"]
    write(tmp_path / "k", b=kernel("b", "y[i]"))
    assert "there is no variable 'y'" in compiled(tmp_path, "k", "--check", code=1).errors


def test_several_processes(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a"), b=kernel("b"), c=kernel("c", "y"))
    found = compiled(tmp_path, "k", "-o", "x.holo", "-j", "2", code=1)
    assert found.errors.endswith("1 file of 3 could not be compiled\n")
    (tmp_path / "k" / "c.py").unlink()
    assert counts(compiled(tmp_path, "k", "-o", "x.holo", "-j", "2", "--stats").errors) == (0, 2)


def test_a_process_that_dies_takes_no_other_file_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    good = compile_jobs.Worker.command
    bad = (good[0], "-c", "import sys; sys.exit(3)")
    monkeypatch.setattr(compile_jobs.Worker, "command", bad)
    write(tmp_path, a=kernel("a"), b=kernel("b"))
    found = compiled(tmp_path, "a.py", "b.py", "-o", "x.holo", "-j", "2", code=70)
    assert found.errors.count("the process that compiled it ended with status 3 [compile-worker-died]") == 2
    assert "error: a.py: the process" in found.errors


def test_a_worker_at_work_can_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An interrupt as by Ctrl-C, while a thread waits for its answer."""
    command = (compile_jobs.Worker.command[0], "-c", "import time; time.sleep(60)")
    monkeypatch.setattr(compile_jobs.Worker, "command", command)
    write(tmp_path, a=kernel("a"))
    given = Input(str(tmp_path / "a.py"), "a.py", "a")
    job = compile_jobs.Job(given, compile_jobs.read_input(given, ()), (), 3, current())
    worker, outcomes = compile_jobs.Worker(), list[Outcome]()
    thread = threading.Thread(target=lambda: outcomes.append(worker.run(job)))
    thread.start()
    while worker.process is None:
        time.sleep(0.01)
    worker.close()
    thread.join(10)
    assert not thread.is_alive()
    assert outcomes[0].exit_code == 70


def test_a_pool_that_is_closed_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Though its threads have jobs left, as when Ctrl-C ends a run."""
    started = tmp_path / "started"
    code = f"import time; open({str(started)!r}, 'a').write('.'); time.sleep(60)"
    monkeypatch.setattr(compile_jobs.Worker, "command", (compile_jobs.Worker.command[0], "-c", code))
    write(tmp_path, a=kernel("a"))
    given = Input(str(tmp_path / "a.py"), "a.py", "a")
    jobs = [compile_jobs.Job(given, compile_jobs.read_input(given, ()), (), 3, current())] * 3
    pool = compile_jobs.Pool(1)
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.extend(pool.run(jobs)))
    thread.start()
    while not (started.exists() and started.read_text()):
        time.sleep(0.01)
    pool.close()
    thread.join(10)
    assert [outcome.exit_code for outcome in outcomes] == [70, 70, 70]
    assert started.read_text() == "."


def test_a_worker_that_nobody_listens_to_says_nothing(tmp_path: Path):
    write(tmp_path, a=kernel("a"))
    given = Input(str(tmp_path / "a.py"), "a.py", "a")
    job = compile_jobs.Job(given, compile_jobs.read_input(given, ()), (), 3, current())
    worker = subprocess.Popen(
        compile_jobs.Worker.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdout.close()
    worker.stdin.write(pickle.dumps(job))
    worker.stdin.flush()
    assert worker.stderr is not None
    assert worker.stderr.read() == b""
    assert worker.wait() == 1
    worker.stdin.close()
    worker.stderr.close()


def test_statistics_tell_failures(tmp_path: Path):
    write(tmp_path / "k", a=kernel("a", "y"), b=kernel("b"))
    found = compiled(tmp_path, "k", "-o", "x.holo", "--stats", code=1).errors
    assert "2 files, 1 compiled, 0 unchanged, 1 failed, in " in found


def test_a_fault_of_ours_leaves_a_reproducer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*args: object, **named: object) -> None:
        raise RuntimeError("by intent")

    monkeypatch.setattr(compilation, "run_pipeline", fail)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    write(tmp_path, a=kernel("a"))
    found = compiled(tmp_path, "a.py", "-o", "x.holo", code=70).errors
    assert "error: a.py: RuntimeError: by intent [unexpected]" in found
    kept = re.search(r"wrote (\S+) to reproduce this", found)
    assert kept is not None
    text = Path(kept[1]).read_text()
    assert "hologram.kernel @a(" in text
    assert 'pipeline: "builtin.module(hologram-to-cpu)"' in text


def test_watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Changes, mistakes, and files that go do not end it; Ctrl-C does."""
    write(tmp_path / "k", a=kernel("a"))
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: write(tmp_path / "k", b=kernel("b", "y")),
        lambda: write(tmp_path / "k", b=kernel("b", "x[i] + 1")),
        lambda: [path.unlink() for path in (tmp_path / "k").iterdir()],
    ]

    def sleep(seconds: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(driver, "sleep", sleep)
    monkeypatch.chdir(tmp_path)
    options = Options(("k",), "x.holo", watch=True, jobs=1)
    assert Driver(options).run() == 0
    said = re.sub(r"\d+\.\d+", "", capsys.readouterr().err)
    assert re.findall(r"^done|^waiting|error: .*", said, re.MULTILINE) == [
        "done",
        "error: there is no variable 'y' [kernel-name]", "waiting",
        "done",
        "error: the folder 'k' holds no program [compile-empty-folder]", "waiting",
    ]  # fmt: skip
    assert len(archive.open(tmp_path / "x.holo").programs) == 2


def test_watching_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A file that another one imports, one that is not there yet, and the constants are watched too."""
    imports = HEAD + "from .numbers import half\n"
    write(tmp_path / "k", a=kernel("a", "half(x[i])", head=imports))
    tensors = tmp_path / "w.safetensors"
    tensors.write_bytes((2).to_bytes(8, "little") + b"{}")
    steps: list[Callable[[], object]] = [
        lambda: write(tmp_path / "k", numbers="from .more import TWO\n\n\ndef half(v):\n    return v / TWO\n"),
        lambda: write(tmp_path / "k", more="TWO = 2.0\n"),
        lambda: None,
        lambda: write(tmp_path / "k", more="TWO = 20.0\n"),
        lambda: tensors.write_bytes((3).to_bytes(8, "little") + b"{} "),
        lambda: write(tmp_path / "k", other="TWO = 2.0\n"),
    ]

    def sleep(seconds: float) -> None:
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(driver, "sleep", sleep)
    monkeypatch.chdir(tmp_path)
    options = Options(("k",), "x.holo", constants="w.safetensors", watch=True, jobs=1)
    assert Driver(options).run() == 0
    said = re.findall(r"^done|^waiting|there is no file '.*'", capsys.readouterr().err, re.MULTILINE)
    assert said == [
        "there is no file 'k/numbers.py'", "waiting", "there is no file 'k/more.py'", "waiting", "done", "done", "done",
    ]  # fmt: skip
    assert b"2.000000e+01" in archive.open(tmp_path / "x.holo").contents().programs[0].ir


def test_a_damaged_cache_costs_only_time(tmp_path: Path, cache_dir: Path):
    write(tmp_path, a=kernel("a"))
    compiled(tmp_path, "a.py", "-o", "x.holo")
    files = [path for path in cache_dir.rglob("*") if path.is_file()]
    for path in files:
        path.write_bytes(path.read_bytes()[:-1])
    assert counts(compiled(tmp_path, "a.py", "-o", "y.holo", "--stats").errors) == (1, 0)
    assert (tmp_path / "x.holo").read_bytes() == (tmp_path / "y.holo").read_bytes()


def test_functions_of_the_library_are_called_by_its_name(tmp_path: Path):
    imports = HEAD + "from hologram.kernels.stdlib.blocks import chunks\n"
    write(tmp_path, a=kernel("a", "x[i] + chunks(len(x))", head=imports))
    compiled(tmp_path, "a.py", "-o", "a.holo")
    text = archive.open(tmp_path / "a.holo").contents().programs[0].ir
    assert b'"hologram/kernels/stdlib/blocks.py":' in text


def test_constants_of_a_file(tmp_path: Path):
    """A file as other programs write it: with metadata, in any order, without padding."""
    header = {
        "__metadata__": {"format": "pt"},
        "w": {"dtype": "F32", "shape": [2, 1], "data_offsets": [2, 10]},
        "b": {"dtype": "BF16", "shape": [], "data_offsets": [0, 2]},
    }
    text = json.dumps(header).encode()
    weights = np.array([[1.5], [-2]], np.float32)
    (tmp_path / "w.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + b"\x80\x3f" + weights.tobytes())
    write(tmp_path, a=kernel("a"))
    compiled(tmp_path, "a.py", "-o", "a.holo", "--constants", "w.safetensors")
    found = archive.open(tmp_path / "a.holo")
    assert found.array("w").tolist() == weights.tolist()
    assert float(found.array("b")) == 1


def test_the_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The progress bar is shown if standard error is a terminal, and removed at the end."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    outcomes = [Outcome(Input(name, name, name)) for name in ("first", "second")]
    assert list(shown_progress(outcomes, 2)) == outcomes
    assert "second" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")
    shown = len(terminal.getvalue())
    assert list(shown_progress([], 0)) == []
    assert len(terminal.getvalue()) == shown


@pytest.mark.slow
def test_equal_sources_give_equal_bytes(tmp_path: Path):
    """The same bytes from other processes, with other hashes of text, in another order, by any number of workers."""
    write(tmp_path / "k", **{name: kernel(name, f"x[i] * {n}.0") for n, name in enumerate("abcd")})
    (tmp_path / "k" / "t.mlir").write_text(
        "func.func @t(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
        "  %y = hologram.exp %x : tensor<?xf32>\n  return %y : tensor<?xf32>\n}\n"
    )
    files = [f"k/{path.name}" for path in sorted((tmp_path / "k").iterdir())]
    runs = [("0", "1", "cpu,sm_90,webgpu", ["k"]), ("1", "2", "webgpu,cpu,sm_90", files[::-1])]
    for seed, jobs, targets, given in runs:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "HOLOGRAM_CACHE_DIR": str(tmp_path / f"cache{seed}")}
        command = [
            sys.executable,
            "-P",
            "-m",
            "hologram.tools.compile",
            *given,
            "-j",
            jobs,
            "--target",
            targets,
        ]
        subprocess.run([*command, "-o", f"{seed}.holo"], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "0.holo").read_bytes() == (tmp_path / "1.holo").read_bytes()


def test_types_that_a_target_refuses_are_left_out_and_said(tmp_path: Path):
    (tmp_path / "k.py").write_text(TWO + kernel("half", "x[i] / 2", head=""))
    types = ("--types", "f32,f64")
    outcome = compiled(tmp_path, "k.py", *types, "--target", "cpu,webgpu", "-o", "k.holo")
    assert outcome.errors.startswith("skipped: 'double_f64' of k.py for webgpu: ")
    assert outcome.errors.count("\n") == 1
    programs = archive.open(tmp_path / "k.holo").contents().programs
    assert [(p.name, [c.target for c in p.codes], [e.name for e in p.entries]) for p in programs] == [
        ("k", ["cpu", "webgpu"], ["double", "half"]), ("k.cpu", ["cpu"], ["double_f64"]),
    ]  # fmt: skip
    outcome = compiled(tmp_path, "k.py", *types, "--target", "webgpu,cpu", "--emit", "wgsl,shared", "-o", "out/",
                       "--header", "k.h")  # fmt: skip
    assert outcome.errors.count("skipped:") == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["k.so", "k.wgsl"]
    assert "void double_f64(" in (tmp_path / "k.h").read_text()
    assert "f64" not in (tmp_path / "out" / "k.wgsl").read_text()


def test_what_every_target_refuses_is_an_error(tmp_path: Path):
    (tmp_path / "k.py").write_text(TWO.replace('"f32", "f64"', '"f64", "bf16"'))
    args = ["k.py", "--types", "f64,f32", "--target", "webgpu", "-o", "k.holo"]
    outcome = run_tool("hologram-compile", args, cwd=tmp_path)
    assert (outcome.code, outcome.text) == (1, "")
    assert "[device-refuses-type]" in outcome.errors
    assert not (tmp_path / "k.holo").exists()
