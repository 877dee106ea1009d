"""Programs that grow: for each shape a function from a size to the text of a program in one input form."""

from __future__ import annotations

import json
from collections.abc import Callable

Shape = tuple[str, Callable[[int], str]]
"""The file extension of the input form, and the text for a size."""
SHAPES: dict[str, Shape] = {}


def shape(form: str) -> Callable[[Callable[[int], str]], Callable[[int], str]]:
    """Enters a function of a size into the table, under its name."""

    def enter(text: Callable[[int], str]) -> Callable[[int], str]:
        SHAPES[text.__name__] = form, text
        return text

    return enter


# Python kernels


def kernel(body: list[str], functions: str = "", params: str = "x: Array[f32], y: Array[f32]") -> str:
    """A Python kernel whose lanes run these lines for an index `i` in bounds."""
    lines = "\n".join(f"        {line}" for line in body)
    return (
        "import hologram\nfrom hologram.language import *\n\n"
        f'{functions}\n@hologram.kernel(lanes="y.shape[0]")\ndef k({params}):\n'
        f"    i = get_global_id()\n    if i < y.shape[0] and i < x.shape[0]:\n{lines}\n"
    )


@shape("py")
def py_helpers(n: int) -> str:
    """Helpers, each called twice by the next."""
    functions = "def g0(a: f32) -> f32:\n    return a * 0.5 + 1.0\n"
    functions += "".join(f"def g{k}(a: f32) -> f32:\n    return g{k - 1}(a) + g{k - 1}(a + 1.0)\n" for k in range(1, n))
    return kernel([f"y[i] = g{n - 1}(x[i])"], functions)


@shape("py")
def py_condition(n: int) -> str:
    """A condition of many terms."""
    terms = " and ".join(f"x[i] > {k}.0" for k in range(n))
    return kernel([f"if {terms}:", "    y[i] = 1.0"])


@shape("py")
def py_condition_mixed(n: int) -> str:
    """Terms joined by `and` and `or` in turns."""
    text = "x[i] > 0.0"
    for k in range(1, n):
        text = f"({text}) or x[i] < {k}.0" if k % 2 else f"({text}) and x[i] > -{k}.0"
    return kernel([f"if {text}:", "    y[i] = 1.0"])


@shape("py")
def py_nested_ifs(n: int) -> str:
    """Ifs within ifs."""
    lines = [" " * k + f"if x[i] > {k}.0:" for k in range(n)]
    return kernel([*lines, " " * n + "y[i] = 1.0"])


@shape("py")
def py_nested_ifs_returns(n: int) -> str:
    """Ifs within ifs, with early returns beside them."""
    lines: list[str] = []
    for k in range(n):
        lines += [" " * k + f"if x[i] > {k}.0:", " " * (k + 1) + f"if x[i] > {2 * k + 1}.5:", " " * (k + 2) + "return"]
    return kernel([*lines, " " * n + "y[i] = 1.0"])


@shape("py")
def py_elifs(n: int) -> str:
    """A long chain of alternatives."""
    lines = ["if x[i] > 1e9:", "    y[i] = 0.0"]
    for k in range(n):
        lines += [f"elif x[i] > {k}.0:", f"    y[i] = {k}.0"]
    return kernel(lines)


@shape("py")
def py_sequence_ifs(n: int) -> str:
    """Ifs, one after the other, that assign the same variables."""
    lines = ["t = x[i]", "s = x[i]"]
    for k in range(n):
        lines += [f"if t > {k}.0:", "    t = t - 1.0", "    s = s + t"]
    return kernel([*lines, "y[i] = t + s"])


@shape("py")
def py_chain(n: int) -> str:
    """A chain of operations."""
    return kernel(["t = x[i]", *(f"t = t * {k % 7}.5 + x[i]" for k in range(n)), "y[i] = t"])


@shape("py")
def py_stores(n: int) -> str:
    """Many guarded accesses."""
    return kernel([f"y[(i + {k}) % y.shape[0]] = x[(i + {k}) % x.shape[0]]" for k in range(n)])


@shape("py")
def py_ternaries(n: int) -> str:
    """Choices within choices."""
    text = "0.0"
    for k in range(n):
        text = f"({k}.0 if x[i] > {k}.0 else {text})"
    return kernel([f"y[i] = {text}"])


