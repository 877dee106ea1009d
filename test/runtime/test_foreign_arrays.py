"""Arrays of other libraries: the kernel works on their memory, and gives it back."""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram.runtime import foreign
from runtime_programs import add, scale

Array = NDArray[Any]


def vector(n: int = 5, dtype: Any = np.float32) -> Array:
    return np.arange(n).astype(dtype)


class Exporter:
    """An array of a library that knows DLPack and nothing else."""

    def __init__(self, content: Array, device: int = 1, version: bool = True):
        self.content = content
        self.device = device
        self.version = version

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0

    def __dlpack__(self, **options: Any) -> Any:
        if options and not self.version:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.content.__dlpack__(**options)


class Relabelled(Exporter):
    """Says of its elements that they are of another type: what numpy can't export itself."""

    def __init__(self, content: Array, code: int, bits: int, lanes: int = 1):
        super().__init__(content)
        self.label = code, bits, lanes

    def __dlpack__(self, **options: Any) -> Any:
        capsule = super().__dlpack__(**options)
        address = foreign._get_pointer(capsule, b"dltensor_versioned")  # pyright: ignore[reportPrivateUsage]
        tensor = foreign._Versioned.from_address(address).tensor  # pyright: ignore[reportPrivateUsage]
        tensor.code, tensor.bits, tensor.lanes = self.label
        return capsule


class Interface:
    """An array of a library that knows `__array_interface__` and nothing else."""

    def __init__(self, content: Array, **changes: Any):
        self.content = content
        self.__array_interface__ = {**content.__array_interface__, **changes}


# What is taken


def standard_array(content: Array) -> Any:
    return array.array("f", [float(x) for x in content])


@pytest.mark.parametrize("wrap", [Exporter, Interface, memoryview, standard_array])
def test_inputs(wrap: Any):
    a = vector()
    np.testing.assert_array_equal(hologram.compile(add())(wrap(a), a), a * 2)
    np.testing.assert_array_equal(hologram.compile(add())(wrap(a), wrap(a)), a * 2)


@pytest.mark.parametrize("wrap", [Exporter, Interface, memoryview])
def test_what_is_written_arrives(wrap: Any):
    x, out = vector(), np.zeros(5, np.float32)
    assert hologram.compile(scale())(wrap(x), 2.0) is None
    np.testing.assert_array_equal(x, vector() * 2)
    wrapped = wrap(out)
    assert hologram.compile(add())(x, x, out=wrapped) is wrapped
    np.testing.assert_array_equal(out, x * 2)
    assert hologram.compile(add())(x, x, wrapped) is wrapped


def test_buffers_of_bytes():
    a = np.arange(5, dtype=np.uint8)
    np.testing.assert_array_equal(hologram.compile(add("u8"))(bytes(a), bytearray(a)), a * 2)
    with mmap.mmap(-1, 5) as memory:
        memory[:] = bytes(a)
        np.testing.assert_array_equal(hologram.compile(add("u8"))(a, memory), a * 2)
        gc.collect()


def test_arrays_of_ctypes():
    numbers = (ctypes.c_float * 5)(*range(5))
    np.testing.assert_array_equal(hologram.compile(add())(numbers, numbers), vector() * 2)


@pytest.mark.parametrize("dtype", ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16"])
def test_element_types(dtype: str):
    from hologram.runtime import dtypes

    a = vector(dtype=dtypes.dtype(dtype).numpy)
    np.testing.assert_array_equal(hologram.compile(add(dtype))(Exporter(a), a), a + a)


def test_bf16_by_dlpack():
    a = vector(dtype=ml_dtypes.bfloat16)
    found = hologram.compile(add("bf16"))(Relabelled(a.view(np.uint16), 4, 16), a)
    assert found.dtype == a.dtype
    np.testing.assert_array_equal(found, a + a)


@pytest.mark.parametrize(("code", "name"), sorted(foreign.EXTENDED.items()))
def test_narrow_floats_by_dlpack(code: int, name: str):
    if not hasattr(ml_dtypes, name):
        pytest.skip(f"this ml_dtypes has no {name}")
    width = np.dtype(getattr(ml_dtypes, name)).itemsize
    found = foreign.view_of("a", Relabelled(np.zeros(3, f"u{width}"), code, 8 * width))
    assert found is not None
    assert found.dtype == np.dtype(getattr(ml_dtypes, name))


def test_booleans_and_complex_numbers():
    found = foreign.view_of("a", Exporter(np.array([True, False])))
    assert found is not None
    assert found.tolist() == [True, False]
    found = foreign.view_of("a", Exporter(np.array([1j, 2])))
    assert found is not None
    assert found.tolist() == [1j, 2]


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (2, 3), (1,)])
def test_shapes(shape: tuple[int, ...]):
    a = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    found = foreign.view_of("a", Exporter(a))
    assert found is not None
    assert found.shape == shape
    np.testing.assert_array_equal(found, a)


