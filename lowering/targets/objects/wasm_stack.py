"""What the functions of a WebAssembly object take of the stack, as their first instructions tell."""

from __future__ import annotations

from hologram.lowering.targets.objects.wasm_object import (
    CODE,
    FUNCTION_LEB,
    FUNCTION_SYMBOL,
    GLOBAL_LEB,
    Reader,
    WasmObject,
)

_GLOBAL_GET, _LOCAL_TEE, _CONSTANT, _SUBTRACT = 0x23, 0x22, 0x41, 0x6B


def deepest(module: WasmObject) -> tuple[int, str]:
    """The most bytes that a function takes with those that it calls, and the name of the one that takes most by itself.
    A function that calls itself counts once: nobody knows how often it does."""
    frames, callees = _functions(module)
    depths: dict[int, int] = {}
    entered: set[int] = set()
    pending = [*frames]
    while pending:
        function = pending[-1]
        waiting = [c for c in callees[function] if c in frames and c not in entered]
        if function not in entered and waiting:
            pending += waiting
        else:
            pending.pop()
            below = max((depths.get(c, 0) for c in callees[function]), default=0)
            depths.setdefault(function, frames[function] + below)
        entered.add(function)
    largest = max(frames, key=frames.__getitem__, default=-1)
    names = (s.name for s in module.symbols if s.kind == FUNCTION_SYMBOL and s.index == largest)
    return max(depths.values(), default=0), next(names, "")


def _functions(module: WasmObject) -> tuple[dict[int, int], dict[int, set[int]]]:
    """Each function's own bytes of the stack, and what it calls, by its number."""
    frames: dict[int, int] = {}
    callees: dict[int, set[int]] = {}
    content = module.sections.get(CODE, b"\0")
    places = iter(sorted(module.relocations.get(CODE, ()), key=lambda r: r.offset))
    place = next(places, None)
    reader = Reader(content)
    first = sum(i.kind == 0 for i in module.imports)
    for number in range(first, first + reader.number()):
        reader.take(reader.number())
        frames[number], callees[number] = 0, set()
        while place is not None and place.offset < reader.at:
            if place.kind == FUNCTION_LEB:
                callees[number].add(module.symbols[place.symbol].index)
            elif place.kind == GLOBAL_LEB:
                frames[number] = max(frames[number], _taken(content, place.offset))
            place = next(places, None)
    return frames, callees


def _taken(content: bytes, at: int) -> int:
    """What is subtracted from the stack pointer, which is the only global, where an instruction gets it."""
    if content[at - 1] != _GLOBAL_GET:
        return 0
    reader = Reader(content, at)
    reader.number()
    following = reader.byte()
    if following == _LOCAL_TEE:
        reader.number()
        following = reader.byte()
    if following != _CONSTANT:
        return 0
    bytes = reader.signed()
    return bytes if reader.byte() == _SUBTRACT else 0
