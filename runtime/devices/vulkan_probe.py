"""Looks whether a device fuses a multiply-add: programs for Vulkan promise bounds, and the device may do either."""

from __future__ import annotations

import base64
import struct
import zlib

from hologram.runtime.devices.protocol import KernelArgument, KernelInfo

KERNEL = KernelInfo("probe", (1, 1, 1), 0, (KernelArgument("buffer", "f32", "readwrite"),))
_CODE = (
    "c-mc2O-sW-5M8tRYMZ91X}l?Fk3v#Jiy#V~>Y+D(fLQb(SS+#l+r0?BnSCoE6DITZ-rHr?2J^&32S)73IGdWlNM~eXjjQ$3y8ha~"
    ")>qdHndinTPG%EeBE$r~Yd<${h%vmtKT$1*^Pb=vAvXK%uK8Xz%Bi;>@2!DOs9fzmFSPFJMmV=Xd|_T9ZkW#yTe&MZmUjr@kE-Hq"
    "&bR_XdI9l*J^!D%`mBSMy43wx<($Hgky~n<P|xZt)O}<;|CV*kUI|93`qm5(C9i<Vs4I5CddylhbMk}E-"
    "0yaY6H>l`nCSihIaK{n_Z{n=jCnwo>$|z$n0^Obpzr2po|p7^haKLu!z(%Syp+5QnapRr>m|=9$np3=@0_Z4zkBSfqK@Yb$@zuy4"
    "g3#z6CUd"
)
"""What convert-gpu-to-spirv makes of `m[0] = fma(m[0], m[0], m[1])`: test/devices/fma_probe.mlir."""
FACTOR, ADDEND = 1 + 2.0**-12, -(1 + 2.0**-11)
"""The square is 1 + 2^-11 + 2^-24, whose last part is lost where the product is rounded by itself."""
INPUT = struct.pack("<2f", FACTOR, ADDEND)


def code() -> bytes:
    """The program."""
    return zlib.decompress(base64.b85decode(_CODE))


def is_fused(result: bytes) -> bool:
    """Whether what the program left is that of a fused multiply-add."""
    return struct.unpack("<f", result[:4])[0] == 2.0**-24
