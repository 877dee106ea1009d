"""The package as it is installed: its files, what imports what, and what importing it costs."""

from __future__ import annotations

import ast
import json
import os
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import perf_counter

import pytest

from machine_speed import allowed

ROOT = Path(__file__).resolve().parent.parent
SETUP = runpy.run_path(str(ROOT / "setup.py"))
FOLDERS: tuple[str, ...] = SETUP["FOLDERS"]
SCRAP = ("__pycache__", ".DS_Store")

# Layer by layer, what a folder must not import, not even inside a function. What stands under `if TYPE_CHECKING:` is
# free, as it imports nothing.
FORBIDDEN = {
    "dialects": ("transforms", "lowering", "runtime", "frontend", "kernels", "tools"),
    "transforms": ("runtime", "frontend", "kernels", "tools"),
    "lowering": ("runtime", "frontend", "kernels", "tools"),
    "runtime": ("tools",),
    "frontend": ("tools",),
    "kernels": ("tools",),
}
LLVMLITE_FOLDERS = ("lowering/emit", "runtime", "tools/doctor.py")
"""Who may import llvmlite: the binary emission, the runtime, and the doctor, which reports its version."""

DEVICE_LIBRARIES = ("cuda", "pycuda", "wgpu", "vulkan", "pyopencl", "wasmtime", "cupy", "torch")
HEAVY = ("llvmlite", "numpy", "ml_dtypes", "rich", "click", "blake3", *DEVICE_LIBRARIES)


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def package_files(folder: str) -> Iterator[Path]:
    """Every file of a package's folder, but for scrap."""
    for path in sorted((ROOT / folder).rglob("*")):
        if path.is_file() and not any(part in SCRAP for part in path.parts):
            yield path


def installed_name(path: Path) -> str:
    """Where a file of the tree stands in the installed package."""
    parts = path.relative_to(ROOT).parts
    return "/".join(("hologram", *(parts[1:] if parts[0] == "api" else parts)))


