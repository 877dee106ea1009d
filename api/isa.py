"""The Atlas ISA's machine form for programs that write programs: assembly, binary, an optimiser, and a builder.

    from hologram import isa

    module = isa.assemble(text)
    data = isa.encode(module)
    print(isa.disassemble(isa.decode(data)))
    print(isa.metadata(isa.optimize(module)).length)

A module is IR of the `machine` dialect (`str(module)` shows it); all functions give and take it. What is wrong in a
text, a binary or a module raises `hologram.InputError` or `hologram.errors.VerifyError` with its place.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeAlias, TypeVar

from hologram.errors import HologramError, UsageError, Where, did_you_mean
from hologram.errors.arguments import checked
from hologram.errors.names import no_other_names
from hologram.frontend.tensors.trace.locations import here

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from hologram.lowering.machine.metadata import Metadata


@checked
def assemble(text: str, name: str = "<assembly>") -> ModuleOp:
    """Reads assembly into a valid module. Errors call the text `name`."""
    from hologram.frontend.assembler import parse_assembly
    from hologram.transforms.analysis.verifier import verify_module

    module = parse_assembly(text, name)
    verify_module(module)
    return module


@checked
def disassemble(module: ModuleOp) -> str:
    """The canonical assembly of a valid module: assembling it, encoding and decoding it, change no byte of it."""
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.assembly import print_assembly

    return print_assembly(listing_of(module))


@checked
def encode(module: ModuleOp) -> bytes:
    """The binary container of a valid module."""
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.binary import encode_listing

    return encode_listing(listing_of(module))


@checked
def decode(data: bytes, name: str = "<binary>") -> ModuleOp:
    """Reads a binary container into a valid module; refuses one in which any byte differs from what was written."""
    from hologram.frontend.atlas_binary import parse_binary
    from hologram.transforms.analysis.verifier import verify_module

    module = parse_binary(bytes(data), name)
    verify_module(module)
    return module


@checked
def optimize(module: ModuleOp) -> ModuleOp:
    """A shorter module of the same meaning, or a copy where there is none, as pass `optimize-machine` makes it: with
    constants folded, without what is repeated or not needed. What programs take, their names and launch sizes stay."""
    from hologram.dialects import make_context
    from hologram.dialects.machine.to_listing import listing_of
    from hologram.lowering.machine.optimize_machine import OptimizeMachinePass
    from hologram.transforms.analysis.verifier import verify_module

    listing_of(module)  # refuses what is not of the machine form
    optimized = module.clone()
    OptimizeMachinePass().apply(make_context(), optimized)
    verify_module(optimized)
    return optimized


@checked
def metadata(module: ModuleOp) -> Metadata:
    """What a valid module says of itself: its programs with their parameters, registers, memory and lengths, its pools,
    and the version of the binary form that it needs. `len` of it, or of a program, is the number of instructions."""
    from hologram.lowering.machine.metadata import metadata_of

    return metadata_of(module)


@checked
@dataclass(frozen=True)
class Name:
    """A register, predicate, buffer, array or label of a program, as it stands in assembly."""

    text: str
    owner: object = field(default=None, compare=False, repr=False)
    """The program or function that it is of; None if any may use it."""

    def __str__(self) -> str:
        return self.text

    def __getitem__(self, offset: Name | int | tuple[Name | int, ...]) -> Name:
        """An address: `buffer[i]`, `buffer[i, 64]`, `pointer[8]`; offsets are in bytes."""
        parts = offset if isinstance(offset, tuple) else (offset,)
        if (
            self.text.startswith(_ARRAYS)
            and sum(p for p in parts if isinstance(p, int)) < 0
            and Name not in map(type, parts)
        ):
            message = f"an offset of {sum(p for p in parts if isinstance(p, int))} bytes lies before '{self.text}'"
            raise UsageError("builder-offset", message, hint="offsets are in bytes, and count from 0")
        owners = [o for o in (self.owner, *(p.owner for p in parts if isinstance(p, Name))) if o is not None]
        if any(o is not owners[0] for o in owners):
            _refuse_owner(
                next(p.text for p in parts if isinstance(p, Name) and p.owner is not self.owner), "the address"
            )
        terms = "".join(f" - {-p}" if isinstance(p, int) and p < 0 else f" + {p}" for p in parts if p != 0)
        return Name(f"[{self.text}{terms}]", next(iter(owners), None))

    __iter__: ClassVar[None] = None
    """Not by its addresses, of which there is no end."""

    def axis(self, number: int) -> Name:
        """The size of an axis of an array, for temporary arrays."""
        return Name(f"{self.text}.{number}", self.owner)


_ARRAYS = ("buf", "shared", "local", "pool")
_BUILT = "<program builder>"
"""What errors call the text that a builder wrote."""


def _refuse_owner(name: str, user: str) -> NoReturn:
    message = f"'{name}' belongs to another program than {user}"
    raise UsageError("builder-owner", message, hint="each program has registers, arrays and labels of its own")


Operand: TypeAlias = Name | int | float | bool | str


@checked
class _Builder:
    """The base of programs and functions: parameters and registers."""

    def __init__(self, name: str, head: str, launch: str = ""):
        if _WORD.fullmatch(name) is None:
            message = f"'{name}' is no name of a program or function"
            raise UsageError("builder-name", message, hint="names are made of letters, digits, '_', '.' and '$'")
        self.name = name
        self._head = head
        self._launch = launch
        self._parameters: list[str] = []
        self._outs: list[str] = []
        self._declared: list[str] = []
        self._lines: list[str] = []
        self._counts: dict[str, int] = {}
        self.places: dict[str, Where] = {}
        """Where each line was added, by its text; of equal lines the first."""
        for line in filter(None, (f"{head} {name}(", launch.strip())):
            self.places[line] = here().where

    def __repr__(self) -> str:
        parameters = ", ".join(self._parameters)
        return f"<hologram.isa {self._head[1:]} {self.name}({parameters}), {len(self._lines)} lines>"

    def __len__(self) -> int:
        """The number of instructions that were added; a structured loop counts as one."""
        return sum(not line.endswith(":") and line.strip() != "}" for line in self._lines)

    def __bool__(self) -> bool:
        return True

    def _line(self, text: str, *used: object) -> str:
        """A line of the program, whose place is that of the call; what it uses must be of this program."""
        for name in used:
            if isinstance(name, Name) and name.owner not in (None, self):
                _refuse_owner(name.text, f"'{self.name}'")
        self.places.setdefault(text.strip(), here().where)
        return text

    def _made(self, text: str) -> Name:
        return Name(text, self)

    def _next(self, word: str, step: int = 1) -> int:
        number = self._counts.get(word, 0)
        self._counts[word] = number + step
        return number

    # Declarations

    def scalar(self, dtype: str) -> Name:
        """A scalar parameter of a program, or an in register of a function; gives its register."""
        register = self.register(dtype)
        self._parameters.append(self._line(f"{register}: {dtype}"))
        return register

    def buffer(self, dtype: str, *sizes: int | None) -> Name:
        """An array parameter of a program; None, or no sizes at all, for one axis that the launch sizes."""
        name = f"buf{self._next('buf')}"
        shape = ", ".join("?" if n is None else str(n) for n in sizes or (None,))
        self._parameters.append(self._line(f"{name}: {dtype}[{shape}]"))
        return self._made(name)

    def register(self, dtype: str = "u64") -> Name:
        """A register that nothing else of this builder has: several for types over 64 bits, a predicate for bool."""
        if dtype == "bool":
            return self.predicate()
        from hologram.dialects.atlas.instructions.types import DTYPES

        if dtype not in DTYPES and not _POINTER.fullmatch(dtype):
            hint = did_you_mean(dtype, DTYPES) or f"the types are {', '.join(DTYPES)}"
            raise UsageError("builder-type", f"there is no type '{dtype}'", hint=hint)
        digits = dtype.lstrip("abcdefghijklmnopqrstuvwxyz")
        width = max(1, int(digits) // 64) if digits.isdigit() else 1
        number = self._next("r", width)
        if number + width > 252:
            raise UsageError(
                "builder-registers", f"'{self.name}' needs more than the 252 registers that are free",
                hint="reuse some, or write SSA form and let registers be assigned",
            )  # fmt: skip
        return self._made(f"r{number}")

    def predicate(self) -> Name:
        """A predicate that nothing else of this builder has."""
        number = self._next("p")
        if number >= 16:
            raise UsageError(
                "builder-predicates", f"'{self.name}' needs more than the 16 predicates", hint="reuse some"
            )
        return self._made(f"p{number}")

    @property
    def text(self) -> str:
        """The assembly so far."""
        outs = f" -> ({', '.join(self._outs)})" if self._outs else ""
        head = f"{self._head} {self.name}({', '.join(self._parameters)}){outs} {{"
        return "\n".join([head, *([self._launch] if self._launch else []), *self._declared, *self._lines, "}\n"])


@checked
class CodeBuilder(_Builder):
    """One program or function of a `ProgramBuilder`: declarations and instructions are added in order."""

    def __init__(self, name: str, is_function: bool, launch: str = ""):
        super().__init__(name, ".func" if is_function else ".program", launch)

    def result(self, dtype: str) -> Name:
        """An out register of a function."""
        if self._head != ".func":
            message = f"'{self.name}' is a program, which gives no values"
            raise UsageError("builder-result", message, hint="builder.function makes functions; programs write arrays")
        register = self.register(dtype)
        self._outs.append(self._line(f"{register}: {dtype}"))
        return register

    def shared(self, dtype: str, size: int | None = None) -> Name:
        """An array in shared memory; without a size, the one that the launch's shared bytes size."""
        return self._declare("shared", dtype, "?" if size is None else str(size))

    def local(self, dtype: str, size: int) -> Name:
        """An array in the lane's own memory."""
        return self._declare("local", dtype, str(size))

    def _declare(self, word: str, dtype: str, size: str) -> Name:
        name = f"{word}{self._next(word)}"
        self._declared.append(self._line(f"  .{word} {name}: {dtype}[{size}]"))
        return self._made(name)

    # Instructions

    def emit(self, mnemonic: str, *operands: Operand) -> None:
        """An instruction as assembly has it: `emit("fma.f32", d, a, b, c)`, `emit("ldg.f32", d, x[i])`."""
        _check_mnemonic(mnemonic)
        self._lines.append(self._line(f"  {mnemonic} {', '.join(map(_text, operands))}".rstrip(), *operands))

    def label(self, name: str | None = None) -> Name:
        """A label that is not placed yet."""
        return self._made(f"label{self._next('label')}" if name is None else name)

    def place(self, label: Name) -> None:
        """Puts a label before the next instruction."""
        self._lines.append(self._line(f"{label}:", label))

    def bra(self, label: Name, predicate: Name | None = None, *, negated: bool = False) -> None:
        """Branches to a label: always, or where the predicate holds (does not hold, if `negated`)."""
        guard = "" if predicate is None else f"@{'!' if negated else ''}{predicate} "
        self._lines.append(self._line(f"  {guard}bra {label}", label, predicate))

    @contextmanager
    def loop(self, count: Name | int) -> Generator[Name]:
        """Executes what is added within exactly `count` times: a constant, or a u32 register, which is used up.

        Gives the counter, which goes down to 1.
        """
        counter = self.register("u32") if isinstance(count, int) else count
        extra = counter if isinstance(count, int) else self.predicate()
        self._lines.append(self._line(f"  loop {count}, {extra} {{", count))
        yield counter
        self._lines.append("  }")


