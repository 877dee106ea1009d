"""Entry records: reading back what was written, and refusing what does not hold together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hologram.errors import InputError
from hologram.runtime.entry import choose_entry, parse_entries
from runtime_programs import buffer, record, scalar

SAXPY = record(
    [scalar("f", "f32"), buffer("x", shape=[None, 4]), buffer("y", access="write", result="(x[0], 4)", strides=[1])],
    constraints=["x[0] == x[1]"],
    trap=True,
    sites=["here"],
)


def test_round_trip():
    (entry,) = parse_entries(json.dumps([SAXPY]))
    assert entry.to_json() == SAXPY
    assert entry.signature == "main(f: f32, x: f32[?x4]) -> (y: f32[?])"
    assert [a.written for a in entry.arguments] == [False, False, True]


def test_signature_without_results():
    (entry,) = parse_entries(json.dumps([record([scalar("n", "i64")])]))
    assert entry.signature == "main(n: i64)"


def changed(**fields: Any) -> str:
    return json.dumps([SAXPY | fields])


def with_argument(**fields: Any) -> str:
    return json.dumps([record([buffer("x", shape=[2, None]) | fields])])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nonsense", "entry-json"),
        ("{}", "entry-record"),
        ("[3]", "entry-record"),
        (changed(version=5), "entry-version"),
        (changed(name=3), "entry-record"),
        (changed(trap="yes"), "entry-record"),
        (changed(sites=[1]), "entry-record"),
        (changed(constraints=["z[0] == 1"]), "entry-expression"),
        (changed(launch="grid"), "entry-record"),
        (changed(arguments=[3]), "entry-record"),
        (changed(arguments=[scalar("n", "i64"), scalar("n", "i64")]), "entry-record"),
        (with_argument(dtype="f99"), "entry-record"),
        (with_argument(kind="thing"), "entry-record"),
        (with_argument(access="maybe"), "entry-record"),
        (with_argument(shape=[-1, 2]), "entry-record"),
        (with_argument(shape=[True, 2]), "entry-record"),
        (with_argument(shape="x"), "entry-record"),
        (with_argument(strides=[1]), "entry-record"),
        (with_argument(result=7), "entry-record"),
        (with_argument(result="(x[5],)"), "entry-expression"),
    ],
)
def test_damaged_records_are_refused(text: str, code: str):
    with pytest.raises(InputError) as caught:
        parse_entries(text)
    assert caught.value.code == code
    assert caught.value.hint


def entries(*names: str) -> Any:
    return parse_entries(json.dumps([record([], name=n, symbol=n) for n in names]))


def test_choice():
    assert choose_entry(entries("only"), None, "m").name == "only"
    assert choose_entry(entries("a", "main"), None, "m").name == "main"
    assert choose_entry(entries("a", "b"), "b", "m").name == "b"


@pytest.mark.parametrize(
    ("names", "wanted", "code", "hint"),
    [
        ((), None, "entry-none", "public"),
        (("a", "b"), None, "entry-ambiguous", "entry='a'"),
        (("saxpy", "b"), "saxpi", "entry-unknown", "did you mean 'saxpy'?"),
        (("a", "b"), "zzz", "entry-unknown", "the entries are 'a', 'b'"),
    ],
)
def test_choice_errors(names: tuple[str, ...], wanted: str | None, code: str, hint: str):
    with pytest.raises(InputError) as caught:
        choose_entry(entries(*names), wanted, "m")
    assert caught.value.code == code
    assert hint in (caught.value.hint or "")
