"""Upstream's enumerations of the llvm dialect, as the numbers and words that attributes hold."""

from __future__ import annotations

from collections.abc import Mapping

GEP_USE_SSA_VAL = -(1 << 31)
"""In a getelementptr's constant indices: this index is an operand."""

# No-wrap flags of getelementptr. `inbounds` implies `nusw`.
GEP_NONE, GEP_NUSW, GEP_INBOUNDS, GEP_NUW = 0, 2, 3, 4
GEP_INBOUNDS_NUW = 7

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "_true",
)  # fmt: skip

ORDERINGS: Mapping[int, str] = {
    0: "not_atomic",
    1: "unordered",
    2: "monotonic",
    4: "acquire",
    5: "release",
    6: "acq_rel",
    7: "seq_cst",
}
ORDERING_NUMBERS: Mapping[str, int] = {name: number for number, name in ORDERINGS.items()}

ATOMIC_OPERATIONS = (
    "xchg", "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
    "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum",
)  # fmt: skip

LINKAGES = (
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
)  # fmt: skip

VISIBILITIES = ("default", "hidden", "protected")
UNNAMED_ADDRS = ("", "local_unnamed_addr", "unnamed_addr")

CALLING_CONVENTIONS: Mapping[str, str] = {
    "ccc": "",
    "fastcc": "fastcc",
    "coldcc": "coldcc",
    "cc_10": "ghccc",
    "cc_11": "cc 11",
    "anyregcc": "anyregcc",
    "preserve_mostcc": "preserve_mostcc",
    "preserve_allcc": "preserve_allcc",
    "swiftcc": "swiftcc",
    "cxx_fast_tlscc": "cxx_fast_tlscc",
    "tailcc": "tailcc",
    "cfguard_checkcc": "cfguard_checkcc",
    "swifttailcc": "swifttailcc",
    "x86_stdcallcc": "x86_stdcallcc",
    "x86_fastcallcc": "x86_fastcallcc",
    "arm_apcscc": "arm_apcscc",
    "arm_aapcscc": "arm_aapcscc",
    "arm_aapcs_vfpcc": "arm_aapcs_vfpcc",
    "x86_thiscallcc": "x86_thiscallcc",
    "ptx_kernelcc": "ptx_kernel",
    "ptx_devicecc": "ptx_device",
    "spir_funccc": "spir_func",
    "spir_kernelcc": "spir_kernel",
    "intel_ocl_bicc": "intel_ocl_bicc",
    "x86_64_sysvcc": "x86_64_sysvcc",
    "win64cc": "win64cc",
    "x86_vectorcallcc": "x86_vectorcallcc",
    "x86_intrcc": "x86_intrcc",
    "amdgpu_kernelcc": "amdgpu_kernel",
    "amdgpu_cscc": "amdgpu_cs",
    "amdgpu_gfxcc": "amdgpu_gfx",
    "x86_regcallcc": "x86_regcallcc",
    "aarch64_vectorcallcc": "aarch64_vector_pcs",
    "aarch64_sve_vectorcallcc": "aarch64_sve_vector_pcs",
}
"""The calling conventions by upstream's name, with the word LLVM IR uses."""
