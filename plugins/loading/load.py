"""Finds plug-ins and runs their `register`: of files, folders and modules, and of installed packages."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import warnings
from collections.abc import Callable
from importlib import metadata
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from hologram.errors import HologramError, InputError, UsageError, Where, did_you_mean
from hologram.plugins import FAULTS, LOADED
from hologram.plugins.faults import described, place_of, shown
from hologram.plugins.loading.plugin import Plugin, package_of
from hologram.plugins.tables import KINDS, Row

GROUP = "hologram.plugins"
ALONE = {"hologram.devices": "device", "hologram.frontends": "front end"}
"""The groups whose entry points name one thing each, by its name, and its kind."""
REGISTER = "register"


class PluginWarning(UserWarning):
    """An installed plug-in can't be used."""


def load(place: Any) -> Plugin:
    """The plug-in at a place."""
    if isinstance(place, ModuleType):
        return _of_module(place, place.__name__)
    if not isinstance(place, (str, os.PathLike)):
        raise UsageError(
            "plugin-place", f"a plug-in is a file, a folder, or a module, found {type(place).__name__}",
            hint="hologram.load_plugin('mine.py')",
        )  # fmt: skip
    text = os.fspath(place)  # pyright: ignore[reportUnknownVariableType]
    path = Path(text)  # pyright: ignore[reportUnknownArgumentType]
    if path.suffix == ".py" or path.is_dir() or os.sep in str(path):
        return _of_file(path)
    if not all(part.isidentifier() for part in str(path).split(".")):
        raise _no_place(path)
    return _of_module(str(path), str(path))


def _no_place(path: Path) -> UsageError:
    what = f"'{path}' is no Python file" if path.exists() else f"there is no file or module '{path}'"
    try:
        near = did_you_mean(path.name, [name for name in os.listdir(path.parent) if name.endswith(".py")])
    except (OSError, ValueError):
        near = f"there is no folder '{path.parent}'"
    return UsageError(
        "plugin-missing", f"{what} to load a plug-in from",
        hint=near or "it is a file NAME.py, a folder with an __init__.py, or the name of a module",
    )  # fmt: skip


def _of_file(path: Path) -> Plugin:
    full = path.absolute()
    main = full / "__init__.py" if os.path.isdir(full) else full
    if not os.path.isfile(main) or main.suffix != ".py":
        raise _no_place(path)
    name = _checked(full.stem, path)
    plugin = Plugin(name, str(full), [str(full)])
    if (known := _known(plugin)) is not None:
        return known
    return _registered(plugin, lambda: _executed(name, full, main))


class _FromSource(SourceFileLoader):
    """Compiles a file itself: kept bytecode counts as that of a file of equal size that was written in one second."""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)


