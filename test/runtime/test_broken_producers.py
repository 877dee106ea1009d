"""Arrays whose classes say what is not so are refused by a sentence: nothing is read where nothing is."""

from __future__ import annotations

import ctypes
import gc
import mmap
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import hologram
from fuzz.counts import PROGRAMS
from hologram.errors import LaunchError
from hologram.runtime import foreign
from hologram.runtime.reachable import PAGE, is_reachable
from runtime_programs import add

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says whether memory is there")
X = np.ones(4, np.float32)
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
VERSIONED, OLD = b"dltensor_versioned", b"dltensor"
KEPT: list[Any] = []
"""What capsules point to."""


def counts(values: tuple[int, ...] | int | None) -> Any:
    """A pointer to sizes; a number is the address itself."""
    pointer = ctypes.POINTER(ctypes.c_int64)
    if not isinstance(values, tuple):
        return ctypes.cast(values or 0, pointer)
    array = (ctypes.c_int64 * max(len(values), 1))(*values)
    KEPT.append(array)
    return ctypes.cast(array, pointer)


class Producer:
    """Exports four numbers by DLPack, and says of them what it is told to say."""

    def __init__(self, form: bytes = VERSIONED, name: bytes | None = None, address: int | None = None, **said: Any):
        self.form, self.name, self.address = form, form if name is None else name, address
        self.said: dict[str, Any] = {
            "data": X.ctypes.data,
            "ndim": 1,
            "shape": (4,),
            "code": 2,
            "bits": 32,
            "lanes": 1,
        } | said

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: Any) -> Any:
        managed = foreign.FORMS[self.form]()
        managed.tensor.device_type = 1
        if self.form == VERSIONED:
            managed.major = 1
        for key, value in self.said.items():
            held = counts(value) if key in ("shape", "strides") else value
            setattr(managed if hasattr(managed, key) else managed.tensor, key, held)
        KEPT.extend((managed, self.name))
        return new_capsule(self.address or ctypes.addressof(managed), self.name or None, None)


class Interface:
    """Says so by `__array_interface__`."""

    def __init__(self, **said: Any):
        usual = {"version": 3, "shape": (4,), "typestr": "<f4", "data": (X.ctypes.data, False), "strides": None}
        self.__array_interface__ = usual | said


def called(value: Any, written: bool = False) -> Any:
    kernel = hologram.compile(add())
    return kernel(X, X, out=value) if written else kernel(value, X)


@pytest.mark.parametrize("form", [VERSIONED, OLD])
def test_what_is_as_it_says(form: bytes):
    np.testing.assert_array_equal(called(Producer(form)), X + X)
    np.testing.assert_array_equal(called(Interface()), X + X)
    np.testing.assert_array_equal(called(Interface(shape=[np.int64(4)], strides=(np.int32(4),))), X + X)
    np.testing.assert_array_equal(called(Interface(data=bytes(20), offset=4)), X)
    assert foreign.view_of("x", Producer(form, shape=(0,), data=0)) is not None
    assert foreign.view_of("x", Producer(form, ndim=0, shape=None)) is not None