_POINTER = re.compile(r"ptr\b.*")
_WORD = re.compile(r"[A-Za-z_][\w.$]*")
_MNEMONIC = re.compile(r"[\w.]+")
Setting: TypeAlias = "Operand | Sequence[Operand]"


@checked
class ArraysBuilder(_Builder):
    """One array-level program of a `ProgramBuilder`."""

    def __init__(self, name: str):
        super().__init__(name, ".arrays")

    def cell(self, dtype: str) -> Name:
        """An array parameter of rank 0: one element."""
        name = f"buf{self._next('buf')}"
        self._parameters.append(self._line(f"{name}: {dtype}[]"))
        return self._made(name)

    def temporary(self, dtype: str, *sizes: int | Name) -> Name:
        """An array that lives while the program runs; a size is a number, or an axis of a parameter: `x.axis(0)`."""
        name = f"temp{self._next('temp')}"
        self._declared.append(self._line(f"  .temp {name}: {dtype}[{', '.join(map(str, sizes))}]", *sizes))
        return self._made(name)

    def constant(self, dtype: str, value: float | bool) -> Name:
        """A register that holds a number."""
        register = self.register(dtype)
        self._lines.append(self._line(f"  mov_imm.{dtype} {register}, {_text(value)}"))
        return register

    def emit(self, mnemonic: str, outs: Name | Sequence[Name], *ins: Name, **settings: Setting) -> None:
        """An array-level instruction: `emit("gemm", c, a, b, alpha=2.0, trans_b=True)`. Several outs stand in a
        sequence, and so does what a setting has several of; a switch is True, or False, as if it were not there."""
        _check_mnemonic(mnemonic)
        first = str(outs) if isinstance(outs, Name) else f"({', '.join(map(str, outs))})"
        given = [_setting(name, value) for name, value in settings.items() if value is not False]
        used = (outs,) if isinstance(outs, Name) else outs
        self._lines.append(self._line(f"  {mnemonic} {', '.join([first, *map(str, ins), *given])}", *used, *ins))


