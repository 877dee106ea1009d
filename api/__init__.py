"""Hologram: compiles kernels from IR to machine code and runs them on numpy arrays.

    import hologram

    kernel = hologram.compile("saxpy.mlir")
    y = kernel(2.0, x, y)

Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hologram import classes as classes
    from hologram import errors as errors
    from hologram import isa as isa
    from hologram import language as language
    from hologram import monster as monster
    from hologram import ops as ops
    from hologram import sigil as sigil
    from hologram import torus as torus
    from hologram.errors import CircuitError as CircuitError
    from hologram.errors import DeviceError as DeviceError
    from hologram.errors import HologramError as HologramError
    from hologram.errors import InputError as InputError
    from hologram.errors import InternalError as InternalError
    from hologram.errors import LaunchError as LaunchError
    from hologram.errors import TrapError as TrapError
    from hologram.errors import UsageError as UsageError
    from hologram.frontend.kernels.decorator import PythonKernel as PythonKernel
    from hologram.frontend.kernels.decorator import kernel as kernel
    from hologram.frontend.tensors.jit import TensorFunction as TensorFunction
    from hologram.frontend.tensors.jit import jit as jit
    from hologram.frontend.tensors.operation import Operation as Operation
    from hologram.frontend.tensors.operation import operation as operation
    from hologram.resonance import Resonance as Resonance
    from hologram.runtime.archive.load import load as load
    from hologram.runtime.buffer import Buffer as Buffer
    from hologram.runtime.cache import CacheStats as CacheStats
    from hologram.runtime.cache import cache_stats as cache_stats
    from hologram.runtime.collectives import DeviceGroup as DeviceGroup
    from hologram.runtime.compiler import compile as compile
    from hologram.runtime.device_array import DeviceArray as DeviceArray
    from hologram.runtime.device_array import array as array
    from hologram.runtime.device_array import empty as empty
    from hologram.runtime.device_array import zeros as zeros
    from hologram.runtime.device_pool import DevicePool as DevicePool
    from hologram.runtime.devices import devices as devices
    from hologram.runtime.executor import Executor as Executor
    from hologram.runtime.executor import default_executor as default_executor
    from hologram.runtime.kernel import Kernel as Kernel
    from hologram.runtime.launch import LaunchConfig as LaunchConfig
    from hologram.runtime.limbs import integers as integers
    from hologram.runtime.limbs import limbs as limbs
    from hologram.runtime.memory_pool import Pool as Pool
    from hologram.runtime.memory_pool import Ring as Ring
    from hologram.runtime.threads import get_num_threads as get_num_threads
    from hologram.runtime.threads import set_num_threads as set_num_threads

__version__ = "0.1.0"

_ERRORS = "CircuitError DeviceError HologramError InputError InternalError LaunchError TrapError UsageError".split()
_MODULES = ("classes", "errors", "isa", "language", "monster", "ops", "sigil", "torus")
_PLACES = dict.fromkeys(_ERRORS, "hologram.errors") | {
    **dict.fromkeys(("array", "DeviceArray", "empty", "zeros"), "hologram.runtime.device_array"),
    "Buffer": "hologram.runtime.buffer",
    "CacheStats": "hologram.runtime.cache",
    "cache_stats": "hologram.runtime.cache",
    "compile": "hologram.runtime.compiler",
    "default_executor": "hologram.runtime.executor",
    "DeviceGroup": "hologram.runtime.collectives",
    "DevicePool": "hologram.runtime.device_pool",
    "devices": "hologram.runtime.devices",
    "Executor": "hologram.runtime.executor",
    "Kernel": "hologram.runtime.kernel",
    **dict.fromkeys(("kernel", "PythonKernel"), "hologram.frontend.kernels.decorator"),
    **dict.fromkeys(("jit", "TensorFunction"), "hologram.frontend.tensors.jit"),
    **dict.fromkeys(("operation", "Operation"), "hologram.frontend.tensors.operation"),
    "LaunchConfig": "hologram.runtime.launch",
    "integers": "hologram.runtime.limbs",
    "load": "hologram.runtime.archive.load",
    "limbs": "hologram.runtime.limbs",
    "Pool": "hologram.runtime.memory_pool",
    "Resonance": "hologram.resonance",
    "Ring": "hologram.runtime.memory_pool",
    "get_num_threads": "hologram.runtime.threads",
    "set_num_threads": "hologram.runtime.threads",
}

__all__ = [
    "Buffer",
    "CacheStats",
    "CircuitError",
    "DeviceArray",
    "DeviceError",
    "DeviceGroup",
    "DevicePool",
    "Executor",
    "HologramError",
    "InputError",
    "InternalError",
    "Kernel",
    "LaunchConfig",
    "LaunchError",
    "Operation",
    "Pool",
    "PythonKernel",
    "Resonance",
    "Ring",
    "TensorFunction",
    "TrapError",
    "UsageError",
    "__version__",
    "array",
    "cache_stats",
    "classes",
    "compile",
    "default_executor",
    "devices",
    "empty",
    "errors",
    "get_num_threads",
    "integers",
    "isa",
    "jit",
    "kernel",
    "language",
    "limbs",
    "load",
    "monster",
    "operation",
    "ops",
    "set_num_threads",
    "sigil",
    "torus",
    "zeros",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"hologram.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'hologram' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
