"""Finds the devices of the Vulkan API, says what they can do, and opens one."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hologram.errors import DeviceError
from hologram.runtime.devices import driver_threads, failures
from hologram.runtime.devices.protocol import Device, Limits
from hologram.support import forks

VERSION = (1, 2)
"""Of the API, at least: for timeline semaphores and SPIR-V 1.5."""
MOST = 0x7FFFFFFF
TEXELS, TEXEL_BYTES = "SampledBuffer", 16
"""The capability of devices whose texel buffers may be as large as other bindings, and the bytes of a texel of ours."""
_FEATURES = {
    # feature of Vulkan: capability of SPIR-V that needs it. Not robustBufferAccess, which makes reductions slower: what
    # kernels access is proven in bounds or guarded.
    "shaderInt64": "Int64",
    "shaderFloat64": "Float64",
    "shaderInt16": "Int16",
    "shaderInt8": "Int8",
    "shaderFloat16": "Float16",
    "storageBuffer8BitAccess": "StorageBuffer8BitAccess",
    "storageBuffer16BitAccess": "StorageBuffer16BitAccess",
    "shaderBufferInt64Atomics": "Int64Atomics",
    "shaderSharedInt64Atomics": "",
    "bufferDeviceAddress": "PhysicalStorageBufferAddresses",
    "timelineSemaphore": "",
}
_OURS = {
    "shaderFloat16": "f16", "shaderFloat64": "f64", "shaderInt64": "i64", "storageBuffer8BitAccess": "i8",
    "storageBuffer16BitAccess": "i16", "shaderBufferInt64Atomics": "i64-atomics",
}  # fmt: skip
"""Features as the protocol names them."""
_GPU_TYPES = (2, 1, 3)
"""Discrete, integrated and virtual graphics processors, the best first."""
_CPU_TYPE, _INTEGRATED = 4, 1
_INDEPENDENT = 1
"""What a device says where each width of floats can be controlled by itself."""
DEVICE_LOCAL, HOST_VISIBLE, HOST_COHERENT, HOST_CACHED = 1, 2, 4, 8


@forks.once
def api() -> Any:
    """The wheel `vulkan`."""
    try:
        return import_module("vulkan")
    except ImportError as error:
        raise DeviceError(
            "vulkan-wheel",
            f"devices of Vulkan need the package vulkan: {error}",
            hint="pip install 'hologram-mlir[vulkan]'",
        ) from error
    except OSError as error:
        raise DeviceError(
            "vulkan-loader",
            f"the Vulkan loader of this machine can't be loaded: {error}",
            hint="install libvulkan1 and a driver; mesa-vulkan-drivers has one for processors without a GPU",
        ) from error


@dataclass(frozen=True)
class Adapter:
    """One device, not opened."""

    physical: Any
    title: str
    version: str
    is_gpu: bool
    limits: Limits
    features: frozenset[str]
    """Those of Vulkan that we use and it has."""
    capabilities: frozenset[str]
    """What programs may need: capabilities of SPIR-V by name."""
    family: int
    """The queue family that computes."""
    groups: tuple[int, int, int]
    """The most blocks of one dispatch."""
    alignment: int
    """Of the offsets of bindings."""
    cache_id: bytes
    device_memory: int
    """The number of the memory type for arrays."""
    staging_memory: int
    is_mapped: bool
    """Whether this processor reads and writes the arrays' memory itself."""
    period: float
    """Nanoseconds of one tick of its clock; 0 if it has none."""
    float_controls: tuple[str, ...]
    """Execution modes of floats, as convert-gpu-to-spirv takes them."""
    has_addresses: bool
    """Whether buffers have addresses that kernels can use."""


@forks.once
def instance() -> Any:
    """The connection to the drivers of this machine."""
    vk = api()
    version = vk.VK_MAKE_VERSION(*VERSION, 0)
    info = vk.VkApplicationInfo(pApplicationName="hologram", apiVersion=version)
    try:
        return vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=info), None)
    except (vk.VkException, vk.VkError) as error:
        raise DeviceError(
            "vulkan-instance",
            f"Vulkan can't be started: {type(error).__name__}",
            hint="install a driver; mesa-vulkan-drivers has one for processors without a GPU",
        ) from error


