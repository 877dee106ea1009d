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
    from hologram.driver.archives.load import load as load
    from hologram.driver.collectives import DeviceGroup as DeviceGroup
    from hologram.driver.compiler import compile as compile
    from hologram.driver.executor import Executor as Executor
    from hologram.driver.executor import default_executor as default_executor
    from hologram.driver.jit import TensorFunction as TensorFunction
    from hologram.driver.jit import jit as jit
    from hologram.driver.kernel_decorator import PythonKernel as PythonKernel
    from hologram.driver.kernel_decorator import kernel as kernel
    from hologram.driver.operation import Operation as Operation
    from hologram.driver.operation import operation as operation
    from hologram.errors import CircuitError as CircuitError
    from hologram.errors import DeviceError as DeviceError
    from hologram.errors import HologramError as HologramError
    from hologram.errors import InputError as InputError
    from hologram.errors import InternalError as InternalError
    from hologram.errors import LaunchError as LaunchError
    from hologram.errors import TrapError as TrapError
    from hologram.errors import UsageError as UsageError
    from hologram.resonance import Resonance as Resonance
    from hologram.runtime.cache import CacheStats as CacheStats
    from hologram.runtime.cache import cache_stats as cache_stats
    from hologram.runtime.devices import devices as devices
    from hologram.runtime.launch.kernel import Kernel as Kernel
    from hologram.runtime.launch.launch import LaunchConfig as LaunchConfig
    from hologram.runtime.limbs import integers as integers
    from hologram.runtime.limbs import limbs as limbs
    from hologram.runtime.memory.buffer import Buffer as Buffer
    from hologram.runtime.memory.device_array import DeviceArray as DeviceArray
    from hologram.runtime.memory.device_array import array as array
    from hologram.runtime.memory.device_array import empty as empty
    from hologram.runtime.memory.device_array import zeros as zeros
    from hologram.runtime.memory.device_pool import DevicePool as DevicePool
    from hologram.runtime.memory.memory_pool import Pool as Pool
    from hologram.runtime.memory.memory_pool import Ring as Ring
    from hologram.runtime.threads import get_num_threads as get_num_threads
    from hologram.runtime.threads import set_num_threads as set_num_threads

__version__ = "0.1.0"

_ERRORS = "CircuitError DeviceError HologramError InputError InternalError LaunchError TrapError UsageError".split()
_MODULES = ("classes", "errors", "isa", "language", "monster", "ops", "sigil", "torus")
_PLACES = dict.fromkeys(_ERRORS, "hologram.errors") | {
    **dict.fromkeys(("array", "DeviceArray", "empty", "zeros"), "hologram.runtime.memory.device_array"),
    "Buffer": "hologram.runtime.memory.buffer",
    "CacheStats": "hologram.runtime.cache",
    "cache_stats": "hologram.runtime.cache",
    "compile": "hologram.driver.compiler",
    "default_executor": "hologram.driver.executor",
    "DeviceGroup": "hologram.driver.collectives",
    "DevicePool": "hologram.runtime.memory.device_pool",
    "devices": "hologram.runtime.devices",
    "Executor": "hologram.driver.executor",
    "Kernel": "hologram.runtime.launch.kernel",
    **dict.fromkeys(("kernel", "PythonKernel"), "hologram.driver.kernel_decorator"),
    **dict.fromkeys(("jit", "TensorFunction"), "hologram.driver.jit"),
    **dict.fromkeys(("operation", "Operation"), "hologram.driver.operation"),
    "LaunchConfig": "hologram.runtime.launch.launch",
    "integers": "hologram.runtime.limbs",
    "load": "hologram.driver.archives.load",
    "limbs": "hologram.runtime.limbs",
    "Pool": "hologram.runtime.memory.memory_pool",
    "Resonance": "hologram.resonance",
    "Ring": "hologram.runtime.memory.memory_pool",
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