@shape("py")
def py_parentheses(n: int) -> str:
    """An expression that nests to one side."""
    return kernel(["y[i] = " + "(" * n + "x[i]" + " + 1.0)" * n])


@shape("py")
def py_sum(n: int) -> str:
    """A long sum on one line."""
    return kernel(["y[i] = " + " + ".join(["x[i]"] * n)])


@shape("py")
def py_variables(n: int) -> str:
    """Many variables alive at once, across a loop."""
    lines = [f"v{k} = x[i] + {k}.0" for k in range(n)]
    lines += ["for j in range(3):", *(f"    v{k} = v{k} * 0.5" for k in range(n))]
    return kernel([*lines, "y[i] = " + " + ".join(f"v{k}" for k in range(n))])


@shape("py")
def py_parameters(n: int) -> str:
    """Many parameters."""
    params = ", ".join(["x: Array[f32]", "y: Array[f32]", *(f"p{k}: f32" for k in range(n))])
    return kernel(["t = x[i]", *(f"t = t + p{k}" for k in range(n)), "y[i] = t"], params=params)


@shape("py")
def py_arrays(n: int) -> str:
    """Many arrays."""
    params = ", ".join(["x: Array[f32]", "y: Array[f32]", *(f"p{k}: Array[f32]" for k in range(n))])
    body = ["t = x[i]", *(f"t = t + p{k}[i % p{k}.shape[0]]" for k in range(n)), "y[i] = t"]
    return kernel(body, params=params)


@shape("py")
def py_shared(n: int) -> str:
    """Many shared arrays."""
    lines = [f"    s{k} = shared(f32, 4)" for k in range(n)]
    lines += [f"    s{k}[0] = x[0]" for k in range(n)]
    return (
        "import hologram\nfrom hologram.language import *\n\n"
        '@hologram.kernel(lanes="y.shape[0]")\ndef k(x: Array[f32], y: Array[f32]):\n'
        + "\n".join(lines) + "\n    barrier()\n    y[0] = s0[0]\n"
    )  # fmt: skip


@shape("py")
def py_nested_loops(n: int) -> str:
    """Loops within loops."""
    lines = ["t = x[i]", *(" " * k + f"for j{k} in range(2):" for k in range(n)), " " * n + "t = t + 1.0", "y[i] = t"]
    return kernel(lines)


@shape("py")
def py_nested_mixed(n: int) -> str:
    """Loops and ifs within one another, with statements between."""
    lines = ["t = x[i]", "s = t"]
    for k in range(n):
        head = (f"while t > {k}.0:", f"if s > {k}.5:", f"for j{k} in range(2):")[k % 3]
        lines += [" " * k + head, " " * (k + 1) + f"t = t - s * {k}.25"]
    return kernel([*lines, *(" " * k + f"s = s + t * {k}.5" for k in range(n, 0, -1)), "y[i] = t + s"])


@shape("py")
def py_small_loops(n: int) -> str:
    """Loops of few iterations, one after the other."""
    lines = ["t = x[i]"]
    for k in range(n):
        lines += [f"for j{k} in range({k % 7 + 2}):", f"    t = t * 0.5 + {k}.0"]
    return kernel([*lines, "y[i] = t"])


@shape("py")
def py_functions(n: int) -> str:
    """Functions that are called one after the other."""
    functions = "".join(f"def g{k}(a: f32) -> f32:\n    return a * {k}.5 + 1.0\n" for k in range(n))
    return kernel(["t = x[i]", *(f"t = g{k}(t)" for k in range(n)), "y[i] = t"], functions)


@shape("py")
def py_whiles(n: int) -> str:
    """Loops with break and continue, one after the other."""
    lines = ["t = x[i]"]
    for k in range(n):
        lines += [f"while t > {k}.0:", "    t = t - 1.0", f"    if t < {k}.5:", "        break"]
    return kernel([*lines, "y[i] = t"])


