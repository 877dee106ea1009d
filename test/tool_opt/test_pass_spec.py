"""The text of pipelines: what is read, what is refused, and that what is printed reads the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.errors import UsageError
from hologram.lowering.pipelines.pass_options import build, call_of
from hologram.lowering.pipelines.pass_spec import (
    Nest,
    Node,
    PassCall,
    Raw,
    format_nodes,
    parse_call,
    parse_pipeline,
)


@dataclass(frozen=True)
class SamplePass(ModulePass):
    """A pass with an option of every type."""

    name = "sample"

    count: int = 1
    ratio: float = 0.5
    flag: bool = False
    label: str = "none"
    sizes: tuple[int, ...] = ()
    limit: int | None = None
    mode: Literal["fast", "small"] = "fast"
    names: tuple[str, ...] | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Does nothing."""


def made(options: str) -> SamplePass:
    return build(SamplePass, parse_call(f"sample{{{options}}}", "-p"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", SamplePass()),
        ("count=3", SamplePass(count=3)),
        ("count=-0x10", SamplePass(count=-16)),
        ("ratio=2", SamplePass(ratio=2.0)),
        ("ratio=1e-3", SamplePass(ratio=1e-3)),
        ("flag", SamplePass(flag=True)),
        ("flag count=2", SamplePass(flag=True, count=2)),
        ("flag=false", SamplePass(flag=False)),
        ("label=true", SamplePass(label="true")),
        ("label=12", SamplePass(label="12")),
        ('label="a b, {c}"', SamplePass(label="a b, {c}")),
        ("label=out/x.mlir", SamplePass(label="out/x.mlir")),
        ("sizes=1,2,3", SamplePass(sizes=(1, 2, 3))),
        ("sizes = 1 , 2", SamplePass(sizes=(1, 2))),
        ("sizes=4", SamplePass(sizes=(4,))),
        ("limit", SamplePass(limit=None)),
        ("limit=7", SamplePass(limit=7)),
        ("mode=small", SamplePass(mode="small")),
        ("names=a,7", SamplePass(names=("a", "7"))),
    ],
)
def test_options(options: str, expected: SamplePass):
    assert made(options) == expected
    assert build(SamplePass, call_of(expected)) == expected


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("count=x", "option-type"),
        ("count=1.5", "option-type"),
        ("count=true", "option-type"),
        ("count=1,2", "option-type"),
        ("count", "option-type"),
        ("flag=1", "option-type"),
        ("mode=slow", "option-type"),
        ("sizes=1,x", "option-type"),
        ("cuont=1", "option-unknown"),
        ("count=", "pipeline-syntax"),
        ("count=1", None),
    ],
)
def test_wrong_options(options: str, code: str | None):
    if code is None:
        made(options)
        return
    with pytest.raises(UsageError) as caught:
        made(options)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text", ["(", "a(", "a)", "a b", "a{", "a{x", "a{x=", "a{,}", "a[b]", "mlir-opt[", ",", "a,", '{"', "-"]
)
def test_wrong_pipelines(text: str):
    with pytest.raises(UsageError) as caught:
        parse_pipeline(text, "-p")
    assert caught.value.code == "pipeline-syntax"
    assert caught.value.where is not None


def test_nesting():
    assert parse_pipeline("builtin.module(func.func(a,b{x=1}),c)") == parse_pipeline(
        " func.func( a , b{ x = 1 } ) , c "
    )
    assert format_nodes(parse_pipeline("func.func(a),b")) == "func.func(a),b"
    assert parse_pipeline("") == parse_pipeline("builtin.module()") == ()


def test_mlir_opt_in_brackets():
    (node,) = parse_pipeline("mlir-opt[cse,canonicalize{x=1}]")
    assert isinstance(node, PassCall)
    assert node.options["arguments"][-1].text == "builtin.module(cse,canonicalize{x=1})"


_names = st.from_regex(r"[a-z][a-z0-9-]{0,6}", fullmatch=True)
_values = st.lists(st.builds(Raw, st.text(alphabet='ab "\\{},=1', max_size=5), st.just(True)), max_size=3)
_calls = st.builds(PassCall, _names, st.dictionaries(_names, _values.map(tuple), max_size=2))
_nodes: st.SearchStrategy[Node] = st.recursive(
    _calls, lambda inner: st.builds(Nest, st.just("func.func"), st.lists(inner, max_size=3).map(tuple)), max_leaves=6
)


def plain(node: Node) -> object:
    """The node without places and without how values are quoted."""
    if isinstance(node, Nest):
        return (node.anchor, [plain(inner) for inner in node.body])
    return (node.name, {key: [raw.text for raw in values] for key, values in node.options.items()})


@given(st.lists(_nodes, min_size=2, max_size=3))
def test_what_is_printed_reads_the_same(nodes: list[Node]):
    assert [plain(n) for n in parse_pipeline(format_nodes(tuple(nodes)))] == [plain(n) for n in nodes]


@given(st.text(alphabet="ab,(){}[]=\"' -1.", max_size=12))
def test_any_text_is_read_or_refused(text: str):
    try:
        parse_pipeline(text)
    except UsageError:
        pass
