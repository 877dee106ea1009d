"""Documents of kernels: what the reader takes is what the JSON Schema allows, in JSON, YAML and TOML alike."""

# Documents are of whatever JSON holds.
# pyright: basic

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hologram.errors import InputError
from hologram.frontend.kernels.build import build
from hologram.frontend.kernels.document import decode, read, schema, write
from hologram.frontend.kernels.files import python_documents, yaml_documents
from hologram.kernels import stdlib

SCHEMA = schema()
COUNT = 400
PARTS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 9, 2.0, 1.0, 2.5, 10**30, 1e300, "", "x", "a b", "f32", "f33", "nan", "least", "T",
    "if", [], {}, [1], [1, 2], [1.0, 2], [0, 1], [1, 2, 3, 4], {"kind": "var", "name": "x"}, {"kind": "return"},
    {"kind": "literal", "value": 1}, {"kind": "constant"}, {"kind": "scalar", "dtype": "f32"},
)  # fmt: skip


def allows(rule: dict[str, Any], data: Any) -> bool:
    """Return whether a schema allows a value, for the part of JSON Schema that `schema` uses."""
    known = {
        "$ref": lambda v: allows(SCHEMA["$defs"][v.rpartition("/")[2]], data),
        "anyOf": lambda v: any(allows(r, data) for r in v),
        "oneOf": lambda v: sum(allows(r, data) for r in v) == 1,
        "not": lambda v: not allows(v, data),
        "const": lambda v: same(v, data),
        "enum": lambda v: any(same(w, data) for w in v),
        "type": lambda v: of_type(v, data),
        "pattern": lambda v: not isinstance(data, str) or re.search(v, data) is not None,
        "minimum": lambda v: not is_number(data) or data >= v,
        "maximum": lambda v: not is_number(data) or data <= v,
        "minItems": lambda v: not isinstance(data, list) or len(data) >= v,
        "maxItems": lambda v: not isinstance(data, list) or len(data) <= v,
        "uniqueItems": lambda v: not isinstance(data, list) or not any(
            same(a, b) for n, a in enumerate(data) for b in data[:n]
        ),
        "items": lambda v: not isinstance(data, list) or all(allows(v, d) for d in data),
        "required": lambda v: not isinstance(data, dict) or all(name in data for name in v),
        "properties": lambda v: not isinstance(data, dict) or all(allows(v[n], d) for n, d in data.items() if n in v),
        "propertyNames": lambda v: not isinstance(data, dict) or all(allows(v, n) for n in data),
        "additionalProperties": lambda v: not isinstance(data, dict) or all(
            v is not False and allows(v, d) for n, d in data.items() if n not in rule.get("properties", {})
        ),
        "description": lambda v: True,
    }  # fmt: skip
    return all(known[word](value) for word, value in rule.items())


def is_number(data: Any) -> bool:
    return isinstance(data, int | float) and not isinstance(data, bool)


def same(a: Any, b: Any) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def of_type(word: str, data: Any) -> bool:
    if word == "integer":
        return is_number(data) and (isinstance(data, int) or data.is_integer())
    if word == "number":
        return is_number(data)
    words = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
    return isinstance(data, words[word])


SOURCE = """
import hologram
from hologram.language import Array, Constant, Element, Pointer, StridedArray, f32, i32, i64, lane_id, local, shared
from hologram.language import atomic_add, barrier, get_global_id

T = Element("T", "f32", "f64")


def part(a: StridedArray[f32, 2], i) -> f32:
    return a[i, 0]


@hologram.kernel(lanes=("len(x)", "2"), block=(64, 2), where="len(x) <= n")
def all_of_it(x: Array[T], y: StridedArray[f32, 2], p: Pointer[i32], n: i64, K: Constant = 4):
    seen = local(i32, K)
    tile = shared(T, 64, 2)
    i = get_global_id(0)
    tile[lane_id(), 0] = T.wide(1) if i > 0 and not i == 3 else -x[i]
    barrier()
    total: i64 = 0
    for j in range(0, n, 2):
        if j % 3 == 1:
            continue
        elif j > 7:
            break
        total += j
    while total > 0:
        total -= 1
        if total == 5:
            return
    assert i < 10, "no more than ten"
    seen[0] = atomic_add(p, 0, 1)
    y[i, 0] = part(y, i)
"""


