"""Programs at the kernel level that are trusted: what they check themselves still traps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hologram
from hologram.errors import TrapError


def test_assertions_of_trusted_programs_trap():
    text = Path(__file__).with_name("programs").joinpath("assertion-fails.mlir").read_text(encoding="utf-8")
    kernel = hologram.compile(text, unsafe_memory=True)
    kernel(True, np.ones(3, np.float32))
    with pytest.raises(TrapError, match="all is well"):
        kernel(False, np.ones(3, np.float32))
