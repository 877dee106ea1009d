"""Writes `reference/library.mdx`, part of `make docs`: the kernel library as tables, from the kernels' docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from hologram.dialects.atlas.instructions import table
from hologram.frontend.kernels import model
from hologram.frontend.kernels.files import python_documents
from hologram.kernels import stdlib
from hologram.kernels.stdlib.operations import OPERATIONS

Escape = Callable[[str], str]

INTRODUCTION = """\
Every kernel is a Python source in `kernels/stdlib`, to be called, compiled ahead of time, read, and copied:

```python
import numpy as np

from hologram.kernels.stdlib.norm.layer_norm import layer_norm

x = np.arange(6, dtype=np.float32).reshape(2, 3)
out = np.empty_like(x)
layer_norm(x, np.ones(3, np.float32), np.zeros(3, np.float32), out, 1e-5)
print(out.round(3))
```

```text
[[-1.225  0.     1.225]
 [-1.225  0.     1.225]]
```

`T` in a signature is the element type, which a call takes from its arrays. Names in capitals are constants, given by
name. Results are arrays that the caller brings. [Python kernels](/python-kernels) has the language.
"""


def parts(escaped: Escape) -> Iterator[str]:
    """The page's sections."""
    yield INTRODUCTION
    for folder in sorted(p.parent for p in stdlib.ROOT.glob("*/__init__.py")):
        documents = [d for file in sorted(folder.glob("*.py")) if file.name != "__init__.py" for d in _documents(file)]
        about = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        rows = "\n".join(_row(document, escaped) for document in documents)
        yield f"## {folder.name}\n\n{escaped(about)}\n\n{HEAD}{rows}\n"
    yield f"## The operations of the specification\n\n{_operations(escaped)}\n"


INSTRUCTIONS = {i.kernel.rpartition("/")[2] for i in table.INSTRUCTIONS.values()}
"""The kernels that are one instruction, whose formula says no more than its name."""
HEAD = "| kernel | computes | shapes | types | source |\n|---|---|---|---|---|\n"


def _documents(file: Path) -> list[model.Document]:
    return python_documents(file.read_text(encoding="utf-8"), str(file))


def _row(document: model.Document, escaped: Escape) -> str:
    kernel = document.kernel
    text = inspect.cleandoc(kernel.doc)
    formula, *told = [" ".join(p.split()) for p in text.split("\n\n")]
    computes = _code(formula)
    if kernel.name in INSTRUCTIONS:
        computes += ". " + escaped(told[0]).replace("|", "&#124;")
    said = dict(re.findall(r"^([A-Z]\w+): (.*?)(?=\n[A-Z]\w+: |\Z)", text, re.MULTILINE | re.DOTALL))
    signature = f"{kernel.name}({', '.join(_parameter(p) for p in kernel.params)})"
    rest = [escaped(" ".join(said[part].split())) for part in ("Shapes", "Types", "Source")]
    return "| " + " | ".join([_code(signature), computes, *rest]) + " |"


def _code(text: str) -> str:
    """Code in a cell of a table."""
    return "`" + text.replace("|", "\\|").replace("`", "") + "`"


def _parameter(parameter: model.Parameter) -> str:
    match parameter.type:
        case model.DeviceArray(dtype=dtype, rank=rank):
            return f"{parameter.name}: {dtype}[{', '.join('?' * rank)}]"
        case model.Scalar(dtype=dtype):
            return f"{parameter.name}: {dtype}"
        case model.Constant(value=value):
            return parameter.name if value is None else f"{parameter.name} = {value}"
        case _:
            return parameter.name


def _operations(escaped: Escape) -> str:
    lines = ["| named in | operation | kernels |", "|---|---|---|"]
    for operation in OPERATIONS:
        kernels = ", ".join(f"`{k}`" for k in operation.kernels)
        lines.append(f"| {escaped(operation.place)} | `{operation.name}` | {kernels or escaped(operation.reason)} |")
    return "\n".join(lines)