def _check_mnemonic(text: str) -> None:
    if _MNEMONIC.fullmatch(text) is None:
        message = f"'{' '.join(text.split())}' is no mnemonic"
        raise UsageError("builder-mnemonic", message, hint="operands are arguments: emit('mov.u64', i, '%gid')")


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


@checked
@dataclass(repr=False)
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
    places: dict[str, Where] = field(default_factory=dict[str, Where], init=False, compare=False)
    """Where each pool was added, by its line."""

    def __repr__(self) -> str:
        names = ", ".join(code.name for code in self.codes if not isinstance(code, str))
        return f"<hologram.isa.ProgramBuilder of {names or 'nothing'}>"

    def __len__(self) -> int:
        """The number of instructions that were added to its programs and functions."""
        return sum(len(code) for code in self.codes if not isinstance(code, str))

    def __bool__(self) -> bool:
        return True

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
        line = f".pool {name}: {dtype}[{size}]"
        self.codes.append(f"{line}\n")
        self.places[line] = here().where
        return Name(name)

    @property
    def text(self) -> str:
        """The assembly of everything so far."""
        return "\n".join(code if isinstance(code, str) else code.text for code in self.codes)

    def build(self) -> ModuleOp:
        """The valid module. Errors show the call that added the line of assembly that they are about.

        A register that is read and never written is an error too.
        """
        try:
            module = assemble(self.text, _BUILT)
            _check_registers(module)
        except HologramError as error:
            if error.where is not None and error.where.file == _BUILT:
                line = self.text.splitlines()[error.where.line - 1].strip()
                error.message = f"{error.message}, in '{line}'"
                error.where = self._place_of(line, error.where.column - 1)
            raise
        return module

    def _place_of(self, line: str, column: int) -> Where | None:
        """Where the user wrote a line, or the part of it at a column; else None, for the call of `build`."""
        codes = [code for code in self.codes if not isinstance(code, str)]
        places = self.places | {text: place for code in codes for text, place in code.places.items()}
        return places.get(line) or next(
            (place for text, place in places.items() if 0 <= column - line.find(text) < len(text) and text in line),
            None,
        )


def _check_registers(module: ModuleOp) -> None:
    """Refuses reads of registers that nothing wrote. What else can't be lifted is no fault of a program."""
    from hologram.lowering.machine.lifting import lift_module

    try:
        lift_module(module.clone())
    except HologramError as error:
        if error.code == "lift-uninitialised":
            raise


__all__ = [
    "ArraysBuilder", "CodeBuilder", "Name", "ProgramBuilder", "assemble", "decode", "disassemble", "encode",
    "metadata", "optimize",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__ = no_other_names("hologram.isa", globals())
