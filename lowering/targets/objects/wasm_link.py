"""Makes a WebAssembly module that can be loaded out of one of LLVM's objects: what a linker would do.

The memory, the stack pointer and the addresses of exported data are the module's own, or (`Place.shared`) the memory is
imported, so that several modules work on one. The stack lies below everything else: one that overflows goes below
address 0, which traps. Calls of functions that the object has not stay imports, of the module `env`.
"""

from __future__ import annotations

from dataclasses import dataclass

from hologram.errors import InputError, InternalError
from hologram.lowering.targets.objects import wasm_object as wasm
from hologram.lowering.targets.objects.wasm_object import WasmObject, leb, named, section, vector
from hologram.lowering.targets.objects.wasm_stack import deepest

PAGE = 1 << 16
STACK = 1 << 20
"""The bytes of the stack, which begin at address 0."""
ALIGNMENT = 256
"""Of the data: no constant of ours asks for more."""
MEMORY, STACK_POINTER, HEAP = "memory", "__stack_pointer", "__heap_base"
_I32, _MUTABLE, _CONSTANT, _END = b"\x7f", b"\1", b"\0", b"\x0b"


@dataclass(frozen=True)
class Place:
    """The place of a module's data."""

    base: int = STACK
    """The address of its first byte, a multiple of 256."""
    shared: bool = False
    """Whether the memory is imported, as `env.memory`."""


def link(image: bytes, place: Place | None = None) -> bytes:
    """The module, with every public function and datum exported."""
    place = place or Place()
    module = wasm.read_object(image)
    _check(module)
    _check_stack(module)
    sections = dict(module.sections)
    for number in (wasm.CODE, wasm.DATA):
        if number in sections:
            sections[number] = _relocated(module, number, place.base)
    if module.segments:
        sections[wasm.DATA] = _placed(module, sections[wasm.DATA], place.base)
    end = -(-(place.base + size_of(module)) // ALIGNMENT) * ALIGNMENT
    data = [s for s in module.symbols if s.kind == wasm.DATA_SYMBOL and s.public]
    functions = [s for s in module.symbols if s.kind == wasm.FUNCTION_SYMBOL and s.public]
    exported = {symbol.name: place.base + _address(module, symbol) for symbol in data} | {HEAP: end}
    sections[wasm.IMPORT] = _imports(module, place, end)
    if not place.shared:
        sections[wasm.MEMORY] = leb(1) + _least(end)
    sections[wasm.GLOBAL] = vector(
        [_global(STACK, _MUTABLE), *(_global(address, _CONSTANT) for address in exported.values())]
    )
    exports = [_export(symbol.name, 0, symbol.index) for symbol in functions]
    exports += [_export(name, 3, number) for number, name in enumerate((STACK_POINTER, *exported))]
    if not place.shared:
        exports.append(_export(MEMORY, 2, 0))
    sections[wasm.EXPORT] = vector(exports)
    order = (
        wasm.TYPE, wasm.IMPORT, wasm.FUNCTION, wasm.MEMORY, wasm.GLOBAL, wasm.EXPORT, wasm.DATA_COUNT, wasm.CODE,
        wasm.DATA,
    )  # fmt: skip
    return wasm.MAGIC + b"".join(section(n, sections[n]) for n in order if sections.get(n))


def size_of(module: WasmObject) -> int:
    """The bytes of an object's data."""
    return max((s.address + len(s.data) for s in module.segments), default=0)


def missing(image: bytes) -> list[str]:
    """The functions that an object calls and has not."""
    return [i.name for i in wasm.read_object(image).imports if i.kind == 0]


def _check(module: WasmObject) -> None:
    """Refuses what would need a linker."""
    for given in module.imports:
        if given.kind == 3 and given.name != STACK_POINTER:
            _refuse(f"it imports the global '{given.name}'")
    for entries in module.relocations.values():
        for entry in entries:
            symbol = module.symbols[entry.symbol] if entry.kind != 6 else None
            if symbol is not None and symbol.kind == wasm.DATA_SYMBOL and not symbol.defined:
                _refuse(f"it refers to '{symbol.name}', which it does not have")


def _check_stack(module: WasmObject) -> None:
    """Refuses functions that the stack is too small for; only what calls itself may still go beyond it."""
    bytes, name = deepest(module)
    if bytes > STACK:
        raise InputError(
            "wasm-stack",
            f"functions that call each other take {bytes} bytes of stack, '{name}' most of them, and a WebAssembly "
            f"module has {STACK}",
            hint="make local arrays smaller, or split the function; without unsafe-memory large arrays are on the heap",
        )


def _refuse(reason: str) -> None:
    raise InternalError("wasm-link", f"LLVM's WebAssembly object can't be loaded: {reason}")


def _address(module: WasmObject, symbol: wasm.Symbol) -> int:
    return module.segments[symbol.index].address + symbol.offset


def _relocated(module: WasmObject, number: int, base: int) -> bytes:
    """A section with the addresses in it."""
    content = bytearray(module.sections[number])
    for entry in module.relocations.get(number, ()):
        if entry.kind not in (wasm.MEMORY_LEB, wasm.MEMORY_SLEB, wasm.MEMORY_WORD):
            continue
        address = base + _address(module, module.symbols[entry.symbol]) + entry.addend
        if entry.kind == wasm.MEMORY_WORD:
            content[entry.offset : entry.offset + 4] = (address & 0xFFFFFFFF).to_bytes(4, "little")
        else:
            signed = entry.kind == wasm.MEMORY_SLEB
            content[entry.offset : entry.offset + 5] = _padded(_signed(address) if signed else address)
    return bytes(content)


def _padded(value: int) -> bytes:
    """A LEB128 number of five bytes, signed if the value is negative."""
    return bytes([value >> 7 * n & 0x7F | (0x80 if n < 4 else 0) for n in range(5)])


def _signed(address: int) -> int:
    """An address as a constant of type i32 says it."""
    return address - (1 << 32) if address >= 1 << 31 else address


def _placed(module: WasmObject, content: bytes, base: int) -> bytes:
    """The data section with its segments at their addresses."""
    return vector(
        [
            b"\0" + _constant(base + s.address) + leb(len(s.data)) + content[s.start : s.start + len(s.data)]
            for s in module.segments
        ]
    )


def _imports(module: WasmObject, place: Place, end: int) -> bytes:
    items = [named("env") + named(i.name) + b"\0" + leb(i.type) for i in module.imports if i.kind == 0]
    if place.shared:
        items.append(named("env") + named(MEMORY) + b"\2" + _least(end))
    return vector(items) if items else b""


def _least(end: int) -> bytes:
    """The limits of a memory that holds what ends there and may grow."""
    return b"\0" + leb(-(-end // PAGE))


def _global(value: int, mutable: bytes) -> bytes:
    return _I32 + mutable + _constant(value)


def _constant(value: int) -> bytes:
    return b"\x41" + leb(_signed(value), signed=True) + _END


def _export(name: str, kind: int, number: int) -> bytes:
    return named(name) + bytes([kind]) + leb(number)
