"""Identifies this compiler in cache keys: a change of ours or of a package below us must not find old objects."""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Iterator

VERSION = "0.1.0"
"""The package's version; a test holds it against pyproject.toml."""

LLVM = "llvmlite"
_assumed: dict[str, str] = {}
CODE = ("support", "plugins", "dialects", "transforms", "lowering", "runtime.native", "frontend", "driver")
"""The packages whose sources decide what comes out, beside the files of the package itself."""


@functools.cache
def compiler_fingerprint() -> str:
    """The version, the sizes and times of our sources, and the versions of xDSL and llvmlite. Imports none of them."""
    parts = [VERSION, *files_of(*_folders("hologram"), deep=False)]
    parts += [package_fingerprint(f"hologram.{package}") for package in CODE]
    parts += [package_version("xdsl"), llvm_version()]
    return "\n".join(parts)


@functools.cache
def package_fingerprint(package: str) -> str:
    """The names, sizes and times of the sources of a package, or the version of a module that is no folder."""
    return "\n".join(files_of(*_folders(package))) or package_version(package)


def _folders(package: str) -> list[str]:
    spec = importlib.util.find_spec(package)
    return (spec.submodule_search_locations if spec else None) or []


def files_of(*folders: str, deep: bool = True) -> list[str]:
    """The names, sizes and times of the sources in the folders of a package, and if `deep` in the folders there."""
    return sorted(line for folder in folders for line in _scan(folder, "", deep))


def _scan(folder: str, prefix: str, deep: bool) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for item in entries:
            if item.name.endswith((".py", ".ll", ".mlir")):
                status = item.stat()
                yield f"{prefix}{item.name} {status.st_size} {status.st_mtime_ns}"
            elif deep and item.name != "__pycache__" and item.is_dir():
                yield from _scan(item.path, f"{prefix}{item.name}/", deep)


def installed_version(package: str) -> str | None:
    """Return the version of an installed package by its metadata; None if there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


@functools.cache
def package_version(package: str) -> str:
    """The folder name of its metadata, which holds the version: thirty times faster than `importlib.metadata`."""
    origin = _origin(package)
    if origin is None:
        return package
    beside = os.listdir(os.path.dirname(os.path.dirname(origin)))
    folders = sorted(name for name in beside if name.startswith(f"{package}-") and name.endswith(".dist-info"))
    # A checkout has no metadata beside it; then the time of its first file has to do.
    return folders[-1] if folders else f"{origin} {os.stat(origin).st_mtime_ns}"


def llvm_version() -> str:
    """The version of llvmlite; where it is not installed, that of which the cache has code."""
    return package_version(LLVM) if is_installed(LLVM) else _assumed.get(LLVM, LLVM)


def assume_llvm(version: str) -> None:
    """Takes it that code of this version of llvmlite, which is not installed, is what the cache has."""
    _assumed[LLVM] = version


@functools.cache
def is_installed(package: str) -> bool:
    """Return whether a package can be imported, as far as that can be told without doing so."""
    return _origin(package) is not None


def _origin(package: str) -> str | None:
    """Where the first file of a package lies."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # Something keeps it from being imported.
        return None
    return None if spec is None else spec.origin
