"""The choice of a code of a program: the rules of options and processors."""

from __future__ import annotations

import pytest

from hologram.runtime.archive import Archive, Code, Host, Program, open, write
from hologram.runtime.archive.choose import choose, kind_of, options_of, why_not_device, why_not_host
from hologram.runtime.archive.records import CodeRecord
from sample_archives import entry

HERE = Host("x86_64-unknown-linux-gnu", "here", ("avx2", "fma", "sse2"))
PLAIN = Host(HERE.triple, "old", ("sse2",))


def code(target: str, format: str = "object", host: Host | None = PLAIN, **options: str) -> CodeRecord:
    return CodeRecord(target, format, host, {name.replace("_", "-"): value for name, value in options.items()})


@pytest.mark.parametrize(
    ("made", "there", "reason"),
    [
        (code("sm_90"), {"arch": "sm_90a"}, ""),
        (code("sm_80"), {"arch": "sm_100"}, ""),
        (code("sm_90"), {"arch": "sm_86"}, "made for arch 'sm_90'"),
        (code("sm_90a"), {"arch": "sm_90a"}, ""),
        (code("sm_90a"), {"arch": "sm_100"}, "made for arch 'sm_90a'"),
        (code("vulkan"), {"fma": "true", "limb": "64", "shared": "49152", "float-controls": "ftz"}, ""),
        (code("vulkan"), {"limb": "32"}, "made for limb '64', and the device has '32'"),
        (code("vulkan", limb="32"), {"limb": "64"}, ""),
        (code("vulkan", fma="true"), {"fma": "false"}, "made for fma"),
        (code("vulkan", shared="65536"), {"shared": "32768"}, "made for shared"),
        (code("vulkan", float_controls="a,b"), {"float-controls": "a"}, "made for float-controls"),
        (code("webgpu"), {"features": "f16,i64", "bindings": "10"}, ""),
        (code("webgpu", features="i64"), {"features": "f16"}, "made for features 'i64'"),
        (code("webgpu", limb="64"), {"features": "f16"}, "made for limb '64', and the device has '32'"),
        (code("webgpu"), {"features": ""}, ""),
        (code("webgpu", bindings="16"), {"bindings": "8"}, "made for bindings"),
        (code("opencl"), {"features": "atomics64,f64", "schedule": "processor", "block": "1"}, ""),
        (code("vulkan"), {"schedule": "lanes", "tables": "select-tables", "fma": "true"}, ""),
        (code("vulkan"), {"texels": "true"}, ""),
        (code("vulkan", texels="true"), {"texels": "true"}, ""),
        (code("vulkan", texels="true"), {"texels": "false"}, "made for texels 'true', and the device has 'false'"),
        (code("wasm"), {}, ""),
        (code("toy", level="3"), {"level": "3"}, ""),
        (code("toy", level="3"), {"level": "4"}, "made for level"),
        (code("toy", level="3"), {}, "the device has 'none'"),
    ],
)
def test_options(made: CodeRecord, there: dict[str, str], reason: str):
    found = why_not_device(made, there)
    assert (reason in found) if reason else not found


def test_processors():
    assert why_not_host(PLAIN, HERE) == ""
    assert why_not_host(HERE, PLAIN) == "this processor has not avx2, fma"
    many = Host(HERE.triple, "new", tuple("abcdef"))
    assert why_not_host(many, HERE) == "this processor has not a, b, c and 3 others"
    assert "it is for riscv64" in why_not_host(Host("riscv64", "", ()), HERE)


def test_kinds_and_defaults():
    assert [kind_of(target) for target in ("cpu", "sm_90", "sm_100a", "webgpu", "toy")] == [
        "cpu", "cuda", "cuda", "webgpu", "toy",
    ]  # fmt: skip
    assert options_of(code("sm_80"))["arch"] == "sm_80"
    assert options_of(code("webgpu", bindings="3"))["bindings"] == "3"
    assert options_of(code("webgpu"))["features"] == ""
    assert options_of(code("vulkan"))["limb"] == "64"


def test_the_best_is_chosen():
    codes = [
        code("sm_80"),
        code("cpu"),
        code("cpu", "shared"),
        code("sm_90"),
        code("sm_90", "ptx", None),
        code("sm_120"),
    ]
    assert choose(codes, "cuda", {"arch": "sm_90a"}, HERE, True)[0] == 3
    assert choose(codes, "cpu", {}, HERE, True) == (2, [])
    assert choose(codes, "cpu", {}, HERE, False) == (1, [])
    number, reasons = choose(codes, "cuda", {"arch": "sm_75"}, HERE, True)
    assert number is None
    assert len(reasons) == 3
    assert choose(codes, "vulkan", {}, HERE, True) == (None, [])


def test_code_for_several_processors():
    fast = Host(HERE.triple, "new", ("avx2", "fma", "sse2"))
    newer = Host(HERE.triple, "newer", ("avx2", "avx512f", "fma", "sse2"))
    arm = Host("aarch64-unknown-linux-gnu", "arm", ())
    codes = [code("cpu", "shared", host) for host in (PLAIN, newer, fast, arm)]
    assert choose(codes, "cpu", {}, HERE, True)[0] == 2
    assert choose(codes, "cpu", {}, PLAIN, True)[0] == 0
    assert choose(codes, "cpu", {}, arm, True)[0] == 3
    held = tuple(Code(c.target, c.format, b"", c.host, c.options) for c in codes)
    program = Program("p", "", "", b"", None, (entry("f"),), held)
    found = open(write(Archive((program,)))).record(0).codes
    assert [c.host for c in found] == [arm, newer, fast, PLAIN]
