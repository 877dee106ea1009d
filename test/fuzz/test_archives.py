"""Changed archives whose digests were made to fit are refused, unless they are what the writer would write.

`make fuzz` makes 100,000.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fuzz.archive_mutations import mutated
from fuzz.counts import FUZZING, PROGRAMS, WORKERS, seed
from hologram.driver.archives.load import Kernels
from hologram.errors import HologramError
from hologram.runtime.archive import open, write
from hologram.runtime.archive.inspect import describe, show
from sample_archives import sample

SEED = seed("archives")
MUTATIONS = PROGRAMS * 10 if FUZZING else 2000


def use(data: bytes) -> None:
    """All that can be done with an archive without running its code."""
    archive = open(data)
    show(data)
    describe(data)
    kernels = Kernels(archive, "cpu", True, None)
    for name in kernels:
        kernels.signature(name)
    for name in archive.constants:
        archive.array(name).sum()
    found = archive.contents()
    if not archive.frame.is_newer:
        assert write(found) == data, "it is accepted, and would be written in another way"


@pytest.mark.parametrize("part", range(WORKERS))
def test_mutated_archives_are_refused(part: int):
    data = write(sample())
    use(data)
    codes: Counter[str] = Counter()
    for number in range(part, MUTATIONS, WORKERS):
        changed = mutated(data, Random(f"{SEED} {number}"))
        try:
            use(changed)
            codes["accepted"] += 1
        except HologramError as error:
            codes[error.code] += 1
        except BaseException as error:
            raise AssertionError(
                f"mutation '{SEED} {number}' of the sample: {type(error).__name__}: {error}"
            ) from error
    assert codes["accepted"] < sum(codes.values()) / 4, codes
    assert len(codes) >= 6, codes
