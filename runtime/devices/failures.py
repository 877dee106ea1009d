"""The errors of devices: one sentence for each kind of failure, whichever device has it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hologram.errors import DeviceError


def not_built(device: str, log: str) -> DeviceError:
    """The device's own compiler refuses the code; `log` is what it says."""
    reason = "\n".join(line for line in log.strip().splitlines() if line.strip())[:4000] or "it gives no reason"
    return DeviceError("device-build", f"{device} does not take the code: {reason}", hint="report it with the program")


def memory_full(device: str, nbytes: int, free: int | None = None) -> DeviceError:
    """There is no memory for an allocation."""
    left = "" if free is None else f", of which it has {free} left"
    message = f"{device} has no memory for {nbytes} bytes{left}"
    return DeviceError("device-memory", message, hint="free arrays on it, or work on smaller ones one after another")


def too_large(device: str, nbytes: int, most: int) -> DeviceError:
    """One allocation is larger than the device allows."""
    message = f"{device} allows allocations of at most {most} bytes, and {nbytes} are asked for"
    return DeviceError("device-allocation", message, hint="split the array, or use another device")


def binding_too_large(device: str, kernel: str, nbytes: int, most: int) -> DeviceError:
    """A kernel would have to reach more memory through one argument than the device allows."""
    message = f"kernel '{kernel}' is given an array of {nbytes} bytes, and kernels on {device} reach at most {most}"
    return DeviceError("device-binding", message, hint="split the array, or use another device")


def check_lanes(device: str, kernel: str, grid: Sequence[int], block: Sequence[int]) -> None:
    """Raises an error for launches whose lanes an index of 32 bits can't number."""
    if math.prod(grid) * math.prod(block) > 0xFFFFFFFF:
        message = f"kernel '{kernel}' is launched with more than 2^32 lanes, and an index has 32 bits on {device}"
        raise DeviceError("device-lanes", message, hint="launch fewer lanes that do more each")


def check_blocks(device: str, kernel: str, grid: Sequence[int]) -> None:
    """Raises an error for launches whose blocks 32 bits can't count, as drivers do: PoCL ends the process over them."""
    if math.prod(grid) > 0xFFFFFFFF:
        message = f"kernel '{kernel}' is launched with {math.prod(grid)} blocks, and {device} counts them in 32 bits"
        raise DeviceError("device-blocks", message, hint="launch larger blocks, or parts of it one after another")


def lost(device: str, why: str) -> DeviceError:
    """The device is gone, with what was on it."""
    message = f"{device} is lost, with the arrays on it: {why}"
    return DeviceError("device-lost", message, hint="the next use of the name opens it anew; make the arrays again")


def no_driver(kind: str, why: str, hint: str) -> DeviceError:
    """No driver for a kind of devices is installed, or none of them works."""
    return DeviceError("device-driver", f"{kind} has no driver here: {why}", hint=hint)


def failed(device: str, what: str, why: str) -> DeviceError:
    """A call of the device's driver failed."""
    return DeviceError("device-failed", f"{device} failed to {what}: {why}", hint="the next call may work")


def stack_full(device: str, kernel: str, most: int) -> DeviceError:
    """Functions that call themselves take more of the stack than there is."""
    message = f"kernel '{kernel}' takes more stack than {device} has, which is {most} bytes"
    return DeviceError("device-stack", message, hint="functions call themselves too often: write that as a loop")


def bad_address(device: str, address: int) -> DeviceError:
    """An address at which nothing is allocated."""
    message = f"nothing is allocated at address {address:#x} of {device}"
    return DeviceError("device-address", message, hint="the array was freed, or belongs to another device")
