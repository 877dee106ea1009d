"""The dialect `class`: every operation on scalars, vectors and tensors, by the interpreter and on the CPU, against the
Python functions of hologram.classes; folds and laws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hologram
from fuzz.counts import PROGRAMS
from hologram import classes
from hologram.classes import Transform
from hologram.errors import TrapError
from hologram.interpreter import interpret
from stages import parse, run_passes

Array = Any
ALL = range(classes.CLASS_COUNT)
POWERS = (-128, -9, -4, -1, 0, 1, 2, 3, 5, 8, 127)
ELEMENTS = [Transform(*e) for e in product(range(4), range(3), range(8), (False, True))]


def by_number(c: int, i: int) -> int:
    found = classes.neighbours(c)
    return found[i] if 0 <= i < len(found) else 0


ONE_CLASS: dict[str, Callable[..., int]] = {
    "check": int, "canonical_byte": classes.canonical_byte, "sigil_mirror": classes.sigil_mirror,
    "mirror": classes.mirror, "degree": classes.degree, "is_unity": classes.is_unity,
}  # fmt: skip
ONE_BYTE: dict[str, Callable[..., int]] = {"classify": classes.sigil_class, "graph_class": classes.graph_class}
POWER: dict[str, Callable[..., int]] = {
    "rotate": classes.rotate, "triality": classes.triality, "twist": classes.twist
}  # fmt: skip
PARTS: dict[str, Callable[[int], int]] = {
    "address_class": lambda a: classes.place(a).class_,
    "address_page": lambda a: classes.place(a).page,
    "address_byte": lambda a: classes.place(a).byte,
}


def operands(name: str) -> list[list[int]]:
    """The operands that an operation is tried on, lists of equal length."""
    if name in ONE_CLASS or name.startswith("transform"):
        rows: Any = [(c,) for c in ALL]
    elif name in ONE_BYTE:
        rows = [(b,) for b in range(256)]
    elif name in PARTS:
        rows = [(a,) for a in (*range(0, classes.ARENA_BYTES, 4099), classes.ARENA_BYTES - 1)]
    elif name == "address":
        rows = product((0, 1, 50, 95), (0, 1, 47), (0, 1, 128, 255))
    else:
        rows = product(ALL, POWERS if name in POWER else (-1, *range(8)))
    return [list(column) for column in zip(*rows, strict=True)]


CASES: dict[str, Callable[..., int]] = {
    **ONE_CLASS, **ONE_BYTE, **POWER, **PARTS, "neighbour": by_number, "address": classes.address,
    "transform [r = 1, d = -1, t = 13, mirror]": Transform.of(1, -1, 13, True),
    "transform [d = 2]": Transform.of(d=2), "transform [mirror]": Transform.of(mirror=True), "transform []": int,
}  # fmt: skip
"""The required results of each operation."""


def cases(width: int) -> list[str]:
    return [name for name in CASES if width >= 32 or not name.startswith("address")]


def arrays(name: str, width: int) -> list[Array]:
    """An operation's operands in the storage form of a width."""
    return [np.array(column).astype(f"i{width // 8}") for column in operands(name)]


def expected(name: str, width: int) -> Array:
    """The results of an operation on them."""
    found = np.array([CASES[name](*row) for row in zip(*operands(name), strict=True)])
    return found.astype(np.bool_ if name == "is_unity" else f"i{width // 8}")


def result_of(name: str, type: str, width: int) -> str:
    return type.replace(f"i{width}", "i1") if name == "is_unity" else type


def group(name: str) -> str:
    """Operations of one group are tried on the same operands."""
    if name in ONE_CLASS or name.startswith("transform"):
        return "class"
    found = {"byte": ONE_BYTE, "power": POWER, "part": PARTS}
    return next((key for key, names in found.items() if name in names), name)


def tensor_program(names: Sequence[str], width: int) -> str:
    """All operations on tensors in one function; where many take the same classes, these are checked once."""
    type = f"tensor<?xi{width}>"
    args, body, results = list[str](), list[str](), list[str]()
    for key in dict.fromkeys(map(group, names)):
        member = next(name for name in names if group(name) == key)
        args += [f"%{key}_{k}: {type}" for k in range(len(operands(member)))]
        if key in ("class", "power", "neighbour"):
            body.append(f"  %{key} = class.check %{key}_0 : {type}")
    for number, name in enumerate(names):
        key = group(name)
        given = [f"%{key}_{k}" for k in range(len(operands(name)))]
        if key in ("class", "power", "neighbour"):
            given[0] = f"%{key}"
        body.append(f"  %r{number} = class.{name} {', '.join(given)} : {type}")
        results.append(result_of(name, type, width))
    values = ", ".join(f"%r{n}" for n in range(len(names)))
    head = f"func.func @f({', '.join(args)}) -> ({', '.join(results)}) {{"
    return "\n".join([head, *body, f"  func.return {values} : {', '.join(results)}", "}"])


