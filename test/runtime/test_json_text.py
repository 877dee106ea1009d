"""JSON by the functions in C: what `json` says, in every case."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hologram.runtime import json_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


class Others:
    """Functions that take something else."""

    encode_basestring_ascii = None

    def make_scanner(self) -> None: ...

    def make_encoder(self) -> None: ...


@pytest.fixture(params=["with functions in C", "without", "with others"], autouse=True, scope="module")
def functions(request: pytest.FixtureRequest) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "with functions in C":
            patch.setattr(json_text, "functions", None if request.param == "without" else Others())
        yield


@given(VALUES)
def test_data_comes_back(data: Any):
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    assert json_text.dumps(data) == text
    assert json_text.loads(text) == json_text.loads(text.encode()) == data


def outcome(read: Any, text: str | bytes) -> str:
    try:
        return repr(read(text))
    except (ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"


ODD = ["", " ", " [1] ", "[1]x", "{", '{"a":}', "[1,]", "nul", "NaN", "[-Infinity]", '"\n"', "1e999", "01", b"\xff"]


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_is_what_json_says(text: str | bytes):
    assert outcome(json_text.loads, text) == outcome(json.loads, text)


@given(st.text(alphabet='[]{}",:01-.eE truefalsn\\u', max_size=12))
def test_any_text(text: str):
    assert outcome(json_text.loads, text) == outcome(json.loads, text)


def test_what_json_has_not():
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text.dumps([float("nan")])
    with pytest.raises(TypeError):
        json_text.dumps({1})