def find_adapters() -> tuple[Adapter, ...]:
    """The devices that can run our programs, graphics processors first."""
    vk = api()
    try:
        devices: list[Any] = vk.vkEnumeratePhysicalDevices(instance())
    except (vk.VkException, vk.VkError):
        devices = list[Any]()
    adapters = [a for physical in devices if (a := _describe(vk, physical)) is not None]
    return tuple(sorted(adapters, key=lambda a: not a.is_gpu))


def _describe(vk: Any, physical: Any) -> Adapter | None:
    """Return the description of a device; None if it is too old, or does not compute."""
    subgroups = vk.VkPhysicalDeviceSubgroupProperties()
    third = vk.VkPhysicalDeviceMaintenance3Properties(pNext=subgroups)
    both = vk.VkPhysicalDeviceProperties2(pNext=third)
    vk.vkGetPhysicalDeviceProperties2(physical, both)
    base = both.properties
    api_version = (base.apiVersion >> 22, base.apiVersion >> 12 & 0x3FF)
    features = _features(vk, physical)
    family, is_timed = _queue_family(vk, physical)
    if api_version < VERSION or family is None or "timelineSemaphore" not in features:
        return None
    kind = base.deviceType
    device_memory, staging, mapped, heap = _memory_types(vk, physical, kind in (_CPU_TYPE, _INTEGRATED))
    controls = _float_controls(vk, physical)
    modes = {c.partition(":")[0] for c in controls}
    capabilities = {"Shader", *modes, *(_FEATURES[f] for f in features if _FEATURES[f])}
    limits = base.limits
    binding = min(limits.maxStorageBufferRange, third.maxMemoryAllocationSize)
    alignment = limits.minStorageBufferOffsetAlignment
    if limits.maxTexelBufferElements * TEXEL_BYTES >= binding:
        capabilities.add(TEXELS)
        alignment = max(alignment, limits.minTexelBufferOffsetAlignment)
    groups = tuple(limits.maxComputeWorkGroupCount)
    return Adapter(
        physical,
        vk.ffi.string(base.deviceName).decode(),
        f"Vulkan {api_version[0]}.{api_version[1]}.{base.apiVersion & 0xFFF}, driver {base.driverVersion:#x}",
        kind in _GPU_TYPES,
        Limits(
            threads=limits.maxComputeWorkGroupInvocations,
            block=tuple(limits.maxComputeWorkGroupSize),
            grid=(MOST, MOST, MOST),
            shared=limits.maxComputeSharedMemorySize,
            memory=heap,
            allocation=min(third.maxMemoryAllocationSize, heap),
            binding=binding,
            index_bits=32,
            subgroup=subgroups.subgroupSize,
            features=frozenset(_OURS[f] for f in features if f in _OURS),
        ),
        frozenset(features),
        frozenset(capabilities),
        family,
        (groups[0], groups[1], groups[2]),
        alignment,
        bytes(base.pipelineCacheUUID) + f"{base.vendorID}:{base.deviceID}:{base.driverVersion}".encode(),
        device_memory,
        staging,
        mapped,
        limits.timestampPeriod if is_timed else 0.0,
        controls,
        "bufferDeviceAddress" in features,
    )


def _queue_family(vk: Any, physical: Any) -> tuple[int | None, bool]:
    """The number of a kind of queues that computes, alone where there is one, and whether it keeps time."""
    families = vk.vkGetPhysicalDeviceQueueFamilyProperties(physical)
    computing = [n for n, f in enumerate(families) if f.queueFlags & vk.VK_QUEUE_COMPUTE_BIT]
    if not computing:
        return None, False
    family = min(computing, key=lambda n: bool(families[n].queueFlags & vk.VK_QUEUE_GRAPHICS_BIT))
    family = computing[0] if families[family].timestampValidBits == 0 else family
    return family, families[family].timestampValidBits > 0


def _float_controls(vk: Any, physical: Any) -> tuple[str, ...]:
    """Return what the device keeps of floats where it is asked to, but for widths that depend on each other."""
    controls = vk.VkPhysicalDeviceFloatControlsProperties()
    vk.vkGetPhysicalDeviceProperties2(physical, vk.VkPhysicalDeviceProperties2(pNext=controls))
    modes = [("SignedZeroInfNanPreserve", "shaderSignedZeroInfNanPreserve", True)]
    modes.append(("DenormPreserve", "shaderDenormPreserve", controls.denormBehaviorIndependence == _INDEPENDENT))
    modes.append(("RoundingModeRTE", "shaderRoundingModeRTE", controls.roundingModeIndependence == _INDEPENDENT))
    widths = ("16", "32", "64")
    return tuple(f"{m}:{w}" for m, name, free in modes if free for w in widths if getattr(controls, f"{name}Float{w}"))


