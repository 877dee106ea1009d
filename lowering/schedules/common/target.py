"""The description of a device that schedules read: its capabilities, never its name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NoParameters:
    """The parameters of schedules that have none yet."""


@dataclass(frozen=True)
class Target:
    """The capabilities of a device."""

    name: str
    rows: int = 1
    """How many rows columns add up side by side: each is a stream through memory, and adds to what is in a register."""
    vector_bytes: int = 64
    """Of a vector register: schedules that write vectors themselves make them this wide."""
    cache_bytes: int = 32 * 1024 * 1024
    """Of the last cache: what moves more at once writes past it. 0 where no store does."""
    family: str = "cpu"
    """Whose schedules it takes where it has none of its own."""
    threads: int = 256
    """Of a block that schedules launch, a power of two from 128 on."""
    shared_bytes: int = 32 * 1024
    """What the threads of a block share."""
    stack_bytes: int = 0
    """What the arrays of a function may take of the stack; those beyond come from the heap. 0 where they never are too
    many: parallel loops become functions of their own."""
    most_blocks: int = 65535
    """Of a grid along each axis."""
    fma: bool = True
    """Whether there is a fused multiply-add that is as fast as a multiplication."""
    arch: str = ""
    """The architecture whose own instructions may be used, if any."""
    word_bytes: int = 0
    """What a thread loads and stores of neighbours at once, where it computes with single elements; 0 where no more
    than an element."""
    processors: int = 132
    """How many blocks that take all of a multiprocessor run at a time."""
    is_host: bool = False
    """Whether its vectors and caches are those of the machine that compiles, unless options say otherwise."""
    vector_widths: tuple[int, ...] = (4, 16)
    """What the option `vector-bytes` may be."""
    most_threads: int = 0
    """Of a block that schedules of rows launch; 0 where no other limit is known than `threads`."""
    has_architectures: bool = False
    """Whether there are architectures with instructions of their own."""
    limits_registers: bool = False
    """Whether a kernel can say how many registers a thread has, and how many blocks shall have theirs at a time."""
    unrolls_loops: bool = False
    """Whether its compiler unrolls a loop that is marked so; elsewhere schedules write iterations out."""
    has_fast_reciprocal: bool = False
    """Whether a quotient of 32 bits is sooner had exactly by way of the reciprocal than by a division."""

    @property
    def access_bytes(self) -> int:
        """The bytes that a thread loads and stores at once."""
        return max(self.vector_bytes, self.word_bytes)

    @property
    def has_policies(self) -> bool:
        """Return whether loads can say how long a cache shall keep what they loaded."""
        number = self.arch.removeprefix("sm_").rstrip("a")
        return number.isdigit() and int(number) >= 80

    @property
    def has_lanes(self) -> bool:
        """Return whether threads are lanes of a processor's vectors, which go both ways of every branch: what is the
        same for a whole launch is decided before it."""
        return self.word_bytes > 0


TARGETS = {
    "cpu": Target("cpu", is_host=True, vector_widths=(16, 32, 64)),
    # Engines load and store the accumulators of columns at each row: column sums of 64 MiB take half the time.
    # Of the stack of 1 MiB, half is for what LLVM keeps there.
    "wasm": Target(
        "wasm", rows=4, vector_bytes=16, cache_bytes=0, stack_bytes=1 << 19, fma=False, vector_widths=(16, 32, 64)
    ),
    # Vectors of one element of any type: languages for devices load and store scalars.
    "gpu": Target("gpu", family="gpu", vector_bytes=1),
    # A processor behind a language for devices, whose compiler makes vectors of loops.
    "processor": Target("processor", vector_bytes=1, cache_bytes=0),
    # A processor that runs the threads of a block as lanes of its vectors, and goes through memory lane by lane.
    "lanes": Target("lanes", family="gpu", vector_bytes=1, word_bytes=32, most_blocks=2**31 - 1),
    "cuda": Target(
        "cuda",
        family="gpu",
        vector_bytes=16,
        shared_bytes=48 * 1024,
        most_blocks=2**31 - 1,
        most_threads=1024,
        has_architectures=True,
        limits_registers=True,
        unrolls_loops=True,
        has_fast_reciprocal=True,
    ),
}
