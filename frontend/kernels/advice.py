"""What to write in place of what kernels do not have: the hints of their errors."""

from __future__ import annotations

import ast

from hologram.errors import did_you_mean
from hologram.language import WORDS
from hologram.support.promotion import STORED, TYPES

_IDS = {
    "threadIdx": "get_local_id()", "blockIdx": "get_group_id()", "blockDim": "get_local_size()",
    "gridDim": "get_num_groups()", "program_id": "get_group_id(0)", "num_programs": "get_num_groups(0)",
    "grid": "get_global_id()", "gridsize": "get_global_size()", "syncthreads": "barrier()",
    "__syncthreads": "barrier()", "debug_barrier": "barrier()", "thread_id": "get_local_id()",
}  # fmt: skip
"""What other languages of kernels call by these names."""
_TYPES = {
    "float": "f32", "int": "i64", "double": "f64", "half": "f16", "float16": "f16", "float32": "f32", "float64": "f64",
    "single": "f32", "bfloat16": "bf16", "bool_": "bool", "uint": "u32", "long": "i64", "char": "i8",
    **{f"int{n}": f"i{n}" for n in (8, 16, 32, 64)}, **{f"uint{n}": f"u{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip
"""What types of numbers are called elsewhere."""
_STATEMENTS: dict[type[ast.AST], str] = {
    ast.FunctionDef: "define it beside the kernel, and call it",
    ast.ClassDef: "kernels know numbers and arrays alone",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.Try: "nothing is raised in a kernel: 'assert' ends a launch",
    ast.Raise: "nothing is raised in a kernel: write assert x > 0, 'why'",
    ast.Global: "numbers around the kernel can be read, and what it gives is stored in arrays",
    ast.Nonlocal: "numbers around the kernel can be read, and what it gives is stored in arrays",
    ast.Delete: "leave it out",
    ast.Match: "write if, elif and else",
}
_LISTED = "t = local(f32, 4) is an array that a lane has of its own"
_EXPRESSIONS: dict[type[ast.AST], str] = {
    ast.Lambda: "define a function beside the kernel with 'def'",
    ast.Tuple: "kernels compute one number at a time",
    ast.Yield: "what a kernel gives is stored in an array",
    ast.YieldFrom: "what a kernel gives is stored in an array",
    **dict.fromkeys((ast.List, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp), _LISTED),
    **dict.fromkeys((ast.Constant, ast.JoinedStr), "values in kernels are numbers"),
}


def statement(node: ast.stmt) -> str:
    """The hint where a statement is none of kernels."""
    known = "kernels have assignments, if, for over range, while, break, continue, return, pass and assert"
    return _STATEMENTS.get(type(node), known)


def expression(node: ast.expr) -> str:
    """The hint where an expression is none of kernels."""
    if not isinstance(node, ast.Attribute):
        return _EXPRESSIONS.get(type(node), "kernels have numbers, variables, elements of arrays, operators and calls")
    owner = ast.unparse(node.value)
    root = owner.partition(".")[0]
    if root in _IDS or node.attr in _IDS:
        axis = {"y": "1", "z": "2"}.get(node.attr, "")
        return f"write {_IDS.get(root) or _IDS[node.attr]}".replace("()", f"({axis})")
    if node.attr in ("shape", "size", "ndim", "dtype", "T", "strides"):
        return f"write {owner}.shape[0] for the size of an axis; the number of axes and the type are those of its type"
    return f"give it a name before the kernel, as in {node.attr} = {owner}.{node.attr}, or pass it as a parameter"


def callee(node: ast.expr) -> str:
    """The hint where something can't be called."""
    text = ast.unparse(node)
    name = text.rpartition(".")[2]
    if (meant := word(name)) is not None:
        return meant
    if "." in text and name in WORDS:
        return f"write {name}(...), of hologram.language"
    if name in ("astype", "view", "item", "tolist") and "." in text:
        return f"an element is a number: f32({text.rpartition('.')[0]}) is one of another type"
    if name == "where":
        return "write a if c else b for where(c, a, b)"
    if name == "print":
        return "store in an array what you want to see"
    if name in ("sum", "any", "all", "sorted", "mean", "prod", "dot", "reversed", "enumerate", "zip", "map", "filter"):
        return "write a loop: for i in range(len(x))"
    return "kernels call functions that 'def' makes, and those of hologram.language"


def word(name: str) -> str | None:
    """The hint for a name that other languages, or numpy, have for something of kernels."""
    if name in _IDS:
        return f"write {_IDS[name]}"
    return f"write {_TYPES[name]}" if name in _TYPES and name not in ("float", "int") else None


def annotation(node: ast.expr) -> str:
    """The hint where an annotation is no type."""
    text = ast.unparse(node)
    name = text.partition("[")[0].partition("(")[0].rpartition(".")[2]
    if name in _TYPES:
        return f"write {_TYPES[name]} for a number, or Array[{_TYPES[name]}] for an array"
    if name in ("ndarray", "list", "Array", "array", "NDArray", "Tensor", "tuple", "Sequence"):
        return "write the type of its elements and its axes, as in Array[f32] or Array[f32, 2]"
    near = did_you_mean(name, (*TYPES, *STORED, "Array", "StridedArray", "Pointer", "Constant")) if name else None
    return near or "the types are f32 and the other numbers, Array[f32], Array[f32, 2], Pointer[f32] and Constant"
