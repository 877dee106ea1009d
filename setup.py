"""Computes the package list from the folders: a fixed list would lose new modules silently."""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FOLDERS = ("dialects", "transforms", "lowering", "runtime", "frontend", "kernels", "tools")
DATA = ("py.typed", "*.c", "*.cl", "*.h", "*.json", "*.ll", "*.mlir", "*.wgsl")
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


if __name__ == "__main__":
    package_dir = find_packages()
    setup(packages=list(package_dir), package_dir=package_dir, package_data={"": list(DATA)})