def is_type_checking(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(node: ast.AST, package: tuple[str, ...], *, nested: bool) -> Iterator[tuple[int, str]]:
    """The modules that a syntax tree imports, with their lines; inside functions too, if `nested`."""
    for child in ast.iter_child_nodes(node):
        if is_type_checking(child):
            continue
        if isinstance(child, ast.Import):
            yield from ((child.lineno, alias.name) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = package[: len(package) - child.level + 1] if child.level else ()
            module = ".".join((*base, *([child.module] if child.module else ())))
            yield child.lineno, module
            # `from hologram import runtime` names a module by its last part.
            yield from ((child.lineno, f"{module}.{alias.name}") for alias in child.names)
        elif nested or not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from imports(child, package, nested=nested)


@cache
def imports_of(path: Path, nested: bool) -> tuple[tuple[int, str], ...]:
    package = tuple(installed_name(path).split("/")[:-1])
    return tuple(imports(ast.parse(path.read_text(encoding="utf-8"), str(path)), package, nested=nested))


def within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def offences(path: Path, packages: tuple[str, ...], *, nested: bool = True) -> list[str]:
    found = {(line, module) for line, module in imports_of(path, nested) if within(module, packages)}
    return [f"{path.relative_to(ROOT)}:{line}: imports {module}" for line, module in sorted(found)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: a build leaves files behind, and takes up what an earlier one left."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, tree)
    for folder in ("api", *FOLDERS):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns(*SCRAP))
    command = [sys.executable, "setup.py", "-q", "bdist_wheel", "-d", "out"]
    subprocess.run(command, cwd=tree, check=True, capture_output=True, timeout=120)
    (built,) = (tree / "out").glob("*.whl")
    return built


def test_every_package_is_found():
    """A folder with modules and no `__init__.py` would not be installed."""
    for folder in ("api", *FOLDERS):
        for path in sources(folder):
            assert (path.parent / "__init__.py").exists(), f"{path.parent.relative_to(ROOT)} lacks an __init__.py"


def test_no_folder_hides_the_package():
    assert not (ROOT / "hologram").exists()


@pytest.mark.xdist_group("wheel")
def test_wheel_holds_the_tree(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {installed_name(path) for folder in ("api", *FOLDERS) for path in package_files(folder)}
    assert held == expected, "a kind of file that setup.py's DATA lacks?"


@pytest.mark.xdist_group("wheel")
def test_wheel_metadata(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = {name.split(".dist-info/")[1]: name for name in archive.namelist() if ".dist-info/" in name}
        assert {"licenses/LICENSE-MIT", "licenses/LICENSE-APACHE", "entry_points.txt"} <= names.keys()
        metadata = archive.read(names["METADATA"]).decode()
    header, _, body = metadata.partition("\n\n")
    assert "Name: hologram-mlir\n" in header
    assert "Requires-Python: >=3.11\n" in header
    assert body.startswith("# Hologram")


def test_entry_points_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    targets = [*project["scripts"].values(), *project["entry-points"]["xdsl.universe"].values()]
    for target in targets:
        module, _, name = target.partition(":")
        path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
        assert path.exists(), f"{target}: there is no {path.relative_to(ROOT)}"
        assert name in path.read_text(encoding="utf-8"), f"{target}: {path.relative_to(ROOT)} has no {name}"


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_dependencies_point_down(folder: str):
    packages = tuple(f"hologram.{name}" for name in FORBIDDEN[folder])
    assert not [line for path in sources(folder) for line in offences(path, packages)]


def test_only_emission_and_runtime_import_llvmlite():
    allowed = [ROOT / name for name in LLVMLITE_FOLDERS]
    found = [
        line
        for folder in ("api", *FOLDERS)
        for path in sources(folder)
        if not any(path.is_relative_to(place) for place in allowed)
        for line in offences(path, ("llvmlite",))
    ]
    assert not found


def test_runtime_imports_devices_only_when_asked():
    """Device libraries, and device modules but the CPU's, are imported inside functions alone."""
    from hologram.runtime.devices import DEVICES

    kinds = tuple(name for name in DEVICES if name != "cpu")
    found = {path.stem for path in (ROOT / "runtime/devices").iterdir() if path.stem.startswith(kinds)}
    modules = tuple(f"hologram.runtime.devices.{name}" for name in found)
    found = [line for path in sources("runtime") for line in offences(path, DEVICE_LIBRARIES, nested=False)]
    for path in sources("runtime"):
        if not path.is_relative_to(ROOT / "runtime/devices"):
            found += offences(path, modules, nested=False)
    assert not found


def test_texts_of_own_code_are_in_its_files():
    """What is made of them is kept under the times of these files; the numbers of classes are the specification's."""
    ours = ("hologram.runtime.own_code", "hologram.classes", "__future__")
    found = {module for path in sources("runtime/own_code") for _, module in imports_of(path, True)}
    assert not [module for module in found if not within(module, ours)]


def run_python(code: str, *options: str) -> str:
    """The output of Python code in a fresh interpreter that measures no coverage."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    command = [sys.executable, *options, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=60)
    return done.stdout


def test_import_is_light():
    loaded = json.loads(run_python("import hologram, sys, json; print(json.dumps(sorted(sys.modules)))"))
    heavy = sorted({module.partition(".")[0] for module in loaded} & {*HEAVY, "xdsl"})
    assert not heavy, f"`import hologram` imports {', '.join(heavy)}"


@pytest.mark.speed
def test_import_time():
    """Less than 0.15 s with the interpreter's own start: the best of several, as others share the machine."""

    def seconds(code: str) -> float:
        start = perf_counter()
        run_python(code)
        return perf_counter() - start

    run_python("import hologram")
    spent = min(seconds("import hologram") for _ in range(5))
    assert spent < allowed(0.15)


def test_importing_the_runtime_imports_no_device():
    code = "import hologram.runtime, sys, json; print(json.dumps(sorted(sys.modules)))"
    loaded = {module.partition(".")[0] for module in json.loads(run_python(code))}
    assert not loaded & set(DEVICE_LIBRARIES)


def test_versions_agree():
    import hologram

    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert hologram.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