NOWHERE = 1 << 44
BAD: dict[str, Callable[[], Any]] = {
    "fewer than no axes": lambda: Producer(ndim=-1),
    "least axes": lambda: Producer(ndim=-(1 << 31)),
    "65 axes": lambda: Producer(ndim=65, shape=(1,) * 65),
    "2^30 axes": lambda: Producer(ndim=1 << 30),
    "negative size": lambda: Producer(shape=(-4,)),
    "least size": lambda: Producer(shape=(-(1 << 63),)),
    "huge size": lambda: Producer(shape=(1 << 62,)),
    "sizes that overflow": lambda: Producer(ndim=2, shape=(1 << 33, 1 << 33)),
    "sizes that overflow to none": lambda: Producer(ndim=3, shape=(1 << 32, 1 << 32, 0)),
    "huge stride": lambda: Producer(strides=(1 << 62,)),
    "least stride": lambda: Producer(strides=(-(1 << 61),)),
    "null shape": lambda: Producer(shape=None),
    "no bits": lambda: Producer(bits=0),
    "odd bits": lambda: Producer(bits=33),
    "no lanes": lambda: Producer(lanes=0),
    "four lanes": lambda: Producer(lanes=4),
    "unknown type": lambda: Producer(code=77),
    "null data": lambda: Producer(data=0),
    "offset over the end": lambda: Producer(byte_offset=(1 << 64) - 8),
    "another device": lambda: Producer(device_type=2),
    "later version": lambda: Producer(major=2),
    "version 0": lambda: Producer(major=0),
    "used": lambda: Producer(name=b"used_dltensor_versioned"),
    "used old": lambda: Producer(OLD, name=b"used_dltensor"),
    "foreign": lambda: Producer(name=b"arrow_array"),
    "without a name": lambda: Producer(name=b""),
    "interface of negative size": lambda: Interface(shape=(-4,)),
    "interface of huge size": lambda: Interface(shape=(1 << 62,)),
    "interface with null": lambda: Interface(data=(0, False)),
    "interface without data": lambda: Interface(data=None),
    "interface of three data": lambda: Interface(data=(1, 2, 3)),
    "interface with a large address": lambda: Interface(data=(1 << 70, False)),
    "interface with a negative address": lambda: Interface(data=(-8, False)),
    "interface with a huge stride": lambda: Interface(strides=(1 << 62,)),
    "interface with more strides": lambda: Interface(strides=(4, 4)),
    "interface of objects": lambda: Interface(typestr="|O"),
    "interface of nothing": lambda: Interface(typestr="|V0"),
    "interface of no type": lambda: Interface(typestr=5),
    "interface of one size": lambda: Interface(shape=4),
    "interface of text": lambda: Interface(shape=("4",)),
    "interface of 80 axes": lambda: Interface(shape=(1,) * 80),
    "interface of 5000 digits": lambda: Interface(shape=(10**4999,)),
    "interface with a short buffer": lambda: Interface(data=b"123"),
    "interface behind its buffer": lambda: Interface(data=bytes(16), offset=1),
    "interface before its buffer": lambda: Interface(data=bytes(16), strides=(-4,)),
}
UNREACHABLE: dict[str, Callable[[], Any]] = {
    "low data": lambda: Producer(data=64),
    "unmapped data": lambda: Producer(data=NOWHERE),
    "data of the kernel": lambda: Producer(data=0xFFFF800000000000),
    "more than is mapped": lambda: Producer(shape=(1 << 40,)),
    "behind it": lambda: Producer(byte_offset=1 << 42),
    "before it": lambda: Producer(strides=(-(1 << 40),)),
    "sizes that are nowhere": lambda: Producer(shape=NOWHERE),
    "strides that are nowhere": lambda: Producer(strides=NOWHERE),
    "description that is nowhere": lambda: Producer(address=NOWHERE),
    "deleter that is nowhere": lambda: Producer(deleter=8),
    "interface with a low address": lambda: Interface(data=(64, False)),
    "interface of a large shape": lambda: Interface(shape=(1 << 40,)),
    "array of ctypes": lambda: (ctypes.c_float * 4).from_address(NOWHERE),
}


@pytest.mark.parametrize("name", [*BAD, *(pytest.param(n, marks=linux) for n in UNREACHABLE)])
def test_what_is_not_as_it_says(name: str):
    make = (BAD | UNREACHABLE)[name]
    for _ in range(2):
        with pytest.raises(LaunchError) as caught:
            called(make())
        assert caught.value.code.startswith("launch-")
        assert "'a'" in caught.value.message
        assert caught.value.hint
    gc.collect()


@pytest.mark.parametrize(
    "error", [KeyError("x"), AttributeError(), OSError(5, "bad"), ZeroDivisionError(), Exception()]
)
@pytest.mark.parametrize("place", ["__dlpack__", "__dlpack_device__", "__array_interface__", "__getattr__", "__repr__"])
def test_producers_that_raise(place: str, error: Exception):
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    made: Any = property(fail) if place == "__array_interface__" else fail
    base = (Producer,) if place.startswith("__dlpack") else ()
    with pytest.raises(LaunchError) as caught:
        called(type("Broken", base, {place: made})())
    assert "'a'" in caught.value.message


@pytest.mark.parametrize("device", [1, (), (1,), (1, 2, 3), "cpu", None, ("a", "b"), (1 << 70, 0), (-1, 0)])
def test_devices_that_are_none(device: Any):
    class Elsewhere(Producer):
        def __dlpack_device__(self) -> Any:
            return device

    with pytest.raises(LaunchError):
        called(Elsewhere())