def test_strided_views():
    a = np.arange(24, dtype=np.float32).reshape(4, 6)
    for view in (a.T, a[::2], a[:, ::3], a[1:, 2:], a[::-1]):
        found = foreign.view_of("a", Exporter(view))
        assert found is not None
        assert found.strides == view.strides
        np.testing.assert_array_equal(found, view)


def test_memory_is_given_back():
    content = vector(1000)
    view = foreign.view_of("a", Exporter(content))
    assert view is not None
    with pytest.raises(ValueError, match="cannot resize"):
        content.resize(2000)
    part = view[3:5]
    del view
    gc.collect()
    assert part.tolist() == [3, 4]
    del part
    gc.collect()
    content.resize(2000, refcheck=False)
    hologram.compile(add("f32"))(Exporter(content), Exporter(content))


def test_capsules_that_are_refused_are_given_back_too():
    content = vector()
    with pytest.raises(hologram.LaunchError):
        hologram.compile(add())(Relabelled(content, 2, 32, lanes=4), content)
    gc.collect()
    np.testing.assert_array_equal(content, vector())


# What is not


def refused(code: str, value: Any, *words: str) -> None:
    with pytest.raises(hologram.LaunchError) as caught:
        hologram.compile(add())(vector(), value)
    assert caught.value.code == code, str(caught.value)
    assert "'b'" in caught.value.message
    for word in words:
        assert word in caught.value.message


@pytest.mark.parametrize(("device", "place"), [(2, "CUDA"), (8, "Metal"), (99, "kind 99")])
def test_other_devices(device: int, place: str):
    refused("launch-dlpack-device", Exporter(vector(), device), place, "runs on the CPU")


def test_pinned_memory_is_memory():
    np.testing.assert_array_equal(hologram.compile(add())(Exporter(vector(), 3), vector()), vector() * 2)


def test_libraries_that_refuse():
    class Refusing(Exporter):
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("it requires a gradient")

    refused("launch-dlpack-export", Refusing(vector()), "requires a gradient")


def test_tensors_without_memory():
    class Nowhere(Exporter):
        def __dlpack_device__(self) -> tuple[int, int]:
            raise ValueError("unknown device type meta")

    refused("launch-dlpack-where", Nowhere(vector()), "device type meta")


def test_types_that_numpy_has_not():
    refused("launch-dlpack-type", Relabelled(vector(), 2, 32, lanes=4), "code 2")
    refused("launch-dlpack-type", Relabelled(vector(), 200, 32), "code 200")
    refused("launch-dlpack-type", Relabelled(vector(), 2, 4))
    refused("launch-dlpack-type", Relabelled(vector(), 6, 16))
    refused("launch-dlpack-type", Relabelled(vector(), 4, 32))


def test_the_usual_checks_hold():
    refused("launch-dtype", Exporter(vector(dtype=np.float64)), "f32")
    refused("launch-rank", Exporter(vector().reshape(1, 5)))
    refused("launch-dtype", b"12345")
    refused("launch-array-interface", Interface(vector(), shape="x"))
    refused("launch-not-array", [1.0, 2.0, 3.0, 4.0, 5.0])
    refused("launch-not-array", np.float32(1))
    refused("launch-not-array", "text")
    refused("launch-not-array", object())


@pytest.mark.parametrize("fixed", [bytes(20), Interface(vector(), data=(vector().ctypes.data, True))])
def test_what_may_not_be_written(fixed: Any):
    kernel = hologram.compile(scale())
    view = memoryview(fixed).cast("f") if isinstance(fixed, bytes) else fixed
    with pytest.raises(hologram.LaunchError, match="launch-read-only"):
        kernel(view, 2.0)


def test_old_libraries_do_not_say_what_may_be_written():
    old = Exporter(vector(), version=False)
    np.testing.assert_array_equal(hologram.compile(add())(old, vector()), vector() * 2)
    with pytest.raises(hologram.LaunchError, match="launch-read-only"):
        hologram.compile(scale())(old, 2.0)


def test_two_views_of_one_memory_are_found_out():
    x = vector()
    with pytest.raises(hologram.LaunchError, match="launch-alias"):
        hologram.compile(add())(x, x, out=Exporter(x))