def tensor_arguments(names: Sequence[str], width: int) -> list[Array]:
    """The arguments of such a program."""
    members = {group(name): name for name in reversed(names)}
    return [array for key in dict.fromkeys(map(group, names)) for array in arrays(members[key], width)]


FEW = {16: ["canonical_byte", "classify"], 32: ["triality", "address_page"], 64: ["neighbour", "address"]}
"""The operations tried at some widths: all that fit at 8 bits, the narrowest, the rest at 32 bits as scalars."""


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_tensors(width: int):
    names = FEW.get(width, cases(width))
    text, given = tensor_program(names, width), tensor_arguments(names, width)
    for found in (interpret(parse(text), None, given), hologram.compile(text)(*given)):
        for name, result in zip(names, found, strict=True):
            np.testing.assert_array_equal(result, expected(name, width), name)
            assert result.dtype == expected(name, width).dtype


def scalar_program(names: Sequence[str], width: int) -> str:
    """All operations on scalars in one loop over elements of memrefs."""
    memory = f"memref<?xi{width}>"
    args, body = list[str](), list[str]()
    for number, name in enumerate(names):
        given = [f"%x{number}_{k}" for k in range(len(operands(name)))]
        out = result_of(name, memory, width)
        args += [*(f"{value}: {memory}" for value in given), f"%r{number}: {out}"]
        body += [
            f"  %n{number} = memref.dim %r{number}, %zero : {out}",
            f"  scf.for %i = %zero to %n{number} step %one {{",
            *(f"    %e{number}_{k} = memref.load {v}[%i] : {memory}" for k, v in enumerate(given)),
            f"    %s{number} = class.{name} {', '.join(f'%e{number}_{k}' for k in range(len(given)))} : i{width}",
            f"    memref.store %s{number}, %r{number}[%i] : {out}",
            "  }",
        ]
    head = f"func.func @f({', '.join(args)}) {{"
    constants = [f"  %{name} = arith.constant {n} : index" for name, n in (("zero", 0), ("one", 1))]
    return "\n".join([head, *constants, *body, "  func.return", "}"])


def scalar_arguments(names: Sequence[str], width: int) -> tuple[list[Array], list[Array]]:
    """The arguments of such a program, and the results among them."""
    given, outs = list[Array](), list[Array]()
    for name in names:
        outs.append(np.zeros_like(expected(name, width)))
        given += [*arrays(name, width), outs[-1]]
    return given, outs


def test_scalars():
    names = cases(32)
    text = scalar_program(names, 32)
    for call in (lambda *a: interpret(parse(text), None, a), hologram.compile(text)):  # pyright: ignore
        given, outs = scalar_arguments(names, 32)
        call(*given)
        for name, out in zip(names, outs, strict=True):
            np.testing.assert_array_equal(out, expected(name, 32), name)


@pytest.mark.parametrize("width", [8, 32])
def test_vectors(width: int):
    names = [name for name in cases(width) if name in ONE_CLASS or name in POWER or name in ("neighbour", "classify")]
    vector = f"vector<96xi{width}>"
    args, body = list[str](), list[str]()
    for number, name in enumerate(names):
        given = [f"%x{number}_{k}" for k in range(len(operands(name)))]
        out = result_of(name, vector, width)
        args += [f"{value}: memref<96xi{width}>" for value in given]
        args.append(f"%r{number}: memref<96xi{width}>")
        body += [f"  %e{number}_{k} = vector.load {v}[%zero] : memref<96xi{width}>, {vector}"
                 for k, v in enumerate(given)]  # fmt: skip
        listed = ", ".join(f"%e{number}_{k}" for k in range(len(given)))
        body.append(f"  %s{number} = class.{name} {listed} : {vector}")
        stored = f"%s{number}"
        if out != vector:
            stored = f"%w{number}"
            body.append(f"  {stored} = arith.extui %s{number} : {out} to {vector}")
        body.append(f"  vector.store {stored}, %r{number}[%zero] : memref<96xi{width}>, {vector}")
    head = f"func.func @f({', '.join(args)}) {{\n  %zero = arith.constant 0 : index"
    kernel = hologram.compile("\n".join([head, *body, "  func.return", "}"]))
    given, outs = list[Array](), list[Array]()
    for name in names:
        outs.append(np.zeros(96, f"i{width // 8}"))
        given += [*(array[-96:].copy() for array in arrays(name, width)), outs[-1]]
    kernel(*given)
    for name, out in zip(names, outs, strict=True):
        np.testing.assert_array_equal(out, expected(name, width)[-96:], name)


