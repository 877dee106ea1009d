"""The package as it is installed: its files, what imports what, and what importing it costs."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import pytest

from machine_speed import allowed

ROOT = Path(__file__).resolve().parent.parent
SETUP = runpy.run_path(str(ROOT / "setup.py"))
FOLDERS: tuple[str, ...] = SETUP["FOLDERS"]
SCRAP = ("__pycache__", ".DS_Store")

ARCHITECTURE = ROOT / "docs" / "architecture.mdx"
MOST_FILES = 20
"""Python files that a room may hold beside one another; the kernel library is a collection."""

LLVMLITE_FOLDERS = ("support/host_target.py", "lowering/targets/objects", "runtime", "tools/doctor.py")
"""The places that may import llvmlite: the binary emission, the runtime, and the doctor, which reports its version."""

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
    """The path of a file of the tree in the installed package."""
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


def build(tree: Path, command: str) -> Path:
    """The files that a command of setup.py builds, in a new copy of the tree: a build leaves files behind."""
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE-MIT", "LICENSE-APACHE"):
        shutil.copy(ROOT / name, tree)
    for folder in ("api", *FOLDERS):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns(*SCRAP))
    words = [sys.executable, "setup.py", "-q", command, "-d", "out"]
    subprocess.run(words, cwd=tree, check=True, capture_output=True, timeout=120)
    (built,) = (tree / "out").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("tree"), "bdist_wheel")


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


def test_packages_are_folders_of_the_tree():
    """Paths in tracebacks and debuggers are those of the sources."""
    import_module("hologram")  # What the path holds is a stand-in, which becomes the package when it is imported.
    for name, folder in SETUP["find_packages"]().items():
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin == str(ROOT / folder / "__init__.py")


def test_new_files_need_no_install(tmp_path: Path):
    """A checkout that is installed editable has new modules and packages, for Python and for type checkers."""
    tree, site = (tmp_path / "tree").resolve(), tmp_path / "site"
    tree.mkdir()
    with zipfile.ZipFile(build(tree, "editable_wheel")) as archive:
        archive.extractall(site)
    new = {"api/fresh.py": "api", "dialects/fresh.py": "package", "transforms/room/__init__.py": "package"}
    for name in new:
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("", encoding="utf-8")
    imports = "import hologram.fresh as a, hologram.dialects.fresh as b, hologram.transforms.room as c"
    code = f"import site; site.addsitedir({str(site)!r}); {imports}; print(a.__file__, b.__file__, c.__file__, sep='|')"
    # Without the packages of this environment, among which is the tree that these tests are of.
    assert run_python(code, "-S", "-P").strip().split("|") == [str(tree / name) for name in new]
    for name, links in new.items():
        linked = tree / "build" / "links" / links / "hologram" / name.removeprefix("api/")
        assert linked.samefile(tree / name)


def test_entry_points_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    targets = [*project["scripts"].values(), *project["entry-points"]["xdsl.universe"].values()]
    for target in targets:
        module, _, name = target.partition(":")
        path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
        assert path.exists(), f"{target}: there is no {path.relative_to(ROOT)}"
        assert name in path.read_text(encoding="utf-8"), f"{target}: {path.relative_to(ROOT)} has no {name}"


@pytest.mark.parametrize("tool", ["opt", "run", "compile", "doctor"])
def test_tools_run_as_modules(tool: str):
    command = [sys.executable, "-P", "-m", f"hologram.tools.{tool}", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert f"hologram-{tool}" in done.stdout


@cache
def rooms() -> list[str]:
    """The rooms in the order of the table in `docs/architecture.mdx`: each imports from those before it."""
    table = ARCHITECTURE.read_text(encoding="utf-8").partition("\n| room | holds |\n")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([\w/]+)` \|", table, re.MULTILINE)


def room_of(path: Path) -> str:
    """The room of a module: its folder, or where the table has one for it alone, its own name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[:2] == ("kernels", "stdlib"):
        return "kernels/stdlib"
    own = "/".join(parts[:2] if parts[0] == "api" else parts)
    return own if own in rooms() else "/".join(parts[:-1])


@cache
def module_paths() -> dict[str, Path]:
    """Every module of the package by name."""
    found: dict[str, Path] = {}
    for folder in ("api", *FOLDERS):
        for path in sources(folder):
            name = installed_name(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            found[name] = path
    return found


def upward_imports(path: Path) -> Iterator[str]:
    """The imports of a module, inside functions too, of rooms that stand after its own."""
    own, modules, found = rooms().index(room_of(path)), module_paths(), imports_of(path, True)
    of_package = {line for line, module in found if module.startswith("hologram.") and module in modules}
    for line, module in found:
        # `from hologram import classes` takes a module of the package, and nothing of the package itself.
        other = None if module == "hologram" and line in of_package else modules.get(module)
        if other is not None and other != path and rooms().index(room_of(other)) > own:
            yield f"{path.relative_to(ROOT)}:{line}: imports {module}, of the room {room_of(other)}"


def test_every_folder_is_a_room():
    found = {room_of(path) for path in module_paths().values()}
    assert found == set(rooms())
    assert len(rooms()) == len(set(rooms()))


def test_rooms_import_what_stands_before_them():
    found = [line for path in module_paths().values() for line in upward_imports(path)]
    assert not found, "\n".join(found)


def test_rooms_are_small():
    folders = {path.parent for path in module_paths().values()}
    sizes = {folder.relative_to(ROOT).as_posix(): len(list(folder.glob("*.py"))) for folder in folders}
    assert not {
        name: size for name, size in sizes.items() if size > MOST_FILES and not name.startswith("kernels/stdlib/")
    }


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
    found = {path.stem for path in (ROOT / "runtime/devices").iterdir() if path.stem in kinds}
    modules = tuple(f"hologram.runtime.devices.{name}" for name in found)
    found = [line for path in sources("runtime") for line in offences(path, DEVICE_LIBRARIES, nested=False)]
    for path in sources("runtime"):
        if not path.is_relative_to(ROOT / "runtime/devices"):
            found += offences(path, modules, nested=False)
    assert not found


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
