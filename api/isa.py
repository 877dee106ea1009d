"""The Atlas ISA's machine form for programs that write programs: assembly, binary, and a builder.

    from hologram import isa

    module = isa.assemble(text)
    data = isa.encode(module)
    print(isa.disassemble(isa.decode(data)))

A module is IR of the `machine` dialect (`str(module)` shows it); all functions give and take it. What is wrong in a
text, a binary or a module raises `hologram.InputError` or `hologram.errors.VerifyError` with its place.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from hologram.errors import UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def assemble(text: str, name: str = "<assembly>") -> ModuleOp:
    """Reads assembly into a valid module. Errors call the text `name`."""
    from hologram.frontend.assembler import parse_assembly
    from hologram.transforms.analysis.verifier import verify_module

    module = parse_assembly(text, name)
    verify_module(module)
    return module


def disassemble(module: ModuleOp) -> str:
    """The canonical assembly of a valid module: assembling it, encoding and decoding it, change no byte of it."""
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.assembly import print_assembly

    return print_assembly(listing_of(module))


def encode(module: ModuleOp) -> bytes:
    """The binary container of a valid module."""
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.binary import encode_listing

    return encode_listing(listing_of(module))


def decode(data: bytes, name: str = "<binary>") -> ModuleOp:
    """Reads a binary container into a valid module; refuses one in which any byte differs from what was written."""
    from hologram.frontend.atlas_binary import parse_binary
    from hologram.transforms.analysis.verifier import verify_module

    module = parse_binary(bytes(data), name)
    verify_module(module)
    return module


@dataclass(frozen=True)
class Name:
    """A register, predicate, buffer, array or label of a program, as it stands in assembly."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __getitem__(self, offset: Name | int | tuple[Name | int, ...]) -> Name:
        """An address: `buffer[i]`, `buffer[i, 64]`, `pointer[8]`; offsets are in bytes."""
        parts = offset if isinstance(offset, tuple) else (offset,)
        terms = "".join(f" - {-p}" if isinstance(p, int) and p < 0 else f" + {p}" for p in parts if p != 0)
        return Name(f"[{self.text}{terms}]")

    def axis(self, number: int) -> Name:
        """The size of an axis of an array, for temporary arrays."""
        return Name(f"{self.text}.{number}")


Operand: TypeAlias = Name | int | float | bool | str


