"""Marks: the attributes `hologram.*` by which a front end or a pass tells a later one something. One row each.

A mark stands on an operation, or on an argument of a function or a kernel; one that is there for a pass is gone after
that pass. `lowering/pipelines/stage.py` checks that after each stage, and the page `docs/reference/marks.mdx` is made
of this table. Code uses the constants, never the spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hologram.plugins.tables import KINDS

FUNCTIONS = "func.func gpu.func llvm.func atlas.program atlas.func hologram.kernel"
KERNEL = "gpu.func llvm.func spirv.func"
"""A kernel in the flat form, and what device code makes of it."""


@dataclass(frozen=True)
class Mark:
    """A row of the table."""

    name: str
    """With its prefix, as it stands in IR."""
    on: tuple[str, ...]
    """The names of the operations that it may stand on, `atlas.*` for all of a dialect; `*` for any."""
    types: tuple[str, ...]
    """The names of the attributes that it may be."""
    written: str
    """The passes, and other parts, that write it."""
    read: str
    dropped: tuple[str, ...]
    """The passes after each of which there is none; empty of what stays as long as its operation."""
    meaning: str
    argument: bool = False
    """Whether it stands on arguments of these operations, not on the operations themselves."""

    @property
    def place(self) -> str:
        """The operations or arguments that it stands on, in words."""
        names = ", ".join("any operation" if name == "*" else name for name in self.on)
        return f"arguments of {names}" if self.argument else names

    def may_stand_on(self, op: str) -> bool:
        """Return whether it may stand on operations of this name, or on their arguments."""
        return op in self.on or f"{op.partition('.')[0]}.*" in self.on or "*" in self.on


MARKS: dict[str, Mark] = {}


def find_mark(name: str) -> Mark | None:
    """The mark of a name, of ours or of a plug-in."""
    known = MARKS.get(name)
    row = None if known is not None else KINDS["mark"].find(name)
    return known if row is None else row.thing


def _on_operations(
    name: str, on: str, types: str, meaning: str, *, written: str, read: str, dropped: str = "", argument: bool = False
) -> str:
    """Adds a row; the mark's name."""
    name = f"hologram.{name}"
    columns = [tuple(text.split()) for text in (on, types, dropped)]
    MARKS[name] = Mark(name, columns[0], columns[1], written, read, columns[2], meaning, argument)
    return name


_on_arguments = partial(_on_operations, argument=True)


# fmt: off
# Of functions, programs and kernels

NAME = _on_arguments("name", FUNCTIONS, "string", "what callers call it",
    written="front ends, add-launch-functions, convert-hologram-kernels-to-atlas, assembly",
    read="infer-shapes, fuse-parallel-loops, convert-func-to-llvm")
TYPE = _on_arguments("type", FUNCTIONS, "string",
    "its element type where the SSA type does not say it: `u32`, `f8E4M3FN`, a ring",
    written="front ends, convert-torus-to-atlas, convert-atlas-to-core, assembly",
    read="the reference interpreter, convert-func-to-llvm")
RESULT = _on_arguments("result", FUNCTIONS, "string", "it is a result, and its shape: `(x[0], 4)`",
    written="bufferize", read="insert-coherence-checks, fuse-parallel-loops, hologram-run, convert-func-to-llvm")
SIZE = _on_arguments("size", FUNCTIONS, "string", "which size of the launch it is: `grid_x`, `block_y`, `shared_bytes`",
    written="add-launch-functions, convert-hologram-kernels-to-atlas", read="convert-func-to-llvm")
ACCESS = _on_arguments("access", FUNCTIONS, "string", "how a buffer is used: `read`, `write` or `readwrite`",
    written="flatten-kernels, vectors-to-words, convert-gpu-launch-to-llvm",
    read="convert-func-to-llvm, convert-gpu-to-nvvm, convert-gpu-to-rocdl, convert-gpu-to-spirv, gpu-module-to-binary")
TRAP = _on_arguments("trap", FUNCTIONS, "unit", "it is the trap record, which the launch passes",
    written="convert-atlas-to-core", read="every pass that adds a trap, convert-func-to-llvm")
CLASSES = _on_arguments("classes", FUNCTIONS, "unit", "it is class memory, which the launch passes",
    written="convert-atlas-to-core", read="convert-atlas-to-core, convert-func-to-llvm")
RESONANCE = _on_arguments("resonance", FUNCTIONS, "unit", "it is the sums of R, which the launch passes",
    written="convert-atlas-to-core", read="convert-atlas-to-core, convert-func-to-llvm")
CONSTRAINTS = _on_operations("constraints", FUNCTIONS, "array",
    "what must hold of the sizes of arguments, which the launch checks",
    written="front ends, convert-hologram-to-atlas", read="fuse-parallel-loops, convert-func-to-llvm")
RESULTS = _on_operations("results", "func.func", "array", "the shapes of the results, which become arguments",
    written="convert-hologram-to-atlas", read="bufferize", dropped="bufferize")
LAUNCH = _on_operations("launch", "func.func", "dictionary",
    "it launches as it is told; the fixed sizes of the grid and the block",
    written="add-launch-functions, convert-hologram-kernels-to-atlas", read="convert-func-to-llvm")
UNBOUNDED = _on_operations("unbounded", "func.func llvm.func", "unit", "sizes of arrays do not say how long it runs",
    written="insert-stop-checks", read="convert-func-to-llvm")