def test_other_shapes():
    """Rank 0, 2, empty, not contiguous."""
    text = """
func.func @f(%a: tensor<i8>, %b: tensor<?x?xi8>, %e: tensor<?xi8>) -> (tensor<i8>, tensor<?x?xi8>, tensor<?xi8>) {
  %0 = class.classify %a : tensor<i8>
  %1 = class.classify %b : tensor<?x?xi8>
  %2 = class.classify %e : tensor<?xi8>
  func.return %0, %1, %2 : tensor<i8>, tensor<?x?xi8>, tensor<?xi8>
}"""
    grid = np.arange(96, dtype=np.int8).reshape(8, 12).T[::2]
    given = [np.array(5, np.int8), grid, np.zeros(0, np.int8)]
    for found in (interpret(parse(text), None, given), hologram.compile(text)(*given)):
        assert int(found[0]) == classes.sigil_class(5)
        assert found[1].tolist() == [[classes.sigil_class(c) for c in row] for row in grid.tolist()]
        assert found[2].shape == (0,)


DATA = """
func.func @f(%g: tensor<?x?xi8>, %c: tensor<?xi32>, %s: i32) -> (tensor<i8>, tensor<?x20xi8>, tensor<20xi8>) {
  %0 = class.classify_data %g : tensor<?x?xi8> to tensor<i8>
  %1 = class.label %c : tensor<?xi32> to tensor<?x20xi8>
  %2 = class.label %s : i32 to tensor<20xi8>
  func.return %0, %1, %2 : tensor<i8>, tensor<?x20xi8>, tensor<20xi8>
}"""


def test_data_and_labels():
    module, kernel, rng = parse(DATA), hologram.compile(DATA), np.random.default_rng(1)
    every = np.arange(96, dtype=np.int32)
    for size in (0, 1, 2, 255, 256, 5000):
        grid = rng.integers(-128, 128, (5, size)).astype(np.int8)[::2]
        for found in (interpret(module, None, [grid, every, 21]), kernel(grid, every, 21)):
            assert int(found[0]) == classes.classify(grid.tobytes())
            assert [bytes(row) for row in found[1]] == [classes.label(c).encode() for c in ALL]
            assert bytes(found[2]) == b"c21 (h2=0, d=2, l=5)"


# Traps


BAD = {"class": (96, -1), "page": (48, -1), "byte": (256, -1), "address": (classes.ARENA_BYTES, -1)}


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        ("transform []", ["class"]), ("classify", ["byte"]), ("rotate", ["class", ""]),
        ("address", ["class", "page", "byte"]), ("address_page", ["address"]),
    ],
)  # fmt: skip
def test_traps(call: str, kinds: list[str]):
    names = [f"%x{n}" for n in range(len(kinds))]
    args = ", ".join(f"{name}: tensor<?xi32>" for name in names)
    text = f"""func.func @f({args}) -> tensor<?xi32> {{
  %r = class.{call} {", ".join(names)} : tensor<?xi32>
  func.return %r : tensor<?xi32>
}}"""
    kernel, module = hologram.compile(text), parse(text)
    for place, kind in enumerate(kinds):
        for value in BAD.get(kind, ()):
            given = [np.zeros(5, np.int32) for _ in kinds]
            given[place][3] = value
            for run in (kernel, lambda *a: interpret(module, None, a)):  # pyright: ignore
                with pytest.raises(TrapError, match=f"{kind} out of") as caught:
                    run(*given)
                if run is kernel:
                    assert "<text>:2:3: " in str(caught.value)
                else:
                    assert f"class.{call.partition(' ')[0]}" in str(caught.value)


def test_vector_traps():
    kernel = hologram.compile("""func.func @f(%x: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %v = vector.load %x[%zero] : memref<8xi32>, vector<8xi32>
  %m = class.mirror %v : vector<8xi32>
  vector.store %m, %x[%zero] : memref<8xi32>, vector<8xi32>
  func.return
}""")
    x = np.arange(8, dtype=np.int32)
    kernel(x)
    assert x.tolist() == [classes.mirror(c) for c in range(8)]
    x[5] = 96
    with pytest.raises(TrapError, match="class.mirror: class out of the range of 0 to 95"):
        kernel(x)


# In lane programs