@pytest.mark.parametrize("capsule", [None, 7, "dltensor", b"", object()])
def test_what_is_no_capsule(capsule: Any):
    class Empty(Producer):
        def __dlpack__(self, **_: Any) -> Any:
            return capsule

    with pytest.raises(LaunchError, match="gives no tensor"):
        called(Empty())


def test_the_same_capsule_twice():
    class Once(Producer):
        capsule: Any = None

        def __dlpack__(self, **options: Any) -> Any:
            self.capsule = self.capsule or super().__dlpack__(**options)
            return self.capsule

    once = Once()
    np.testing.assert_array_equal(called(once), X + X)
    with pytest.raises(LaunchError, match="taken before"):
        called(once)


def test_shapes_that_change_from_call_to_call():
    class Shrinking(Producer):
        def __dlpack__(self, **options: Any) -> Any:
            self.said["shape"] = (self.said["shape"][0] - 1,)
            return super().__dlpack__(**options)

    shrinking, kernel = Shrinking(), hologram.compile(add())
    for size in (3, 2, 1, 0):
        with pytest.raises(LaunchError, match=rf"of shape \({size},\)"):
            kernel(shrinking, X)
    with pytest.raises(LaunchError, match="its shape is"):
        kernel(shrinking, X)


@linux
def test_memory_that_may_not_be_used(tmp_path: Path):
    fixed = mmap.mmap(-1, PAGE, prot=mmap.PROT_READ)
    start = np.frombuffer(fixed, np.uint8).ctypes.data
    assert is_reachable(start, start + PAGE, written=False)
    assert not is_reachable(start, start + PAGE, written=True)
    np.testing.assert_array_equal(called(Interface(data=(start, False))), X)
    with pytest.raises(LaunchError, match="can't be written"):
        called(Interface(data=(start, False)), written=True)
    path = tmp_path / "short"
    path.write_bytes(bytes(2 * PAGE))
    with path.open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 2 * PAGE, access=mmap.ACCESS_READ)
        file.truncate(PAGE)
    start = np.frombuffer(mapped, np.uint8).ctypes.data
    assert is_reachable(start, start + PAGE, written=False)
    with pytest.raises(LaunchError, match="can't be read"):
        called(Interface(data=(start + PAGE - 8, False)))


def refused_to_ask(start: int, stop: int, written: bool) -> bool:
    pytest.fail("the system is asked")


@linux
def test_known_producers_are_not_asked_about(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(foreign, "is_reachable", refused_to_ask)
    called(memoryview(X.data))
    called(type("Tensor", (Producer,), {"__module__": "torch"})())
    called(X)


NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    31,
    33,
    63,
    64,
    65,
    255,
    1 << 15,
    1 << 31,
    1 << 32,
    1 << 40,
    1 << 44,
    1 << 62,
    -(1 << 63),
)


def drawn(random: Random) -> Any:
    """A producer with one or two wrong words, but for what no check can find: data and functions of another kind."""
    number = random.choice(NUMBERS)
    word = random.choice(("ndim", "shape", "strides", "code", "bits", "lanes", "byte_offset", "major", "flags", "data"))
    limits = {"code": 255, "bits": 255, "lanes": 65535, "ndim": (1 << 31) - 1, "major": (1 << 32) - 1}
    if word in ("shape", "strides"):
        rank = random.randint(1, 4)
        sizes = tuple(random.choice((*NUMBERS, 4, 4, 4)) for _ in range(rank))
        return Producer(ndim=rank, shape=tuple(max(n, -4) for n in sizes) if word == "shape" else (4,) * rank,
                        strides=sizes if word == "strides" else None)  # fmt: skip
    if random.random() < 0.3:
        return Interface(**random.choice((  # pyright: ignore[reportArgumentType]
            {"shape": (number,)}, {"strides": (number,)}, {"data": (number, False)}, {"shape": (number, number)},
        )))  # fmt: skip
    return Producer(VERSIONED, None, None, **{word: abs(number) % (limits.get(word, (1 << 64) - 1) + 1)})


@linux
@pytest.mark.parametrize("part", range(2))
def test_random_producers(part: int):
    """Refused, or an array over memory that is there: all of it can be read."""
    for number in range(part, max(PROGRAMS // 5, 200), 2):
        try:
            view = foreign.view_of("x", drawn(Random(f"producers {number}")))
        except LaunchError:
            continue
        assert view is not None
        if 0 < view.nbytes < 1 << 24:
            view.tobytes()