SITES = _on_operations("sites", FUNCTIONS, "array", "what each place that traps says, by its number",
    written="convert-atlas-to-core, check-allocations, outline-parallel-loops", read="convert-func-to-llvm")
ENTRY = _on_operations("entry", "llvm.func", "string", "the entry record, which the launch goes by",
    written="convert-func-to-llvm, embed-wasm", read="embed-wasm, the writer of LLVM IR")

# Of kernels

ALIASED = _on_arguments("aliased", KERNEL, "unit", "another argument is the same buffer",
    written="vectors-to-words", read="convert-gpu-to-spirv")
TEXELS = _on_arguments("texels", KERNEL, "unit",
    "its elements are four f32 each, which the driver reads, as a texel buffer's",
    written="vectors-to-words", read="convert-gpu-to-spirv")
JOINED = _on_arguments("joined", KERNEL, "unit", "the buffer lies in one with others",
    written="join-buffers", read="gpu-module-to-binary")
ALIGN = _on_arguments("align", KERNEL, "integer",
    "it begins an integer in parts: the bytes of which its place is a multiple",
    written="split-wide-integers", read="convert-gpu-to-spirv, gpu-module-to-binary")
TENSOR_MAP = _on_arguments("tensor_map", KERNEL, "unit",
    "it is a tensor map, which comes by value and whose address copies take",
    written="schedule-atlas", read="flatten-kernels, convert-gpu-to-nvvm")
ALIGNMENT = _on_arguments("alignment", KERNEL, "integer", "the bytes that workgroup memory starts at a multiple of",
    written="schedule-atlas", read="convert-gpu-to-nvvm")
SHARED_BYTES = _on_operations("shared_bytes", "llvm.func", "integer",
    "the shared memory that each launch asks for, beside what it is told",
    written="convert-gpu-to-nvvm, convert-gpu-to-rocdl", read="gpu-module-to-binary")
KEEP_READS = _on_operations("keep_reads", "gpu.launch gpu.func llvm.func", "unit",
    "what the kernel reads shall leave the last cache after what it stores",
    written="schedule-atlas", read="hint-loads", dropped="hint-loads")
KERNELS = _on_operations("kernels", "gpu.module gpu.binary", "string", "what the kernels take, as JSON",
    written="flatten-kernels, vectors-to-words, join-buffers",
    read="gpu-module-to-binary, convert-gpu-launch-to-llvm")
DEVICE = _on_operations("device", "gpu.binary builtin.module", "string",
    "the kind of device that the code is for; of a module what entry records say of the code, as JSON",
    written="gpu-module-to-binary, convert-gpu-launch-to-llvm",
    read="convert-gpu-launch-to-llvm, convert-func-to-llvm")
FORMAT = _on_operations("format", "gpu.binary", "string", "the form of the code: `ptx`, `spirv`, `wgsl`",
    written="gpu-module-to-binary", read="convert-gpu-launch-to-llvm")
TARGET = _on_operations("target", "gpu.binary", "string", "the architecture that the code is for",
    written="gpu-module-to-binary", read="convert-gpu-launch-to-llvm")

# Of operations

VECTORIZE = _on_operations("vectorize", "scf.for", "unit integer dictionary",
    "no iteration reads or writes what another one writes, so they may be joined to vectors; a number is the"
    " most iterations there are, and a dictionary says more",
    written="schedule-atlas, vectorize-lanes", read="vectorize-lookups, vectorize-loops", dropped="vectorize-loops")
LANES = _on_operations("lanes", "scf.for", "unit", "its iterations are lanes, with no barrier between them",
    written="convert-gpu-to-scf", read="vectorize-lanes", dropped="vectorize-lanes convert-scf-to-cf")
STREAMS = _on_operations("streams", "llvm.fence", "unit",
    "it is there for non-temporal stores before it only, so that one behind a loop does for all iterations",
    written="schedule-atlas, vectorize-loops", read="outline-parallel-loops")
NOT_ABOVE_ZERO = _on_operations("not_above_zero", "atlas.* math.*", "unit",
    "its operand is no number above 0, which expansions may have fewer steps for",
    written="schedule-atlas", read="convert-atlas-to-core, expand-math", dropped="expand-math")
PARALLEL = _on_operations("parallel", "func.call", "unit",
    "the range between its first two operands may be split, and the parts run in any order or at once",
    written="outline-parallel-loops", read="convert-func-to-llvm", dropped="convert-to-llvm")
GOES_ON = _on_operations("goes_on", "func.call", "unit", "its caller looks whether it trapped, and leaves by itself",
    written="release-on-trap", read="convert-func-to-llvm", dropped="convert-to-llvm")
OWNER = _on_operations("of", "memref.alloc", "string", "the name of the operation that needs the memory",
    written="bufferize, schedule-atlas, convert-atlas-to-core, convert-gpu-to-scf", read="check-allocations")
HOST = _on_operations("host", "*", "unit",
    "the memory that it accesses is the host's own, like the driver's tensor maps",
    written="schedule-atlas", read="convert-parallel-loops-to-gpu")
READ = _on_operations("read", "memref.load", "unit", "the host needs what it loads, from the device's memory",
    written="bufferize", read="convert-parallel-loops-to-gpu, convert-gpu-launch-to-llvm", dropped="convert-to-llvm")
COHERENCE = _on_operations("coherence", "*", "string", "the moduli of its check, or why it has none",
    written="insert-coherence-checks", read="people")
