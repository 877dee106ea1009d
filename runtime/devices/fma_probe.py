"""Looks whether a device fuses a multiply-add: programs for Vulkan and WebGPU promise bounds, and may do either."""

from __future__ import annotations

import base64
import struct
import zlib

from hologram.runtime.devices.callbacks import CallbackDevice, CallbackProgram, Dispatch
from hologram.runtime.devices.protocol import KernelArgument, KernelInfo

KERNEL = KernelInfo("probe", (1, 1, 1), 0, (KernelArgument("buffer", "f32", "readwrite"),))
_CODE = (
    "c-mc2O-}+r3@tPJg)Z*$<xQh<G$DilAu*bGf&({xfRW%?gZ_9fB))du>VziU*G^wwXFJ}Fa!FgFHk4ppaiS-ek{PZx+s*j<XFs0J"
    "CtAM}Z#=D4;H1DD{&o1=eE>6fjc;yRf!BB{iPeq!HnBYJO`%-@-"
    "x>FSJH~zBLGObe&p8QvZ7RV=#1$BN=Ezs>!(T1r_Yqff)xSopJ$LXM#GV?r)bmzL?4L`{e`22TtdEYu^u4r!h3z)MK7+2>BlD8EY"
    "Ic~rs9tk#3rr}uXEoJ5f_VXa#pI5?%l{qJpP}LGjY6&Abt7IK@p`P4nB=$*ojs*SMNXqLIGgu^{~fUJgw7@W7q$5pdH"
)
"""What convert-gpu-to-spirv makes of `m[0] = fma(m[0], m[0], m[1])`: test/devices/fma_probe.mlir."""
FACTOR, ADDEND = 1 + 2.0**-12, -(1 + 2.0**-11)
"""The square is 1 + 2^-11 + 2^-24, whose last part is lost where the product is rounded by itself."""
INPUT = struct.pack("<2f", FACTOR, ADDEND)


def code() -> bytes:
    """The program."""
    return zlib.decompress(base64.b85decode(_CODE))


def fuses(device: CallbackDevice, program: bytes) -> bool:
    """Return whether a device fuses a multiply-add, found by trying."""
    address = device.allocate(len(INPUT))
    device.write(address, memoryview(INPUT))
    loaded = device.load(program, [KERNEL], 0)
    assert isinstance(loaded, CallbackProgram)
    device.start(Dispatch(loaded, 0, (1, 1, 1), (1, 1, 1), 0, [address]))
    result = bytearray(4)
    device.read(address, memoryview(result)).wait()
    loaded.close()
    device.free(address)
    return struct.unpack("<f", bytes(result)[:4])[0] == 2.0**-24
