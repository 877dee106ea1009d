"""The compiled launcher takes what Python takes, and gives the same results and errors."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Callable, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import hologram
from hologram.runtime import dtypes
from hologram.runtime.entry import parse_entries
from hologram.runtime.launch import launcher
from hologram.runtime.launch.kernel import Kernel, make_kernel
from runtime_programs import Counted, add, buffer, identity, program, record, scalar, vector
from state_programs import READ_CLASSES

pytestmark = pytest.mark.skipif(not launcher.fitting(), reason="this interpreter or numpy has another layout")

Array = NDArray[Any]
NOTHING = program(record([]))


# What it takes by itself


def test_usual_calls_do_not_touch_python(counted: Counted):
    kernel = hologram.compile(add())
    a, b, out = vector(), vector(), vector()
    assert type(kernel) is not Kernel
    assert isinstance(kernel, Kernel)
    assert kernel(a, b, out) is out
    assert kernel(a, b, out=out) is out
    np.testing.assert_array_equal(kernel(a, b), a + b)
    np.testing.assert_array_equal(out, a + b)
    assert kernel(vector(0), vector(0)).shape == (0,)
    assert counted.slow == 0
    assert kernel(a, b, out=(out,)) is out
    assert kernel(a, b, None).shape == (5,)
    assert counted.slow == 2


@pytest.mark.parametrize("dtype", [n for n in dtypes.NAMES if n != "bool" and n not in dtypes.FLOATS_OF_BYTES])
def test_every_element_type(dtype: str, counted: Counted):
    a = vector(9).astype(dtypes.dtype(dtype).numpy)
    found = hologram.compile(add(dtype))(a, a)
    assert found.dtype == a.dtype
    np.testing.assert_array_equal(found.astype(np.float32), np.arange(9) * 2)
    assert counted.slow == 0


def test_class_memory_and_r(counted: Counted):
    executors = [hologram.Executor(), hologram.Executor()]
    y = np.zeros(96, np.float32)
    other, kernel = (executor.compile(READ_CLASSES) for executor in executors)
    for value, (executor, found) in enumerate(zip(executors, (other, kernel), strict=True)):
        executor.classes.bytes.view(np.float32)[:] = value
        for _ in range(2):
            assert found(y) is None
            assert y.tolist() == [value] * 96
        assert counted.slow == 0
        assert found.launch(y).resonance == hologram.Resonance([value << 64] * 96)
    executors[0].classes[95].view(np.float32)[0] = np.inf
    with pytest.raises(hologram.TrapError, match="trapped in lane 95"):
        other(y)
    assert counted.slow == 0
    executors[0].classes[95].view(np.float32)[0] = 0
    for place in (0, 95 * 12288 + 12288 - 384):
        inside = executors[1].classes.bytes[place : place + 384].view(np.float32)
        with pytest.raises(hologram.LaunchError, match="argument 'y' lies in class memory"):
            kernel(inside)
        # That of another executor is memory like any other.
        other(inside)
    assert counted.slow == 2


def test_limbs(counted: Counted):
    """A last axis of u64 is no axis of the entry."""
    args = [buffer("a", "u256", [None, None]), buffer("r", "u256", [None], "write", "(a[1] + 1,)")]
    kernel = hologram.compile(program(record(args), "  store i64 %a_n1, ptr %r\n  ret void\n"))
    found = kernel(np.zeros((2, 3, 4), np.uint64))
    assert (found.shape, found.dtype, found[0, 0]) == ((4, 4), np.uint64, 3)
    out = np.zeros((3, 4), np.uint64)
    assert kernel(np.zeros((5, 2, 4), np.uint64), out) is out
    assert counted.slow == 0
    assert kernel(np.zeros((5, 2, 4), np.int64)).shape == out.shape
    assert counted.slow == 1
    with pytest.raises(hologram.LaunchError, match="a last axis of 4 limbs"):
        kernel(np.zeros((5, 2), np.uint64))


SCALARS = [
    ("f32", 1.5), ("f32", 3), ("f32", float("inf")), ("f32", float("nan")), ("f32", 3.4028234663852886e38),
    ("f32", 1e-50), ("f32", 2**60 + 1), ("f32", np.float32(2.5)), ("f32", np.float64(0.1)), ("f32", np.int8(-3)),
    ("f64", 1e300), ("f64", 2**53 + 1), ("f64", -(2**63)), ("f64", np.float32(0.1)), ("f64", np.uint64(5)),
    ("i8", -128), ("i8", 127), ("u8", 255), ("i16", -5), ("u16", 65535), ("i32", np.int64(-7)), ("u32", 2**32 - 1),
    ("i64", -(2**63)), ("i64", np.uint32(2**32 - 1)), ("u64", 2**63 - 1), ("index", np.int16(-12)), ("bool", True),
    ("bool", False), ("bool", np.True_), ("bool", np.False_),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "value"), SCALARS)
def test_scalars(dtype: str, value: Any, counted: Counted):
    kernel = hologram.compile(identity(dtype))
    found = kernel(value)
    assert counted.slow == 0
    assert found.tobytes() == Kernel.__call__(kernel, value).tobytes()


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("f16", 1.5), ("bf16", np.float32(1.5)), ("bf16", ml_dtypes.bfloat16(1.5)), ("u64", 2**64 - 1),
        ("f64", 2**70), ("u64", np.uint64(2**63)), ("f32", np.array(2.5)), ("i64", np.array(3)),
    ],
)  # fmt: skip
def test_scalars_that_python_takes(dtype: str, value: Any, counted: Counted):
    found = hologram.compile(identity(dtype))(value)
    assert counted.slow == 1
    assert found.astype(float) == float(value)


@pytest.mark.parametrize("value", [2.0, True, 2**40, -(2**31) - 1, "1", None, np.float32(1), np.True_, 1j])
def test_refused_scalars(value: Any, counted: Counted):
    with pytest.raises(hologram.LaunchError):
        hologram.compile(identity("i32"))(value)
    assert counted.slow == 1


def test_sizes_strides_and_scalars_go_where_the_abi_says(counted: Counted):
    args = [
        buffer("a", "i64", [None, 2, None]),
        scalar("n", "i32"),
        buffer("b", "i64", [None, 3], strides=[None, 1]),
        scalar("f", "f64"),
        buffer("r", "i64", [6], "write", "(6,)"),
    ]
    values = ["%a_n0", "%a_n2", "%b_n0", "%b_s0", "%wide", "%n64"]
    stores = "".join(
        f"  %p{i} = getelementptr i64, ptr %r, i64 {i}\n  store i64 {v}, ptr %p{i}\n" for i, v in enumerate(values)
    )
    whole = "  %int = fptosi double %f to i64\n  %n64 = sext i32 %n to i64\n  %wide = add i64 %int, %n64\n"
    kernel = hologram.compile(program(record(args), whole + stores + "  ret void\n"))
    a, b = np.zeros((4, 2, 5), int), np.zeros((8, 3), int)
    assert kernel(a, -3, b, 10.0).tolist() == [4, 5, 8, 3, 7, -3]
    assert kernel(a, -3, b[:1], 10).tolist() == [4, 5, 1, 3, 7, -3]
    assert counted.slow == 0
    # Rows that lie apart are for Python.
    assert kernel(a, -3, b[::2], 10.0).tolist() == [4, 5, 4, 6, 7, -3]
    assert counted.slow == 1


def test_shape_expressions(counted: Counted):
    text = "(a[0] * 2 + 1, max(a[1] - n, 0), 3, a[0] // 2, -(-a[1] // 2), min(a[0], n, 7) % 3)"
    args = [buffer("a", shape=[None, None]), scalar("n", "i32"), buffer("r", shape=[None] * 6, access="write",
            result=text)]  # fmt: skip
    constraints = ["a[0] * a[1] >= n", "a[0] != 9", "n % 2 == 0", "a[0] <= 8", "a[1] > 1", "a[0] - a[1] < 3"]
    kernel = hologram.compile(program(record(args, constraints=constraints)))
    assert kernel(np.zeros((4, 5), np.float32), 2).shape == (9, 3, 3, 2, 3, 2)
    out = np.zeros((3, 3, 3, 0, 2, 1), np.float32)
    assert kernel(np.zeros((1, 3), np.float32), 0, out=np.zeros((3, 3, 3, 0, 2, 0), np.float32)) is not None
    assert counted.slow == 0
    with pytest.raises(hologram.LaunchError, match="launch-out-shape"):
        kernel(np.zeros((1, 3), np.float32), 0, out=out)
    with pytest.raises(hologram.LaunchError, match="launch-constraint"):
        kernel(np.zeros((1, 3), np.float32), 1)
    assert counted.slow == 2


def test_expressions_beyond_machine_integers_are_pythons(counted: Counted):
    args = [buffer("a"), scalar("n", "i64")]
    kernel = hologram.compile(program(record(args, constraints=["n * n * 4 > a[0]"])))
    kernel(vector(), 3)
    assert counted.slow == 0
    kernel(vector(), 2**62)
    assert counted.slow == 1


def test_several_outputs(counted: Counted):
    args = [
        buffer("r", access="write", result="(a[0] + 1,)"),
        buffer("a"),
        buffer("s", "i64", [], "write", "()"),
    ]
    kernel = hologram.compile(
        program(record(args), "  store float 7.0, ptr %r\n  store i64 %a_n0, ptr %s\n  ret void\n")
    )
    first, second = kernel(vector(3))
    assert (first.shape, first[0], second.shape, int(second)) == ((4,), 7, (), 3)
    r, s = np.zeros(4, np.float32), np.zeros((), np.int64)
    found = kernel(r, vector(3), s)
    assert found[0] is r
    assert found[1] is s
    assert counted.slow == 0
    assert kernel(vector(3), out=(r, s))[1] is s
    assert counted.slow == 1


def test_objects_without_the_packed_form_run():
    args = [scalar("v", "f32"), buffer("r", shape=[], access="write", result="()")]
    kernel = hologram.compile(program(record(args), "  store float %v, ptr %r\n  ret void\n", pack=False))
    assert type(kernel) is Kernel
    assert kernel(2.5) == 2.5


@pytest.mark.parametrize(
    "entry",
    [
        record([buffer(f"a{i}", shape=[]) for i in range(33)]),
        record([buffer("a", shape=[None] * 17)]),
        record([buffer(f"a{i}", shape=[None] * 8) for i in range(16)]),
        record([scalar("x", "f32"), buffer("r", access="write", result="(x,)")]),
        record([buffer("a"), buffer("r", access="write", result="(a[0], 2)")]),
        record([buffer("a")], constraints=["a[0] < 99999999999999999999"]),
        record([buffer("a")], constraints=["+".join(["a[0]"] * 3) + " == " + "a[0]-(" * 33 + "1" + ")" * 33]),
    ],
)
def test_entries_that_only_python_launches(entry: dict[str, Any]):
    kernel = hologram.compile(program(entry))
    assert type(kernel) is Kernel


def test_foreign_layouts_are_not_trusted(monkeypatch: pytest.MonkeyPatch):
    launcher.fitting.cache_clear()
    monkeypatch.setattr(launcher, "HEADER", 24)
    try:
        kernel = hologram.compile(add())
        assert type(kernel) is Kernel
        np.testing.assert_array_equal(kernel(vector(), vector()), vector() * 2)
    finally:
        launcher.fitting.cache_clear()


def test_interpreters_without_the_lock_use_python(monkeypatch: pytest.MonkeyPatch):
    launcher.fitting.cache_clear()
    monkeypatch.setattr(sysconfig, "get_config_var", {"Py_GIL_DISABLED": 1}.get)
    assert launcher.without_lock((3, 13))
    assert not launcher.without_lock((3, 12))
    monkeypatch.setattr(launcher, "without_lock", lambda: True)
    try:
        assert type(hologram.compile(add())) is Kernel
    finally:
        launcher.fitting.cache_clear()


# The same as Python, whatever comes


@pytest.fixture(scope="module")
def nothing() -> Any:
    """Code that does nothing, whatever it is called with."""
    return hologram.compile(NOTHING)._module  # pyright: ignore[reportPrivateUsage]


def fake(entry: dict[str, Any], nothing: Any) -> Kernel:
    """A kernel with this record that does nothing."""
    (parsed,) = parse_entries(json.dumps([{**entry, "packed": "main.packed"}]))

    def refuse(name: str) -> Any:
        raise hologram.LaunchError("launch-contiguous", f"'{name}' must be contiguous", hint="copy it")

    return make_kernel(parsed, nothing, "cpu", refuse)


DTYPES = ["f32", "i64", "u8", "bf16", "f64", "i128", "u256"]
SIZES = st.integers(0, 3)


@st.composite
def entries(draw: Any) -> dict[str, Any]:
    """Records of all kinds of arguments, with constraints and outputs over what came before."""
    arguments: list[dict[str, Any]] = []
    atoms = ["1", "2"]
    for number in range(draw(st.integers(1, 4))):
        name = f"x{number}"
        if draw(st.integers(0, 4)) == 0:
            arguments.append(scalar(name, draw(st.sampled_from(["f32", "f64", "i32", "u8", "i64", "bool", "f16"]))))
            if arguments[-1]["dtype"][0] in "iu":
                atoms.append(name)
            continue
        shape = draw(st.lists(st.sampled_from([None, None, None, 2, 3]), max_size=2))
        strides = draw(st.sampled_from([None, None, [None] * len(shape), [1] * len(shape)]))
        access = draw(st.sampled_from(["read", "read", "readwrite", "write"]))
        arguments.append(buffer(name, draw(st.sampled_from(DTYPES)), shape, access, None, strides))
        atoms += [f"{name}[{axis}]" for axis in range(len(shape))]
    expression = st.tuples(st.sampled_from(atoms), st.sampled_from("+ - * // %".split()), st.sampled_from(atoms))
    texts = st.sampled_from(atoms) | expression.map(" ".join)
    for number in range(draw(st.integers(0, 2))):
        parts = draw(st.lists(texts, max_size=2))
        result = f"({', '.join(parts)}{',' * (len(parts) == 1)})"
        arguments.append(buffer(f"r{number}", draw(st.sampled_from(DTYPES)), [None] * len(parts), "write", result))
    compare = st.tuples(texts, st.sampled_from("== != <= >".split()), texts).map(" ".join)
    return record(draw(st.permutations(arguments)), constraints=draw(st.lists(compare, max_size=1)))


SHARED = np.zeros(4096, np.uint8)


@st.composite
def arrays(draw: Any, argument: dict[str, Any]) -> Any:
    """Mostly what the argument wants, now and then a little off."""
    element = dtypes.dtype(argument["dtype"]).numpy
    shape = [draw(SIZES) if n is None else n for n in argument["shape"]]
    if limbs := dtypes.LIMBS.get(argument["dtype"]):
        element, shape = np.dtype(np.uint64), [*shape, limbs]
    match draw(st.integers(0, 24)):
        case 0:
            element = np.dtype(draw(st.sampled_from(["f4", "i8", "u1", ">f4", "f8", "q", "l"])))
        case 1:
            shape = draw(st.lists(SIZES, max_size=3))
        case 2:
            return draw(st.sampled_from([None, 1, 2.5, [1.0], "x", np.float32(1), np.zeros((), np.int64)]))
        case 3:
            return np.zeros([2 * n for n in shape], element)[tuple(slice(None, None, 2) for _ in shape)]
        case 4:
            return np.zeros(shape, element)[tuple(slice(None, None, -1) for _ in shape)]
        case 5:
            found = np.zeros(shape, element)
            found.flags.writeable = False
            return found
        case 6:
            return np.zeros(shape, element).view(np.matrix if len(shape) == 2 else np.ndarray)
        case 7:
            return np.asfortranarray(np.zeros(shape, element))
        case 8:
            return np.ma.zeros(shape, element)
        case 9 | 10 | 11:
            start = draw(st.sampled_from([0, 4, 8, 16, 24]))
            size = int(np.prod(shape)) * element.itemsize
            return SHARED[start : start + size].view(element).reshape(shape)
        case 12:
            return np.zeros(int(np.prod(shape)) * element.itemsize + 1, np.uint8)[1:].view(element).reshape(shape)
        case _:
            pass
    return np.zeros(shape, element)


def numbers(argument: dict[str, Any]) -> st.SearchStrategy[Any]:
    odd = [None, "1", 1e39, 300, -1, 2**63, 2**64, float("nan"), True, np.float32(2), np.int64(-5), np.True_, 1j]
    usual = {"f": st.floats(0, 4), "i": st.integers(-2, 4), "u": st.integers(0, 4), "b": st.booleans()}
    return st.integers(0, 5).flatmap(lambda n: st.sampled_from(odd) if n == 0 else usual[argument["dtype"][0]])


@st.composite
def calls(draw: Any) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
    entry = draw(entries())
    arguments = entry["arguments"]
    values = [draw(arrays(a)) if a["kind"] == "buffer" else draw(numbers(a)) for a in arguments]
    outputs = [v for v, a in zip(values, arguments, strict=True) if a.get("result") is not None]
    inputs = [v for v, a in zip(values, arguments, strict=True) if a.get("result") is None]
    match draw(st.integers(0, 7)):
        case 0:
            return entry, values, {}
        case 1:
            return entry, values[1:], {}
        case 2 | 3 if outputs:
            return entry, inputs, {"out": outputs[0] if len(outputs) == 1 else tuple(outputs)}
        case 4:
            return entry, inputs, {"oust": 1}
        case _:
            return entry, inputs, {}


def outcome(call: Callable[[], Any]) -> Any:
    """The outcome of a call in a form that compares: shapes and types of outputs, or the error's text."""
    try:
        found = call()
    except (hologram.LaunchError, TypeError, KeyError) as error:
        return type(error), getattr(error, "message", str(error)).replace("Kernel.__call__()", "()")
    outputs = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
    return [None if o is None else (type(o), o.shape, o.dtype, o.flags.num) for o in outputs]