class _Builder:
    """The base of programs and functions: parameters and registers."""

    def __init__(self, name: str, head: str, launch: str = ""):
        self.name = name
        self._head = head
        self._launch = launch
        self._parameters: list[str] = []
        self._outs: list[str] = []
        self._declared: list[str] = []
        self._lines: list[str] = []
        self._counts: dict[str, int] = {}

    def _next(self, word: str, step: int = 1) -> int:
        number = self._counts.get(word, 0)
        self._counts[word] = number + step
        return number

    # Declarations

    def scalar(self, dtype: str) -> Name:
        """A scalar parameter of a program, or an in register of a function; gives its register."""
        register = self.register(dtype)
        self._parameters.append(f"{register}: {dtype}")
        return register

    def buffer(self, dtype: str, *sizes: int | None) -> Name:
        """An array parameter of a program; None, or no sizes at all, for one axis that the launch sizes."""
        name = f"buf{self._next('buf')}"
        shape = ", ".join("?" if n is None else str(n) for n in sizes or (None,))
        self._parameters.append(f"{name}: {dtype}[{shape}]")
        return Name(name)

    def register(self, dtype: str = "u64") -> Name:
        """A register that nothing else of this builder has: several for types over 64 bits, a predicate for bool."""
        if dtype == "bool":
            return self.predicate()
        digits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
        width = max(1, int(digits) // 64) if digits.isdigit() else 1
        number = self._next("r", width)
        if number + width > 252:
            raise UsageError(
                "builder-registers", f"'{self.name}' needs more than the 252 registers that are free",
                hint="reuse some, or write SSA form and let registers be assigned",
            )  # fmt: skip
        return Name(f"r{number}")

    def predicate(self) -> Name:
        """A predicate that nothing else of this builder has."""
        number = self._next("p")
        if number >= 16:
            raise UsageError(
                "builder-predicates", f"'{self.name}' needs more than the 16 predicates", hint="reuse some"
            )
        return Name(f"p{number}")

    @property
    def text(self) -> str:
        """The assembly so far."""
        outs = f" -> ({', '.join(self._outs)})" if self._outs else ""
        head = f"{self._head} {self.name}({', '.join(self._parameters)}){outs} {{"
        return "\n".join([head, *([self._launch] if self._launch else []), *self._declared, *self._lines, "}\n"])


class CodeBuilder(_Builder):
    """One program or function of a `ProgramBuilder`: declarations and instructions are added in order."""

    def __init__(self, name: str, is_function: bool, launch: str = ""):
        super().__init__(name, ".func" if is_function else ".program", launch)

    def result(self, dtype: str) -> Name:
        """An out register of a function."""
        register = self.register(dtype)
        self._outs.append(f"{register}: {dtype}")
        return register

    def shared(self, dtype: str, size: int | None = None) -> Name:
        """An array in shared memory; without a size, the one that the launch's shared bytes size."""
        return self._declare("shared", dtype, "?" if size is None else str(size))

    def local(self, dtype: str, size: int) -> Name:
        """An array in the lane's own memory."""
        return self._declare("local", dtype, str(size))

    def _declare(self, word: str, dtype: str, size: str) -> Name:
        name = f"{word}{self._next(word)}"
        self._declared.append(f"  .{word} {name}: {dtype}[{size}]")
        return Name(name)

    # Instructions

    def emit(self, mnemonic: str, *operands: Operand) -> None:
        """An instruction as assembly has it: `emit("fma.f32", d, a, b, c)`, `emit("ldg.f32", d, x[i])`."""
        self._lines.append(f"  {mnemonic} {', '.join(map(_text, operands))}".rstrip())

    def label(self, name: str | None = None) -> Name:
        """A label that is not placed yet."""
        return Name(f"label{self._next('label')}" if name is None else name)

    def place(self, label: Name) -> None:
        """Puts a label before the next instruction."""
        self._lines.append(f"{label}:")

    def bra(self, label: Name, predicate: Name | None = None, *, negated: bool = False) -> None:
        """Branches to a label: always, or where the predicate holds (does not hold, if `negated`)."""
        guard = "" if predicate is None else f"@{'!' if negated else ''}{predicate} "
        self._lines.append(f"  {guard}bra {label}")

    @contextmanager
    def loop(self, count: Name | int) -> Generator[Name]:
        """Executes what is added within exactly `count` times: a constant, or a u32 register, which is used up.

        Gives the counter, which goes down to 1.
        """
        counter = self.register("u32") if isinstance(count, int) else count
        extra = counter if isinstance(count, int) else self.predicate()
        self._lines.append(f"  loop {count}, {extra} {{")
        yield counter
        self._lines.append("  }")


Setting: TypeAlias = "Operand | Sequence[Operand]"


class ArraysBuilder(_Builder):
    """One array-level program of a `ProgramBuilder`."""

    def __init__(self, name: str):
        super().__init__(name, ".arrays")

    def cell(self, dtype: str) -> Name:
        """An array parameter of rank 0: one element."""
        name = f"buf{self._next('buf')}"
        self._parameters.append(f"{name}: {dtype}[]")
        return Name(name)

    def temporary(self, dtype: str, *sizes: int | Name) -> Name:
        """An array that lives while the program runs; a size is a number, or an axis of a parameter: `x.axis(0)`."""
        name = f"temp{self._next('temp')}"
        self._declared.append(f"  .temp {name}: {dtype}[{', '.join(map(str, sizes))}]")
        return Name(name)

    def constant(self, dtype: str, value: float | bool) -> Name:
        """A register that holds a number."""
        register = self.register(dtype)
        self._lines.append(f"  mov_imm.{dtype} {register}, {_text(value)}")
        return register

    def emit(self, mnemonic: str, outs: Name | Sequence[Name], *ins: Name, **settings: Setting) -> None:
        """An array-level instruction: `emit("gemm", c, a, b, alpha=2.0, trans_b=True)`. Several outs stand in a
        sequence, and so does what a setting has several of; a switch is True, or False, as if it were not there."""
        first = str(outs) if isinstance(outs, Name) else f"({', '.join(map(str, outs))})"
        given = [_setting(name, value) for name, value in settings.items() if value is not False]
        self._lines.append(f"  {mnemonic} {', '.join([first, *map(str, ins), *given])}")


def _setting(name: str, value: Setting) -> str:
    if value is True:
        return name
    parts = [value] if isinstance(value, Name | int | float | str) else value
    return f"{name}({', '.join(map(_text, parts))})"


def _text(operand: Operand) -> str:
    if isinstance(operand, bool):
        return "true" if operand else "false"
    return repr(operand) if isinstance(operand, float) else str(operand)


CodeT = TypeVar("CodeT", CodeBuilder, ArraysBuilder)


@dataclass
class ProgramBuilder:
    """Builds a module in process: programs, functions, array-level programs, pools, then `build`.

    builder = ProgramBuilder()
    p = builder.program("double", block=(256, 1, 1))
    x = p.buffer("f32")
    i, v = p.register("u64"), p.register("f32")
    p.emit("mov.u64", i, "%gid")
    ...
    module = builder.build()
    """

    codes: list[CodeBuilder | ArraysBuilder | str] = field(default_factory=list["CodeBuilder | ArraysBuilder | str"])
    pools: int = 0

    def program(
        self,
        name: str,
        *,
        block: Sequence[int] | None = None,
        grid: Sequence[int] | None = None,
        shared: int | None = None,
    ) -> CodeBuilder:
        """A program; what is given of its launch is fixed."""
        parts = [f"{w}({', '.join(map(str, s))})" for w, s in (("block", block), ("grid", grid)) if s is not None]
        parts += [] if shared is None else [f"shared({shared})"]
        return self._add(CodeBuilder(name, False, f"  .launch {' '.join(parts)}" if parts else ""))

    def function(self, name: str) -> CodeBuilder:
        """A function; `scalar` declares what comes in, `result` what goes out."""
        return self._add(CodeBuilder(name, True))

    def arrays(self, name: str) -> ArraysBuilder:
        """An array-level program."""
        return self._add(ArraysBuilder(name))

    def _add(self, code: CodeT) -> CodeT:
        self.codes.append(code)
        return code

    def pool(self, dtype: str, size: int) -> Name:
        """A pool of constant size."""
        name = f"pool{self.pools}"
        self.pools += 1
        self.codes.append(f".pool {name}: {dtype}[{size}]\n")
        return Name(name)

    @property
    def text(self) -> str:
        """The assembly of everything so far."""
        return "\n".join(code if isinstance(code, str) else code.text for code in self.codes)

    def build(self) -> ModuleOp:
        """The valid module. Errors show the line of the assembly that the builder wrote."""
        return assemble(self.text, "<program builder>")


__all__ = ["ArraysBuilder", "CodeBuilder", "Name", "ProgramBuilder", "assemble", "decode", "disassemble", "encode"]