def _executed(name: str, full: Path, main: Path) -> ModuleType:
    """The module of a file; the one that the program has imported already, if it has."""
    there = sys.modules.get(full.stem)
    if there is not None and getattr(there, "__file__", None) == str(main):
        return there
    module_name = f"hologram_plugin_{name}"
    folders = [str(full)] if full.is_dir() else None
    loader = _FromSource(module_name, str(main))
    spec = importlib.util.spec_from_file_location(module_name, main, loader=loader, submodule_search_locations=folders)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[module_name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _of_module(module: ModuleType | str, name: str) -> Plugin:
    files = package_of(name)
    if isinstance(module, ModuleType) and not files and module.__file__:
        files = [module.__file__]
    if not files:
        raise _no_place(Path(name))
    plugin = Plugin(_checked(name.rpartition(".")[2], name), name, files)
    if (known := _known(plugin)) is not None:
        return known
    return _registered(plugin, lambda: module if isinstance(module, ModuleType) else importlib.import_module(module))


def _checked(stem: str, place: object) -> str:
    """The name of a plug-in, which its instructions begin with."""
    name = stem.replace("-", "_")
    if not name.isidentifier() or not name.isascii() or name.lower() != name or name.startswith("_"):
        raise UsageError(
            "plugin-name",
            f"'{stem}' can't be the name of a plug-in, which '{place}' gives it",
            hint="names have small letters, digits and _, and begin with a letter",
        )
    return name


def _known(plugin: Plugin) -> Plugin | None:
    """The plug-in if it is loaded already; another one of its name, or one that changed, is an error."""
    known = LOADED.get(plugin.name)
    if known is None:
        return None
    fresh = Plugin(known.name, known.place, known.files)
    if known.place == plugin.place and fresh.digest == known.digest:
        return known
    what = "it has changed since" if known.place == plugin.place else f"that is '{shown(known.place)}'"
    raise UsageError(
        "plugin-twice",
        f"the plug-in '{plugin.name}' of '{shown(plugin.place)}' can't be loaded: there is one already, and {what}",
        hint="give the file another name" if known.place != plugin.place else "start the program anew",
    )


def _registered(plugin: Plugin, module: Callable[[], Any], function: str = REGISTER) -> Plugin:
    """The plug-in, after it has said what it brings. One that fails brings nothing."""
    modules = set(sys.modules)
    _register(plugin, module, function)
    plugin.covers(_imported_since(modules))
    _take_in(plugin)
    return plugin


def _take_in(plugin: Plugin) -> None:
    for row in plugin.rows:
        KINDS[row.kind].add(row)
    LOADED[plugin.name] = plugin


def _register(plugin: Plugin, module: Callable[[], Any], function: str) -> None:
    fault = f"has no function '{function}'"
    try:
        register = getattr(module(), function, None)
        count = len(inspect.signature(register).parameters) if callable(register) else 0
        is_later = inspect.iscoroutinefunction(register) or inspect.isgeneratorfunction(register)
        if callable(register) and count == 1 and not is_later:
            register(plugin)
            _check_dialects(plugin)
            return
        if callable(register):
            fault = f"has a function '{function}' of {count} parameters, which must take one"
            if is_later:
                fault = f"has a function '{function}' that waits or yields, so that a call of it registers nothing"
    except HologramError as error:
        if error.where is None:
            error.where = place_of(error, plugin.files)
        raise
    except (Exception, SystemExit) as error:
        where = place_of(error, plugin.files) or place_of(error, ())
        raise InputError(
            "plugin-failed", f"the plug-in '{plugin.name}' fails: {described(error)}",
            hint=f"that is a fault of {_whose(plugin)}, not of your program", where=where or Where(shown(plugin.place)),
        ) from error  # fmt: skip
    raise InputError(
        "plugin-register",
        f"'{shown(plugin.place)}' is no plug-in: it {fault}",
        hint="define 'def register(plugin):', which says what there is",
        where=Where(shown(plugin.files[0])),
    )


def _check_dialects(plugin: Plugin) -> None:
    """The passes that dialects are lowered by are there."""
    own = {row.name for row in plugin.rows if row.kind == "pass"}
    for row in plugin.rows:
        wanted = row.more.get("lowered_by")
        if wanted and wanted not in own and wanted not in KINDS["pass"].taken() and wanted not in KINDS["pass"]:
            raise InputError(
                "plugin-lowered-by",
                f"the dialect '{row.name}' of the plug-in '{plugin.name}' is lowered by '{wanted}', which is no pass",
                hint=did_you_mean(wanted, own) or "bring the pass by plugin.passes(...)", where=row.where,
            )  # fmt: skip


def _whose(plugin: Plugin) -> str:
    return f"the package '{plugin.package}'" if plugin.package else f"'{shown(plugin.place)}'"


def _imported_since(before: set[str]) -> list[str]:
    """The files of modules that came in since, but for those of Python, of installed packages, and of ours."""
    ours = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    outside = [os.path.realpath(path) for path in {*sysconfig.get_paths().values(), ours}]
    files: list[str] = []
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file and not name.startswith("hologram.") and not os.path.realpath(file).startswith(tuple(outside)):
            files.append(file)
    return sorted(files)


# Installed ones


def load_installed() -> None:
    """Loads what the entry points of installed packages lead to. One that fails is a warning, and a fault that
    `hologram-doctor` shows."""
    for point in _points(GROUP):
        try:
            _load_point(point)
        except HologramError as error:
            FAULTS[point.name] = error
            warnings.warn(f"the installed plug-in '{point.name}' of {of_package(point)} is left out: {error}",
                          PluginWarning, stacklevel=4)  # fmt: skip
    for group, kind in ALONE.items():
        taken: Any = KINDS[kind].taken()
        for point in _points(group):
            if point.name not in taken and point.name not in KINDS[kind].rows:
                _load_alone(point, kind)


def _points(group: str) -> list[EntryPoint]:
    """The entry points of a group, each once: a package may be found in two places."""
    return list({(p.name, p.value): p for p in metadata.entry_points(group=group)}.values())


def _load_point(point: EntryPoint) -> None:
    module, _, function = point.value.partition(":")
    name = _checked(point.name, point.value)
    plugin = Plugin(name, module, package_of(module), is_installed=True, package=_distribution(point))
    if (known := LOADED.get(name)) is not None and known.place == plugin.place:
        return
    if _known(plugin) is None:
        _registered(plugin, lambda: importlib.import_module(module), function or REGISTER)


def _load_alone(point: EntryPoint, kind: str) -> None:
    """What an entry point leads to that is one thing: it is imported when it is asked for."""
    module = point.value.partition(":")[0]
    name = f"{point.name} ({kind})"
    plugin = Plugin(name, point.value, package_of(module), is_installed=True, package=_distribution(point))
    plugin.rows.append(Row(kind, point.name, point, name, None))
    _take_in(plugin)


def of_package(point: EntryPoint) -> str:
    """The package that an entry point is of, in words."""
    package = _distribution(point)
    return f"the package '{package}'" if package else f"'{point.value}'"


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else ""