def plain(entry: dict[str, Any], values: Sequence[Any]) -> bool:
    """Return whether the compiled launcher must not leave the call to Python, if it is right."""
    described: list[Any] = entry["arguments"]
    texts = " ".join([*entry["constraints"], *(a["result"] for a in described if a.get("result"))])
    if any(op in texts for op in ("//", "%")) or "f16" in [a["dtype"] for a in described if a["kind"] == "scalar"]:
        return False
    limbs = [v for v, a in zip(values, described, strict=False) if a["dtype"] in dtypes.LIMBS]
    if any(getattr(v, "dtype", np.uint64) != np.uint64 for v in limbs):
        return False
    arrays_of: list[Any] = [v for v in values if isinstance(v, np.ndarray)]
    others: list[Any] = [v for v in values if not isinstance(v, np.ndarray)]
    return (
        all(type(v) is np.ndarray and v.flags.c_contiguous and v.flags.aligned for v in arrays_of)
        and all(type(v) in (int, float, bool, np.float32, np.int64, np.bool_) for v in others)
        and all(type(v) is not int or -(2**63) <= v < 2**63 for v in others)
        and len(arrays_of) == len([a for a in described if a["kind"] == "buffer"])
    )


@given(calls())
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_agrees_with_python(counted: Counted, nothing: Any, call: tuple[dict[str, Any], list[Any], dict[str, Any]]):
    entry, values, named = call
    kernel = fake(entry, nothing)
    expected = outcome(lambda: Kernel.__call__(kernel, *values, **named))
    counted.slow = 0
    assert outcome(lambda: kernel(*values, **named)) == expected
    if isinstance(expected, tuple):
        assert counted.slow == (type(kernel) is not Kernel)
    elif not named and type(kernel) is not Kernel and plain(entry, values) and len(values) == len(entry["arguments"]):
        assert counted.slow == 0