def _features(vk: Any, physical: Any) -> set[str]:
    newest = vk.VkPhysicalDeviceVulkan12Features()
    newer = vk.VkPhysicalDeviceVulkan11Features(pNext=newest)
    both = vk.VkPhysicalDeviceFeatures2(pNext=newer)
    vk.vkGetPhysicalDeviceFeatures2(physical, both)
    return {name for name in _FEATURES if any(getattr(part, name, 0) for part in (both.features, newer, newest))}


def _memory_types(vk: Any, physical: Any, shared: bool) -> tuple[int, int, bool, int]:
    """The type for arrays, that for staging, whether we see the arrays, and the bytes of the arrays' heap."""
    properties = vk.vkGetPhysicalDeviceMemoryProperties(physical)
    kinds = [properties.memoryTypes[n] for n in range(properties.memoryTypeCount)]
    flags = [kind.propertyFlags for kind in kinds]
    seen = HOST_VISIBLE | HOST_COHERENT
    local = [n for n, f in enumerate(flags) if f & DEVICE_LOCAL]
    both = [n for n in local if flags[n] & seen == seen]
    arrays = both[0] if shared and both else (local or [0])[0]
    visible = [n for n, f in enumerate(flags) if f & seen == seen]
    staging = next((n for n in visible if flags[n] & HOST_CACHED), visible[0])
    heap = properties.memoryHeaps[kinds[arrays].heapIndex].size
    return arrays, staging, bool(shared and both), heap


class Handles:
    """An open device: its handles, and what becomes of its failures."""

    def __init__(self, vk: Any, owner: Device, device: Any, queue: Any, adapter: Adapter):
        self.vk, self.name, self.device, self.queue, self.adapter = vk, owner.name, device, queue, adapter
        self._owner = owner

    @contextmanager
    def failing(self, what: str) -> Generator[None]:
        """Turns what the driver says into a DeviceError."""
        vk = self.vk
        try:
            yield
        except vk.VkErrorDeviceLost as error:
            self._owner.is_lost = True
            raise failures.lost(self.name, f"it failed to {what}") from error
        except (vk.VkErrorOutOfDeviceMemory, vk.VkErrorOutOfHostMemory) as error:
            raise failures.failed(self.name, what, "it has no memory for it") from error
        except (vk.VkException, vk.VkError) as error:
            raise failures.failed(self.name, what, type(error).__name__) from error

    def close(self) -> None:
        """Closes the device."""
        self.vk.vkDestroyDevice(self.device, None)


def open_adapter(adapter: Adapter, owner: Device) -> Handles:
    """Opens a device with the features that programs may need; `owner` is told when it is lost."""
    vk = api()
    queues = [
        vk.VkDeviceQueueCreateInfo(queueFamilyIndex=adapter.family, queueCount=1, pQueuePriorities=[1.0]),
    ]
    newest = vk.VkPhysicalDeviceVulkan12Features(**_asked(vk.VkPhysicalDeviceVulkan12Features(), adapter))
    newer = vk.VkPhysicalDeviceVulkan11Features(pNext=newest, **_asked(vk.VkPhysicalDeviceVulkan11Features(), adapter))
    plain = vk.VkPhysicalDeviceFeatures(**_asked(vk.VkPhysicalDeviceFeatures(), adapter))
    both = vk.VkPhysicalDeviceFeatures2(pNext=newer, features=plain)
    info = vk.VkDeviceCreateInfo(pNext=both, pQueueCreateInfos=queues)
    try:
        with driver_threads.apart(adapter.title):
            device = vk.vkCreateDevice(adapter.physical, info, None)
    except (vk.VkException, vk.VkError) as error:
        raise failures.failed(owner.name, "open", type(error).__name__) from error
    queue = vk.vkGetDeviceQueue(device, adapter.family, 0)
    return Handles(vk, owner, device, queue, adapter)


def _asked(part: Any, adapter: Adapter) -> Mapping[str, int]:
    return {name: 1 for name in adapter.features if hasattr(part, name)}
