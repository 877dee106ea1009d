"""Files of kernels: Python modules, which are not run, and documents in YAML and TOML."""

from __future__ import annotations

import ast
import re
import tomllib
from typing import Any

from hologram.errors import InputError, Where, at_text, register_source
from hologram.errors.limits import check_text
from hologram.frontend.kernels import model
from hologram.frontend.kernels.document import decode_all
from hologram.frontend.kernels.model import texts, wrong_option
from hologram.frontend.kernels.outside import Helper, Source
from hologram.frontend.kernels.python import Reader
from hologram.frontend.kernels.scopes import module_scope


def python_documents(text: str, file: str) -> list[model.Document]:
    """The documents of the kernels in a Python file, in their order. Raises InputError if there is none."""
    scope = module_scope(text, file)
    for helper in scope.replaced:
        if _kernel_of(helper.node) is not None:
            name = helper.node.name
            scope.source.fault(
                "python-kernel-twice", helper.node, f"another function below is called '{name}' too",
                "give the kernel a name of its own",
            )  # fmt: skip
    helpers = [h for h in scope.names.values() if isinstance(h, Helper) and h.source is scope.source]
    kernels = {id(h.node): (h, d) for h in helpers if (d := _kernel_of(h.node)) is not None}
    for node in ast.walk(scope.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _kernel_of(node) and id(node) not in kernels:
            scope.source.fault(
                "python-kernel-place", node, f"'{node.name}' is no kernel that is known without a run of the file",
                "kernels of files are functions at the top, by 'def', and keep their names",
            )  # fmt: skip
    documents = [Reader().document(h, *_options(d, scope.source)) for h, d in kernels.values()]
    if not documents:
        raise InputError(
            "python-no-kernel", "there is no kernel in the file", where=Where(file),
            hint="put @hologram.kernel before the functions that are kernels",
        )  # fmt: skip
    return documents


def _kernel_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    """The decorator that makes a function a kernel."""
    return next(filter(_is_kernel, node.decorator_list), None)


def _is_kernel(decorator: ast.expr) -> bool:
    """Return whether a decorator is `kernel` or `hologram.kernel`, called or not."""
    name = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(name, "attr", getattr(name, "id", "")) == "kernel"


def _options(decorator: ast.expr, source: Source) -> tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]:
    """The block, the lanes and the conditions that a decorator names."""
    given: dict[str, Any] = {"block": 256, "lanes": (), "where": ()}
    if isinstance(decorator, ast.Call) and decorator.args:
        at = decorator.args[0]
        source.fault("python-decorator-place", at, "'kernel' takes lanes, block and where by their names")
    for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if keyword.arg not in given:
            source.fault("python-decorator", keyword, f"'kernel' takes lanes, block and where, not '{keyword.arg}'")
        try:
            given[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError):
            source.fault("python-decorator-value", keyword, f"'{keyword.arg}' is a literal in files that are not run")
        if (wrong := wrong_option(keyword.arg, given[keyword.arg])) is not None:
            source.fault("python-decorator-option", keyword, wrong)
    block = given["block"]
    sizes = (block, 1, 1) if isinstance(block, int) else tuple(block)
    return sizes, texts(given["lanes"]), texts(given["where"])


def toml_documents(text: str, file: str) -> list[model.Document]:
    """The documents of a TOML text."""
    register_source(file, text)
    check_text(text, file)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "it nests too deep"
        place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", reason)
        where = Where(file)
        if place is not None:
            last = text.count("\n") + 1
            where = at_text(Where(file, int(place[1] or last), int(place[2] or 1)), text)
        reason = reason if place is None else reason[: place.start()]
        raise InputError("document-toml", f"this is no TOML: {reason}", where=where) from None
    return decode_all(data, file)


def yaml_documents(text: str, file: str) -> list[model.Document]:
    """The documents of a YAML text; it needs the package PyYAML."""
    register_source(file, text)
    check_text(text, file)
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML's loader, which would take the last of two members of one name."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[Any] = set()
            for key, _ in node.value:
                if key.tag == "tag:yaml.org,2002:str" and key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"there are two members '{key.value}'", key.start_mark
                    )
                seen.add(key.value if key.tag == "tag:yaml.org,2002:str" else None)
            return super().construct_mapping(node, deep=deep)

    try:
        data: Any = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = Where(file) if mark is None else at_text(Where(file, mark.line + 1, mark.column + 1), text)
        reason = "it nests too deep" if isinstance(error, RecursionError) else getattr(error, "problem", error)
        raise InputError("document-yaml", f"this is no YAML: {reason}", where=where) from None
    return decode_all(data, file)
