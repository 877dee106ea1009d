"""The heap in a range of addresses."""

from __future__ import annotations

import random

from hologram.runtime.devices.linear_memory import ALIGNMENT, LinearMemory


def heap(most: int = 1 << 20, page: int = 4096) -> tuple[LinearMemory, list[int]]:
    end = [4096 * 4]

    def grow(nbytes: int) -> int:
        asked = -(-nbytes // page) * page
        if end[0] + asked <= most:
            end[0] += asked
        return end[0]

    return LinearMemory(4096, end[0], most, grow), end


def test_ranges_never_overlap_and_come_back():
    memory, end = heap()
    draw = random.Random(3)
    live: dict[int, int] = {}
    for _ in range(3000):
        if live and draw.random() < 0.5:
            address = draw.choice(list(live))
            del live[address]
            assert memory.free(address)
            assert not memory.free(address)
            continue
        size = draw.choice((0, 1, 255, 256, 257, draw.randrange(20_000)))
        address = memory.allocate(size)
        if address is None:
            continue
        assert address % ALIGNMENT == 0
        assert 4096 <= address <= address + size <= end[0]
        assert all(address + max(size, 1) <= a or a + max(n, 1) <= address for a, n in live.items())
        live[address] = size
    for address in live:
        memory.free(address)
    assert memory.allocate(end[0] - 4096) == 4096


def test_it_grows_up_to_the_most():
    memory, end = heap(most=64 * 1024)
    first = memory.allocate(40_000)
    assert first == 4096
    assert end[0] > 40_000
    assert memory.allocate(1 << 20) is None
    assert memory.allocate(30_000) is None
    assert memory.free(first)
    assert memory.allocate(30_000) == first


def test_what_lies_in_a_range():
    memory, _ = heap()
    address = memory.allocate(1000)
    assert address is not None
    assert memory.used == 1024
    assert memory.begin_of(address + 999) == address
    assert memory.holds(address, 1000)
    assert memory.holds(address + 999, 1)
    assert not memory.holds(address - 1, 1)
    assert not memory.holds(address, 2000)
    assert memory.free(address)
    assert not memory.holds(address, 1)