def documents() -> list[Any]:
    """Documents with all that documents have, as JSON."""
    path = Path(stdlib.__file__ or "").parent / "vector" / "vector_add.py"
    found = python_documents(SOURCE, "all.py") + python_documents(path.read_text(encoding="utf-8"), str(path))
    return [json.loads(write(d)) for d in found]


DOCUMENTS = documents()


def parts(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, data
    if isinstance(data, dict | list):
        for name, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from parts(part, (*path, name))


def changed(rng: random.Random, document: Any) -> Any:
    """A document with a part that is another, or is missing, or is new."""
    document = copy.deepcopy(document)
    known = list(parts(document))
    (*way, last), part = rng.choice(known[1:])
    around = document
    for name in way:
        around = around[name]
    match rng.randrange(5):
        case 0:
            del around[last]
        case 1:
            around[last] = copy.deepcopy(rng.choice(known)[1])
        case 2 if isinstance(part, dict):
            part[rng.choice(["kind", "at", "name", "value", "dtype", "types", "rank"])] = rng.choice(PARTS)
        case 3 if isinstance(part, list):
            part.append(rng.choice(PARTS))
        case _:
            around[last] = rng.choice(PARTS)
    return document


def refusal(document: Any) -> InputError | None:
    """The error of the reader for a document."""
    try:
        decode(document)
    except InputError as error:
        return error
    return None


def test_the_reader_takes_what_the_schema_allows():
    assert DOCUMENTS
    rng = random.Random(7)
    definition = SCHEMA["$defs"]["document"]
    taken = 0
    for n in range(COUNT):
        document = json.loads(json.dumps(changed(rng, DOCUMENTS[n % len(DOCUMENTS)])))
        allowed = allows(definition, document)
        error = refusal(document)
        if error is None:
            assert allowed, document
            taken += 1
            continue
        assert error.message.startswith("$"), error
        # That a type is one of the document's own, no schema can say.
        assert not allowed or (error.code == "document-word" and ".dtype" in error.message), error
    assert taken > COUNT // 20


def test_forms_give_the_same_ir():
    import yaml

    for data in DOCUMENTS:
        wanted = str(build(decode(data)))
        assert str(build(read(json.dumps(data)))) == wanted
        (again,) = yaml_documents(yaml.safe_dump(data, sort_keys=False), "kernel.yaml")
        assert str(build(again)) == wanted


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"a": NaN}', 'JSON has no NaN; write "nan", as a text'),
        ('{"a": -Infinity}', 'JSON has no -Infinity; write "-inf", as a text'),
        (f'{{"a": {"1" * 5000}}}', "this number has 5000 digits"),
        ('{"kernel": {}, "kernel": {}}', "an object has two members 'kernel'"),
        ("[" * 100_000, "more than 1000 levels are nested here"),
    ],
)
def test_texts_that_are_no_json(text: str, error: str):
    with pytest.raises(InputError, match=re.escape(error)):
        read(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("kernel: 2020-99-99", "this is no YAML: month must be in 1..12"),
        ("kernel: !!int foo", "this is no YAML: invalid literal"),
        ("a: 1\na: 2", "there are two members 'a'"),
        ("[" * 3000, "more than 1000 levels are nested here"),
        ("&a [*a]", "$[0]: expected an object, found list"),
        ("{1: 2}", "there is no member '1'"),
    ],
)
def test_texts_that_are_no_yaml(text: str, error: str):
    with pytest.raises(InputError, match=re.escape(error)):
        yaml_documents(text, "kernel.yaml")


def test_numbers_without_a_text_of_json():
    document: Any = {"kernel": {"name": "k", "params": [], "body": [{"kind": "let", "name": "a", "value": 0}]}}
    for word, number in (("inf", math.inf), ("-inf", -math.inf)):
        document["kernel"]["body"][0]["value"] = {"kind": "literal", "value": word}
        found: Any = decode(document).kernel.body[0]
        assert found.value.value == number