def test_lane_program():
    text = """
func.func @main(%x: memref<96xi32>) {
  %one = arith.constant 1 : index
  %classes = arith.constant 96 : index
  atlas.launch @p grid(%classes, %one, %one) args(%x : memref<96xi32>)
  func.return
}
atlas.program @p(%x: memref<96xi32>) block [1, 1, 1] {
  %gid = atlas.special gid : i64
  %c = atlas.ldg u32 %x[%gid : i64] : memref<96xi32>
  %m = class.transform [t = 1] %c : i32
  atlas.stg u32 %m, %x[%gid : i64] : memref<96xi32>
}"""
    for run in (hologram.compile(text), lambda x: interpret(parse(text), "main", [x])):  # pyright: ignore
        x = np.arange(96, dtype=np.int32)
        run(x)
        assert x.tolist() == [classes.twist(c) for c in ALL]
        x[7] = 96
        with pytest.raises(TrapError, match="class out of the range of 0 to 95"):
            run(x)


# Folds and laws


def folded(text: str) -> str:
    module = parse(text)
    run_passes(module, "canonicalize")
    return str(module)


@pytest.mark.parametrize("name", cases(32))
def test_folds(name: str):
    rows = list(zip(*operands(name), strict=True))[:: 7 if name == "neighbour" else 31]
    want = [CASES[name](*row) for row in rows]
    type = f"tensor<{len(rows)}xi32>"
    columns = [list(column) for column in zip(*rows, strict=True)]
    constants = [f"  %k{n} = hologram.constant dense<{column}> : {type}" for n, column in enumerate(columns)]
    call = f"  %r = class.{name} {', '.join(f'%k{n}' for n in range(len(columns)))} : {type}"
    result = result_of(name, type, 32)
    head = f"func.func @f() -> {result} {{"
    text = "\n".join([head, *constants, call, f"  func.return %r : {result}", "}"])
    assert "class." not in folded(text)
    assert interpret(parse(folded(text)), None, [])[0].tolist() == want
    scalar = f"""func.func @f() -> {result_of(name, "i32", 32)} {{
  {"".join(f"%k{n} = arith.constant {value} : i32{chr(10)}  " for n, value in enumerate(rows[1]))}
  %r = class.{name} {", ".join(f"%k{n}" for n in range(len(columns)))} : i32
  func.return %r : {result_of(name, "i32", 32)}
}}"""
    assert "class." not in folded(scalar)
    assert int(interpret(parse(folded(scalar)), None, [])[0]) == int(want[1])


def test_what_traps_does_not_fold():
    text = """func.func @f() {
  %k = arith.constant 96 : i32
  %r = class.mirror %k : i32
  func.return
}"""
    assert "class.mirror" in folded(text)


def test_group():
    """192 elements; composition is what acting one after the other does; each has its inverse."""
    images = {tuple(e(c) for c in ALL) for e in ELEMENTS}
    assert len(images) == len(ELEMENTS) == 192
    plain = {e for e in ELEMENTS if not e.mirror}
    assert len({e(0) for e in plain}) == len(plain) == 96
    d, m = Transform(d=1), Transform(mirror=True)
    assert m.after(d).after(m) == d.inverse == Transform(d=2)
    for a, b in product(ELEMENTS[::7], ELEMENTS[::5]):
        assert all(a.after(b)(c) == a(b(c)) for c in (0, 9, 21, 95))
    for e in ELEMENTS:
        assert e.after(e.inverse) == e.inverse.after(e) == Transform() == Transform.of()


@settings(max_examples=max(20, PROGRAMS // 50))
@given(
    st.lists(
        st.tuples(st.sampled_from(["r", "d", "t", "mirror"]), st.integers(-(1 << 40), 1 << 40)), min_size=1, max_size=8
    )
)
def test_chains_of_transforms_become_one(chain: list[tuple[str, int]]):
    lines = ["func.func @f(%x0: i8) -> i8 {"]
    element = Transform()
    for n, (part, k) in enumerate(chain):
        lines.append(f"  %x{n + 1} = class.transform [{'mirror' if part == 'mirror' else f'{part} = {k}'}] %x{n} : i8")
        element = (Transform(mirror=True) if part == "mirror" else Transform.power(part, k)).after(element)
    text = "\n".join([*lines, f"  func.return %x{len(chain)} : i8", "}"])
    short = folded(text)
    assert short.count("class.") == 1
    assert ("class.check" in short) == (element == Transform())
    for module in (parse(short), parse(text)):
        assert [int(interpret(module, None, [c])[0]) for c in (0, 9, 21, 95)] == [element(c) for c in (0, 9, 21, 95)]