def test_words_are_the_same(counted: Counted):
    """Every parameter, as the code sees it, through both ways."""
    args = [
        buffer("a", "f64", [None, 3]), scalar("x", "f32"), buffer("b", "i16", [None]), scalar("k", "u8"),
        scalar("t", "bool"), scalar("d", "f64"), buffer("r", "i64", [8], "write", "(8,)"),
    ]  # fmt: skip
    values = {
        "pa": "ptrtoint ptr %a to i64", "pb": "ptrtoint ptr %b to i64", "na": "add i64 %a_n0, 0",
        "nb": "add i64 %b_n0, 0", "wk": "zext i8 %k to i64", "wt": "zext i8 %t to i64",
        "wd": "bitcast double %d to i64", "wx": "fptosi float %x to i64",
    }  # fmt: skip
    body = "".join(
        f"  %{n} = {text}\n  %at_{n} = getelementptr i64, ptr %r, i64 {i}\n  store i64 %{n}, ptr %at_{n}\n"
        for i, (n, text) in enumerate(values.items())
    )
    kernel = hologram.compile(program(record(args), body + "  ret void\n"))
    a, b = np.zeros((4, 3)), vector(7, np.int16)
    inputs = (a, 12.5, b, 200, True, -0.0)
    found = kernel(*inputs)
    assert counted.slow == 0
    assert found.tolist() == [a.ctypes.data, b.ctypes.data, 4, 7, 200, 1, -(2**63), 12]
    np.testing.assert_array_equal(found, Kernel.__call__(kernel, *inputs))
