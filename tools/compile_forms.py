"""What hologram-compile writes: the forms that --emit takes, and the files they go to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hologram.errors import UsageError, did_you_mean
from hologram.runtime.archive import pieces
from hologram.runtime.archive.pieces import Want
from hologram.runtime.archive.targets import HOST, Target, find_target

ARCHIVE, SHARED, OBJECT = "archive", "shared", "object"


@dataclass(frozen=True)
class Form:
    """A row of the table."""

    name: str
    suffix: str
    """Of its files."""
    piece: str = ""
    """What is written."""
    device: str = ""
    """The kind of devices that it is for, if it depends on one."""
    default: str = ""
    """The target of that kind that is taken if none is named."""
    title: str = ""


_FORMS = (
    Form(ARCHIVE, ".holo", title="one file with everything for all targets"),
    Form(SHARED, ".so", pieces.CODE, HOST, HOST, "a shared library with the launch ABI, of all files together"),
    Form(OBJECT, ".o", pieces.CODE, HOST, HOST, "an object file"),
    Form("ir", ".mlir", pieces.PLAIN, title="the program as it is read"),
    Form("atlas", ".atlas.mlir", pieces.ATLAS, title="the program in the atlas dialect"),
    Form("atlas-asm", ".atlas", pieces.ASSEMBLY, title="assembly of the Atlas ISA"),
    Form("atlas-binary", ".atlasb", pieces.ISA, title="the binary of the Atlas ISA"),
    Form("json", ".json", pieces.DOCUMENT, title="kernel documents"),
    Form("llvm", ".ll", pieces.LLVM, HOST, HOST, "LLVM IR"),
    Form("llvm-opt", ".opt.ll", pieces.OPTIMISED, HOST, HOST, "LLVM IR behind LLVM's optimiser"),
    Form("asm", ".s", pieces.NATIVE, HOST, HOST, "assembly of this machine"),
    Form("ptx", ".ptx", pieces.DEVICE, "cuda", "sm_90", "kernels for NVIDIA's GPUs"),
    Form("spirv", ".spv", pieces.DEVICE, "vulkan", "vulkan", "kernels for Vulkan"),
    Form("wgsl", ".wgsl", pieces.DEVICE, "webgpu", "webgpu", "kernels for WebGPU"),
    Form("opencl", ".cl", pieces.DEVICE, "opencl", "opencl", "kernels in OpenCL C"),
    Form("metal", ".metal", pieces.DEVICE, "metal", "metal", "kernels in the Metal language"),
    Form("wasm", ".wasm", pieces.DEVICE, "wasm", "wasm", "a WebAssembly module"),
)
FORMS = {form.name: form for form in _FORMS}
TOGETHER = (ARCHIVE, SHARED)
"""The forms that all files go into together."""


def host_code() -> Want:
    """The object code for this machine, with its records."""
    return Want(pieces.CODE, find_target(HOST))


def read_forms(text: str) -> tuple[Form, ...]:
    """The forms of a list such as `ir,ptx`."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in FORMS:
            raise UsageError(
                "compile-form",
                f"--emit knows no '{name}'",
                hint=did_you_mean(name, FORMS) or f"there are {', '.join(FORMS)}",
            )
    return tuple(FORMS[name] for name in dict.fromkeys(names))


def form_of_file(name: str) -> Form | None:
    """The form that a file's name asks for, if it ends as one's files do."""
    fitting = [form for form in _FORMS if name.lower().endswith(form.suffix)]
    return max(fitting, key=lambda form: len(form.suffix), default=None)


@dataclass(frozen=True)
class Product:
    """A form for a target: what is made of each file."""

    form: Form
    want: Want
    suffix: str
    """Of its files: with the target's name, where there are several."""

    def place(self, folder: Path, program: str) -> Path:
        """Where it goes in a folder."""
        return folder / f"{program}{self.suffix}"


def products(forms: Sequence[Form], targets: Sequence[Target], *, named: bool = True) -> list[Product]:
    """What is made of each file, but for archives. Where the targets were not `named`, each form has a default."""
    found: list[Product] = []
    for form in forms:
        if form.name == ARCHIVE:
            continue
        if not form.device:
            found.append(Product(form, Want(form.piece), form.suffix))
            continue
        fitting = [t for t in targets if t.device == form.device]
        if not fitting and named:
            others = ", ".join(t.name for t in targets)
            raise UsageError(
                "compile-form-target",
                f"the form '{form.name}' is code for {form.device}, and --target names {others}",
                hint=f"add {form.default} to the targets, or write another form: archives hold code for all of them",
            )
        fitting = fitting or [find_target(form.default)]
        for target in fitting:
            suffix = form.suffix if len(fitting) == 1 else f".{_plain(target.name)}{form.suffix}"
            found.append(Product(form, Want(form.piece, target), suffix))
    return found


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_.-" else "-" for c in name).strip("-")
