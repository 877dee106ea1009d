"""Hologram: compiles kernels from IR to machine code and runs them on numpy arrays.

    import hologram

    kernel = hologram.compile("saxpy.mlir")
    y = kernel(2.0, x, y)

Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hologram.support import forks as _forks  # noqa: F401  # pyright: ignore[reportUnusedImport]

if TYPE_CHECKING:
    from hologram import classes as classes
    from hologram import errors as errors
    from hologram import isa as isa
    from hologram import language as language
    from hologram import monster as monster
    from hologram import ops as ops
    from hologram import sigil as sigil
    from hologram import torus as torus
    from hologram.dialects.atlas.instructions.dtypes import DType as DType
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
    from hologram.plugins import load_plugin as load_plugin
    from hologram.resonance import Resonance as Resonance
    from hologram.runtime.cache import CacheStats as CacheStats
    from hologram.runtime.cache import cache_stats as cache_stats
    from hologram.runtime.devices import devices as devices
    from hologram.runtime.launch.kernel import Kernel as Kernel
    from hologram.runtime.launch.launch import LaunchConfig as LaunchConfig
    from hologram.runtime.launch.watch import timeout as timeout
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
    from hologram.type_queries import dtype as dtype
    from hologram.type_queries import dtypes as dtypes
    from hologram.type_queries import native_types as native_types

__version__ = "0.1.0"

_MODULES = ("classes", "errors", "isa", "language", "monster", "ops", "sigil", "torus")
_NAMES = {
    "errors": "CircuitError DeviceError HologramError InputError InternalError LaunchError TrapError UsageError",
    "resonance": "Resonance",
    "dialects.atlas.instructions.dtypes": "DType",
    "driver.archives.load": "load",
    "driver.collectives": "DeviceGroup",
    "driver.compiler": "compile",
    "driver.executor": "Executor default_executor",
    "driver.jit": "TensorFunction jit",
    "driver.kernel_decorator": "PythonKernel kernel",
    "driver.operation": "Operation operation",
    "plugins": "load_plugin",
    "runtime.cache": "CacheStats cache_stats",
    "runtime.devices": "devices",
    "runtime.launch.kernel": "Kernel",
    "runtime.launch.launch": "LaunchConfig",
    "runtime.launch.watch": "timeout",
    "runtime.limbs": "integers limbs",
    "runtime.memory.buffer": "Buffer",
    "runtime.memory.device_array": "DeviceArray array empty zeros",
    "runtime.memory.device_pool": "DevicePool",
    "runtime.memory.memory_pool": "Pool Ring",
    "runtime.threads": "get_num_threads set_num_threads",
    "type_queries": "dtype dtypes native_types",
}
"""The names of each module."""
_PLACES = {name: f"hologram.{module}" for module, names in _NAMES.items() for name in names.split()}

__all__ = [*_MODULES, *_PLACES, "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"hologram.{name}")
    if name not in _PLACES:
        from hologram.errors import missing_name

        raise missing_name("hologram", name, __all__)
    value = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
