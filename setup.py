"""Computes the package list from the folders: a fixed list would lose new modules silently."""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FOLDERS = ("dialects", "transforms", "lowering", "runtime", "frontend", "kernels", "tools")


def find_packages() -> dict[str, str]:
    """Every folder with an `__init__.py` below FOLDERS, as dotted package name to folder; `api` is the root package."""
    found = {"hologram": "api"}
    for marker in [ROOT / "api", *(ROOT / folder for folder in FOLDERS)]:
        for init in sorted(marker.rglob("__init__.py")):
            folder = init.parent.relative_to(ROOT)
            parts = folder.parts[1:] if folder.parts[0] == "api" else folder.parts
            found[".".join(("hologram", *parts))] = folder.as_posix()
    return found


if __name__ == "__main__":
    package_dir = find_packages()
    setup(packages=list(package_dir), package_dir=package_dir, package_data={"hologram": ["py.typed"]})