@shape("py")
def py_kernels(n: int) -> str:
    """Many kernels in one file."""
    one = '@hologram.kernel(lanes="y.shape[0]")\ndef k{}(x: Array[f32], y: Array[f32]):\n    i = get_global_id()\n'
    one += "    if i < y.shape[0] and i < x.shape[0]:\n        y[i] = x[i] + {}.0\n\n"
    return "import hologram\nfrom hologram.language import *\n\n" + "".join(one.format(k, k) for k in range(n))


@shape("py")
def py_math(n: int) -> str:
    """Many functions that are expanded."""
    return kernel(["t = x[i]", *(("t = sin(t)", "t = exp(t)", "t = tanh(t)")[k % 3] for k in range(n)), "y[i] = t"])


@shape("py")
def py_digits(n: int) -> str:
    """An integer of many digits."""
    return kernel([f"y[i] = x[i] + f32({'9' * n})"])


@shape("py")
def py_name(n: int) -> str:
    """A long name."""
    return kernel([f"{'a' * n} = x[i]", f"y[i] = {'a' * n}"])


# JSON kernels


def document(body: list[object]) -> str:
    """A kernel document with these statements."""
    array = {"kind": "device_array", "dtype": "f32"}
    params = [{"name": name, "type": array} for name in "xy"]
    whole = {"version": "1", "kernel": {"name": "k", "params": params, "body": body}}
    return json.dumps(whole)


def literal(value: object) -> dict[str, object]:
    """A number in a document."""
    return {"kind": "literal", "value": value}


def raw(text: str, depth: int, opened: str, closed: str) -> str:
    """A text nested by joining pieces, which no recursion limits."""
    return opened * depth + text + closed * depth


@shape("json")
def json_nested(n: int) -> str:
    """An expression that nests."""
    opened, closed = '{"kind":"unary","op":"-","operand":', "}"
    nested = raw('{"kind":"literal","value":1.0}', n, opened, closed)
    return document([{"kind": "let", "name": "t", "value": "?"}]).replace('"?"', nested)


@shape("json")
def json_arrays(n: int) -> str:
    """Brackets that nest, which are no document."""
    return "[" * n + "]" * n


@shape("json")
def json_digits(n: int) -> str:
    """An integer of many digits."""
    return document([{"kind": "let", "name": "t", "value": literal("?")}]).replace('"?"', "9" * n)


# IR of the core dialects


