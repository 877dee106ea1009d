"""Computes the package list from the folders: a fixed list would lose new modules silently.

An editable install puts `build/links/package` on the path, which the install fills: `hologram/__init__.py` there sends
Python to the files of the tree, and beside it stand links of the folders for type checkers, which run no code.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

ROOT = Path(__file__).resolve().parent
LINKS = ROOT / "build" / "links"
PACKAGE = '''"""The package in a checkout: its modules are the files of the tree. Written by setup.py."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hologram import *  # Type checkers find `api` first.


def _become_the_tree(files):
    import sys
    from importlib.util import spec_from_file_location

    class Tree:
        @staticmethod
        def find_spec(name, path=None, target=None):
            return spec_from_file_location(name, files[name]) if name in files else None

    sys.meta_path.append(Tree)
    spec = Tree.find_spec(__name__)
    __spec__.origin, __spec__.loader, __spec__.cached = spec.origin, spec.loader, spec.cached
    __spec__.submodule_search_locations = path = spec.submodule_search_locations
    globals().update(__file__=spec.origin, __cached__=spec.cached, __loader__=spec.loader, __path__=path)
    spec.loader.exec_module(sys.modules[__name__])


_become_the_tree({})
del _become_the_tree
'''
"""What an editable install finds as `hologram`. It costs an interpreter nothing until it imports the package."""
FOLDERS = (
    "support",
    "plugins",
    "dialects",
    "transforms",
    "lowering",
    "interpreter",
    "frontend",
    "runtime",
    "driver",
    "kernels",
    "tools",
)
DATA = ("py.typed", "*.pyi", "*.c", "*.cl", "*.h", "*.json", "*.ll", "*.mlir", "*.wgsl")
"""What is installed of a package's folder beside its modules; `test/test_package.py` fails on a file that is not."""


def find_packages() -> dict[str, str]:
    """Every folder with an `__init__.py` below FOLDERS, as dotted package name to folder; `api` is the root package."""
    found = {"hologram": "api"}
    for folder in ("api", *FOLDERS):
        for init in sorted((ROOT / folder).rglob("__init__.py")):
            parts = init.parent.relative_to(ROOT).parts
            name = parts[1:] if folder == "api" else parts
            found[".".join(("hologram", *name))] = "/".join(parts)
    return found


def write_links() -> None:
    """Makes LINKS: for Python a package that is the tree, for type checkers links of its folders."""
    shutil.rmtree(LINKS, ignore_errors=True)
    package = LINKS / "package" / "hologram"
    # A link is of a whole folder, so that new files need none: `api` has no place for the links of the others.
    link(LINKS / "api" / "hologram", ROOT / "api")
    for folder in FOLDERS:
        link(package / folder, ROOT / folder)
    folders = {"hologram": "api", **{f"hologram.{folder}": folder for folder in FOLDERS}}
    files = {name: str(ROOT / folder / "__init__.py") for name, folder in folders.items()}
    (package / "__init__.py").write_text(PACKAGE.format(files), encoding="utf-8")
    (package / "py.typed").touch()


def link(path: Path, folder: Path) -> None:
    """Links a path to a folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(folder), str(path))  # Symbolic links need a privilege there, junctions none.
    else:
        path.symlink_to(os.path.relpath(folder, path.parent))


class EditableWheel(editable_wheel):
    """The command behind `pip install -e`."""

    def finalize_options(self) -> None:
        write_links()
        self.distribution.packages = ["hologram"]
        self.distribution.package_dir = {"": str((LINKS / "package").relative_to(ROOT))}
        super().finalize_options()


if __name__ == "__main__":
    package_dir = find_packages()
    setup(
        packages=list(package_dir),
        package_dir=package_dir,
        package_data={"": list(DATA)},
        cmdclass={"editable_wheel": EditableWheel},
    )
