"""Files of kernels: Python modules, which are not run, and documents in YAML and TOML."""

from __future__ import annotations

import ast
import tomllib
from typing import Any

from hologram.errors import InputError, Where, register_source
from hologram.frontend.kernels import model
from hologram.frontend.kernels.decorator import texts
from hologram.frontend.kernels.document import decode_all
from hologram.frontend.kernels.outside import Helper, Source
from hologram.frontend.kernels.python import Reader
from hologram.frontend.kernels.scopes import module_scope


def python_documents(text: str, file: str) -> list[model.Document]:
    """The documents of the kernels in a Python file, in their order. Raises InputError if there is none."""
    scope = module_scope(text, file)
    found: list[model.Document] = []
    for helper in scope.replaced:
        if _decorator(helper) is not None:
            name = helper.node.name
            scope.source.fault(
                "python-kernel-twice", helper.node, f"another function below is called '{name}' too",
                "give the kernel a name of its own",
            )  # fmt: skip
    for helper in [h for h in scope.names.values() if isinstance(h, Helper)]:
        decorator = _decorator(helper)
        if decorator is not None:
            found.append(Reader().document(helper, *_options(decorator, scope.source)))
    if not found:
        raise InputError(
            "python-no-kernel", "there is no kernel in the file", where=Where(file),
            hint="put @hologram.kernel before the functions that are kernels",
        )  # fmt: skip
    return found


def _decorator(helper: Helper) -> ast.expr | None:
    """What makes a function a kernel, if anything does."""
    return next((d for d in helper.node.decorator_list if _is_kernel(d)), None)


def _is_kernel(decorator: ast.expr) -> bool:
    """Whether a decorator is `kernel` or `hologram.kernel`, called or not."""
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(name, "attr", getattr(name, "id", "")) == "kernel"


def _options(decorator: ast.expr, source: Source) -> tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """The block, the lanes and the conditions that a decorator names."""
    given: dict[str, Any] = {"block": 256, "lanes": (), "where": ()}
    for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if keyword.arg not in given:
            source.fault("python-decorator", keyword, f"'kernel' takes lanes, block and where, not '{keyword.arg}'")
        try:
            given[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError:
            source.fault("python-decorator-value", keyword, f"'{keyword.arg}' is a literal in files that are not run")
    block = given["block"]
    sizes = (block, 1, 1) if isinstance(block, int) else tuple(block)
    return sizes, texts(given["lanes"]), texts(given["where"])


def toml_documents(text: str, file: str) -> list[model.Document]:
    """The documents of a TOML text."""
    register_source(file, text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError("document-toml", f"this is no TOML: {error}", where=Where(file)) from None
    return decode_all(data, file)


def yaml_documents(text: str, file: str) -> list[model.Document]:
    """The documents of a YAML text; it needs the package PyYAML."""
    register_source(file, text)
    import yaml

    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = Where(file) if mark is None else Where(file, mark.line + 1, mark.column + 1)
        raise InputError("document-yaml", f"this is no YAML: {getattr(error, 'problem', error)}", where=where) from None
    return decode_all(data, file)