def function(
    lines: list[str], args: str = "%x: f32", result: str = "%r", type: str = "f32", attributes: str = ""
) -> str:
    """A function of IR."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @f({args}) -> {type} {attributes}{{\n{body}\n  func.return {result} : {type}\n}}\n"


@shape("mlir")
def ir_helpers(n: int) -> str:
    """Functions, each called twice by the next."""
    text = "func.func private @f0(%a: f32) -> f32 {\n  %r = arith.addf %a, %a : f32\n  func.return %r : f32\n}\n"
    for k in range(1, n):
        name = "@main" if k == n - 1 else f"private @f{k}"
        text += f"func.func {name}(%a: f32) -> f32 {{\n"
        text += f"  %b = func.call @f{k - 1}(%a) : (f32) -> f32\n  %c = func.call @f{k - 1}(%b) : (f32) -> f32\n"
        text += "  %r = arith.addf %b, %c : f32\n  func.return %r : f32\n}\n"
    return text


@shape("mlir")
def ir_lane_helpers(n: int) -> str:
    """Functions of lanes that take arrays, each called twice by the next."""
    memref = "memref<64xf32, #atlas.space<shared>>"
    text = (
        f"atlas.func @f0(%p: {memref}) -> (f32) {{\n  %i = atlas.mov_imm 0 : i64\n"
        f"  %v = atlas.lds f32 %p[%i : i64] : {memref}\n  atlas.ret %v : f32\n}}\n"
    )
    for k in range(1, n):
        text += f"atlas.func @f{k}(%p: {memref}) -> (f32) {{\n"
        text += "".join(f"  %{v} = atlas.call @f{k - 1}(%p) : ({memref}) -> (f32)\n" for v in "ab")
        text += "  %v = atlas.add f32 %a, %b\n  atlas.ret %v : f32\n}\n"
    return text + (
        f"atlas.program @k(%y: memref<?xf32>) block [64, 1, 1] {{\n  %p = atlas.alloca : {memref}\n"
        f"  %i = atlas.mov_imm 0 : i64\n  %v = atlas.call @f{n - 1}(%p) : ({memref}) -> (f32)\n"
        "  atlas.stg f32 %v, %y[%i : i64] : memref<?xf32>\n}\n"
    )


@shape("mlir")
def ir_chain(n: int) -> str:
    """A chain of scalar operations."""
    lines = ["%v0 = arith.addf %x, %x : f32"]
    lines += [f"%v{k} = arith.mulf %v{k - 1}, %x : f32" for k in range(1, n)]
    return function(lines, result=f"%v{n - 1}")


@shape("mlir")
def ir_tensors_twice(n: int) -> str:
    """A chain of tensor operations whose steps read the one before twice."""
    lines = ["%v0 = hologram.neg %a : tensor<?xf32>"]
    for k in range(n):
        lines.append(f"%n{k} = hologram.neg %v{k} : tensor<?xf32>")
        lines.append(f"%v{k + 1} = hologram.max %v{k}, %n{k} : tensor<?xf32>")
    body = "\n".join(lines)
    return f"func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{\n{body}\nfunc.return %v{n} : tensor<?xf32>\n}}"


@shape("mlir")
def ir_tensors(n: int) -> str:
    """A chain of tensor operations."""
    tensor = "tensor<?xf32>"
    lines = [f"%v0 = hologram.add %x, %x : {tensor}"]
    lines += [f"%v{k} = hologram.{'mul' if k % 2 else 'add'} %v{k - 1}, %x : {tensor}" for k in range(1, n)]
    return function(lines, f"%x: {tensor}", f"%v{n - 1}", tensor)


@shape("mlir")
def ir_tensors_static(n: int) -> str:
    """A chain of operations that do not fuse into one."""
    lines: list[str] = []
    value = "%x"
    for k in range(n):
        lines.append(f"%s{k} = hologram.matmul {value}, %x : tensor<8x8xf32>")
        value = f"%s{k}"
    return function(lines, "%x: tensor<8x8xf32>", value, "tensor<8x8xf32>")


@shape("mlir")
def ir_fibonacci(n: int) -> str:
    """Tensor operations that use the two before them."""
    tensor = "tensor<?xf32>"
    lines = [f"%v0 = hologram.add %x, %x : {tensor}", f"%v1 = hologram.mul %v0, %x : {tensor}"]
    lines += [f"%v{k} = hologram.add %v{k - 1}, %v{k - 2} : {tensor}" for k in range(2, n)]
    return function(lines, f"%x: {tensor}", f"%v{n - 1}", tensor)


@shape("mlir")
def ir_blocks(n: int) -> str:
    """Blocks in a row."""
    lines = ["cf.br ^b0(%x : f32)"]
    for k in range(n):
        lines += [f"^b{k}(%a{k}: f32):", f"%v{k} = arith.addf %a{k}, %x : f32", f"cf.br ^b{k + 1}(%v{k} : f32)"]
    return function([*lines, f"^b{n}(%r: f32):"])


@shape("mlir")
def ir_diamonds(n: int) -> str:
    """Branches that part and join."""
    lines = ["%z = arith.constant 0.0 : f32", "cf.br ^b0(%x : f32)"]
    for k in range(n):
        lines += [f"^b{k}(%a{k}: f32):", f"%c{k} = arith.cmpf olt, %a{k}, %z : f32"]
        lines += [f"cf.cond_br %c{k}, ^t{k}, ^b{k + 1}(%a{k} : f32)", f"^t{k}:"]
        lines += [f"%v{k} = arith.addf %a{k}, %x : f32", f"cf.br ^b{k + 1}(%v{k} : f32)"]
    return function([*lines, f"^b{n}(%r: f32):"])


@shape("mlir")
def ir_switch(n: int) -> str:
    """A switch with many cases."""
    cases = ", ".join(f"{k}: ^b{k}" for k in range(n))
    lines = [f"cf.switch %i : i32, [default: ^e(%x : f32), {cases}]"]
    for k in range(n):
        lines += [f"^b{k}:", f"%c{k} = arith.constant {k}.5 : f32", f"%v{k} = arith.mulf %x, %c{k} : f32"]
        lines.append(f"cf.br ^e(%v{k} : f32)")
    return function([*lines, "^e(%r: f32):"], "%x: f32, %i: i32")


@shape("mlir")
def ir_memory(n: int) -> str:
    """Loads and stores that are guarded."""
    lines = [f"%i{k} = arith.constant {k} : index" for k in range(n)]
    for k in range(n):
        lines += [f"%l{k} = memref.load %m[%i{k}] : memref<?xf32>", f"%s{k} = arith.addf %l{k}, %x : f32"]
        lines.append(f"memref.store %s{k}, %m[%i{n - 1 - k}] : memref<?xf32>")
    return function([*lines, "%r = arith.addf %x, %x : f32"], "%m: memref<?xf32>, %x: f32")


@shape("mlir")
def ir_functions(n: int) -> str:
    """Functions beside one another."""
    return "".join(function(["%r = arith.addf %x, %x : f32"]).replace("@f", f"@f{k}") for k in range(n))


@shape("mlir")
def ir_tensor_functions(n: int) -> str:
    """Tensor functions beside one another."""
    one = function(["%r = hologram.exp %x : tensor<?xf32>"], "%x: tensor<?xf32>", type="tensor<?xf32>")
    return "".join(one.replace("@f", f"@f{k}") for k in range(n))


@shape("mlir")
def ir_ifs(n: int) -> str:
    """Regions within regions."""
    opened = "".join("scf.if %c {\n" for _ in range(n))
    args = "%c: i1, %m: memref<4xf32>, %x: f32"
    body = "%i = arith.constant 0 : index\nmemref.store %x, %m[%i] : memref<4xf32>\n"
    return f"func.func @f({args}) {{\n{opened}{body}{'}' * n}\nfunc.return\n}}\n"


@shape("mlir")
def ir_modules(n: int) -> str:
    """Modules within modules."""
    return "builtin.module {\n" * n + "}\n" * n


@shape("mlir")
def ir_loops(n: int) -> str:
    """Loops within loops."""
    lines = ["%0 = arith.constant 0 : index", "%1 = arith.constant 1 : index", "%2 = arith.constant 2 : index"]
    lines += [f"scf.for %i{k} = %0 to %2 step %1 {{" for k in range(n)]
    lines += ["memref.store %x, %m[%0] : memref<4xf32>", "}" * n]
    body = "\n".join(lines)
    return f"func.func @f(%m: memref<4xf32>, %x: f32) {{\n{body}\nfunc.return\n}}\n"


@shape("mlir")
def ir_loops_in_turn(n: int) -> str:
    """Loops, one after the other."""
    lines = ["%0 = arith.constant 0 : index", "%1 = arith.constant 1 : index", "%2 = arith.constant 4 : index"]
    for k in range(n):
        lines += [f"scf.for %i{k} = %0 to %2 step %1 {{", f"memref.store %x, %m[%i{k}] : memref<4xf32>", "}"]
    body = "\n".join(lines)
    return f"func.func @f(%m: memref<4xf32>, %x: f32) {{\n{body}\nfunc.return\n}}\n"


@shape("mlir")
def ir_arguments(n: int) -> str:
    """Many arguments."""
    return function(["%r = arith.addf %a0, %a0 : f32"], ", ".join(f"%a{k}: f32" for k in range(n)))


@shape("mlir")
def ir_results(n: int) -> str:
    """Many results."""
    types = ", ".join(["tensor<?xf32>"] * n)
    values = ", ".join(f"%v{k}" for k in range(n))
    lines = [f"  %v{k} = hologram.add %x, %x : tensor<?xf32>\n" for k in range(n)]
    head = f"func.func @f(%x: tensor<?xf32>) -> ({types}) {{\n"
    return f"{head}{''.join(lines)}  func.return {values} : {types}\n}}\n"


@shape("mlir")
def ir_constants(n: int) -> str:
    """Many constants that differ."""
    lines = ["%v0 = arith.addf %x, %x : f32"]
    for k in range(1, n):
        lines += [f"%c{k} = arith.constant {k}.5 : f32", f"%v{k} = arith.mulf %v{k - 1}, %c{k} : f32"]
    return function(lines, result=f"%v{n - 1}")


@shape("mlir")
def ir_table(n: int) -> str:
    """A constant of many elements."""
    values = ", ".join(f"{k}.0" for k in range(n))
    tensor = f"tensor<{n}xf32>"
    lines = [f"%c = hologram.constant dense<[{values}]> : {tensor}", f"%r = hologram.add %c, %x : {tensor}"]
    return function(lines, f"%x: {tensor}", type=tensor)


@shape("mlir")
def ir_attributes(n: int) -> str:
    """Many attributes."""
    attributes = ", ".join(f"test.a{k} = {k} : i64" for k in range(n))
    return function(["%r = arith.addf %x, %x : f32"], attributes=f"attributes {{{attributes}}} ")


@shape("mlir")
def ir_aliases(n: int) -> str:
    """Aliases, each of which holds the one before it twice."""
    lines = ["#a0 = [1 : i64, 2 : i64]", *(f"#a{k} = [#a{k - 1}, #a{k - 1}]" for k in range(1, n))]
    return "\n".join(lines) + f'\nbuiltin.module attributes {{"test.a" = #a{n - 1}}} {{}}\n'


@shape("mlir")
def ir_type_aliases(n: int) -> str:
    """Aliases of types, each of which holds the one before it twice."""
    lines = ["!t0 = tuple<i1, i1>", *(f"!t{k} = tuple<!t{k - 1}, !t{k - 1}>" for k in range(1, n))]
    return "\n".join(lines) + f'\nbuiltin.module attributes {{"test.a" = !t{n - 1}}} {{}}\n'


@shape("mlir")
def ir_nested_attribute(n: int) -> str:
    """Brackets within brackets."""
    return 'builtin.module attributes {"test.a" = ' + "[" * n + "]" * n + "} {}\n"


@shape("mlir")
def ir_nested_type(n: int) -> str:
    """Types within types."""
    return 'builtin.module attributes {"test.a" = ' + "tuple<" * n + "i1" + ">" * n + "} {}\n"


@shape("mlir")
def ir_affine(n: int) -> str:
    """A long affine expression."""
    return 'builtin.module attributes {"test.a" = affine_map<(d0) -> (' + " + ".join(["d0"] * n) + ")>} {}\n"


@shape("mlir")
def ir_affine_nested(n: int) -> str:
    """An affine expression within parentheses."""
    return 'builtin.module attributes {"test.a" = affine_map<(d0) -> (' + "(" * n + "d0" + ")" * n + ")>} {}\n"


@shape("mlir")
def ir_digits(n: int) -> str:
    """An integer of many digits."""
    return f'builtin.module attributes {{"test.a" = {"9" * n} : i64}} {{}}\n'


@shape("mlir")
def ir_name(n: int) -> str:
    """A long name."""
    name = "a" * n
    return f"func.func @{name}(%{name}: f32) -> f32 {{\n  func.return %{name} : f32\n}}\n"


@shape("mlir")
def ir_string(n: int) -> str:
    """A long string."""
    return f'builtin.module attributes {{"test.a" = "{"a" * n}"}} {{}}\n'


@shape("mlir")
def ir_comment(n: int) -> str:
    """A long comment on one line."""
    return "// " + "a" * n + "\nbuiltin.module {}\n"


@shape("mlir")
def ir_splat(n: int) -> str:
    """A constant of equal elements."""
    tensor = f"tensor<{n}xf32>"
    lines = [f"%c = hologram.constant dense<1.0> : {tensor}", f"%r = hologram.add %c, %x : {tensor}"]
    return function(lines, f"%x: {tensor}", type=tensor)


@shape("mlir")
def ir_splat_core(n: int) -> str:
    """The same in the dialect arith, as mlir-opt prints it."""
    return function([f"%r = arith.constant dense<1.0> : tensor<{n}xf32>"], "", type=f"tensor<{n}xf32>")


@shape("mlir")
def ir_splat_fold(n: int) -> str:
    """Operations on constants of equal elements, which fold."""
    tensor = f"tensor<{n}xf32>"
    lines = [f"%a = hologram.constant dense<1.0> : {tensor}", f"%b = hologram.constant dense<2.0> : {tensor}"]
    return function([*lines, f"%r = hologram.add %a, %b : {tensor}"], "", type=tensor)


@shape("mlir")
def ir_splat_global(n: int) -> str:
    """A constant global of equal elements."""
    memref = f"memref<{n}xf32>"
    lines = [f"%g = memref.get_global @g : {memref}", "%i = arith.constant 0 : index"]
    lines += [f"%r = memref.load %g[%i] : {memref}"]
    constant = f'initial_value = dense<1.0> : tensor<{n}xf32>, sym_visibility = "private", constant'
    head = f'"memref.global"() <{{sym_name = "g", type = {memref}, {constant}}}> : () -> ()\n'
    return head + function(lines, "")


@shape("mlir")
def ir_shape(n: int) -> str:
    """A large static shape."""
    tensor = f"tensor<{n}x{n}xf32>"
    return function([f"%r = hologram.add %x, %x : {tensor}"], f"%x: {tensor}", type=tensor)


@shape("mlir")
def ir_alloc(n: int) -> str:
    """A large buffer."""
    memref = f"memref<{n}x{n}xf32>"
    lines = [
        f"%m = memref.alloc() : {memref}",
        "%i = arith.constant 0 : index",
        f"memref.store %x, %m[%i, %i] : {memref}",
    ]
    return function([*lines, f"%r = memref.load %m[%i, %i] : {memref}", f"memref.dealloc %m : {memref}"])


@shape("mlir")
def ir_vector(n: int) -> str:
    """A large vector."""
    vector = f"vector<{n}xf32>"
    lines = [f"%v = vector.broadcast %x : f32 to {vector}", f"%w = arith.addf %v, %v : {vector}"]
    return function([*lines, f"%r = vector.reduction <add>, %w : {vector} into f32"])


@shape("mlir")
def ir_wide(n: int) -> str:
    """Wide integers."""
    lines = [
        f"%a = arith.extsi %x : i32 to i{n}",
        f"%b = arith.muli %a, %a : i{n}",
        f"%r = arith.trunci %b : i{n} to i32",
    ]
    return function(lines, "%x: i32", type="i32")


@shape("mlir")
def ir_rank(n: int) -> str:
    """Many axes."""
    tensor = f"tensor<{'1x' * n}f32>"
    return function([f"%r = hologram.add %x, %x : {tensor}"], f"%x: {tensor}", type=tensor)


# Assembly and circuits


@shape("atlas")
def asm_instructions(n: int) -> str:
    """Instructions in a row."""
    lines = "\n".join(f"  add.f32 r{k % 200 + 1}, r{k % 200}, r0" for k in range(n))
    return f".program p(buf0: f32[?]) {{\n  mov_imm.f32 r0, 1.0\n{lines}\n}}\n"


@shape("atlas")
def asm_labels(n: int) -> str:
    """Labels and jumps in a row."""
    lines = "\n".join(f"l{k}:\n  add.f32 r1, r1, r0\n  bra l{k + 1}" for k in range(n))
    return f".program p(buf0: f32[?]) {{\n  mov_imm.f32 r0, 1.0\n  mov_imm.f32 r1, 1.0\n{lines}\nl{n}:\n  exit\n}}\n"


@shape("atlas")
def asm_digits(n: int) -> str:
    """An integer of many digits."""
    return f".program p(buf0: f32[?]) {{\n  mov_imm.i64 r0, {'9' * n}\n}}\n"


@shape("circuit")
def circuit_steps(n: int) -> str:
    """Steps in a row."""
    return " . ".join(f"mark@c{k % 96:02}" for k in range(n))


@shape("circuit")
def circuit_branches(n: int) -> str:
    """Branches beside one another."""
    return " || ".join(f"mark@c{k % 96:02}" for k in range(n))


@shape("circuit")
def circuit_nested(n: int) -> str:
    """Groups within groups."""
    return "(" * n + "mark@c00" + " . mark@c01)" * n


@shape("circuit")
def circuit_prefixes(n: int) -> str:
    """Prefixes within prefixes."""
    return "R+1@ (mark@c21 . " * n + "mark@c00" + ")" * n


@shape("circuit")
def circuit_digits(n: int) -> str:
    """An integer of many digits."""
    return f"mark@c21@{'9' * n}"
