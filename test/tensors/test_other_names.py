"""Names that functions of `hologram.ops` have in other libraries."""

from __future__ import annotations

import pytest

from hologram import ops
from hologram.errors import HologramError, MissingNameError
from hologram.frontend.tensors.other_names import NAMES


def test_every_name_is_another_librarys_for_one_of_ours():
    known = set(ops.__all__)
    assert not NAMES.keys() & known
    assert not set(NAMES.values()) - known


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("power", "write hologram.ops.pow"),
        ("concatenate", "write hologram.ops.concat"),
        ("logical_and", "write hologram.ops.bit_and"),
        ("true_divide", "write hologram.ops.div"),
        ("bitwise_and", "write hologram.ops.bit_and"),
        ("absolute", "write hologram.ops.abs"),
        ("take", "write hologram.ops.gather"),
        ("clip", "write hologram.ops.clamp"),
        ("amax", "write hologram.ops.max"),
        ("unsqueeze", "write hologram.ops.expand_dims"),
        ("shape", "write x.shape"),
        ("linspac", "did you mean 'linspace'?"),
    ],
)
def test_a_hint_tells_the_name_here(name: str, hint: str):
    with pytest.raises(MissingNameError) as found:
        getattr(ops, name)
    assert found.value.hint == hint


def test_imports_are_told_too():
    with pytest.raises(HologramError) as found:
        exec("from hologram.ops import concatenate")
    assert found.value.hint == "write hologram.ops.concat"
