"""The pages in docs/: each is in the navigation, has a title, and links only to what exists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.mdx"))
TEXTS = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", "CHANGELOG.md"]

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)


def navigation(node: Any) -> Iterator[str]:
    """The pages that a part of docs.json's navigation names."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for item in node:  # pyright: ignore[reportUnknownVariableType]
            yield from navigation(item)
    elif isinstance(node, dict):
        for key in ("tabs", "groups", "pages"):
            yield from navigation(node.get(key, []))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]


def prose(path: Path) -> str:
    """A page without its code, where brackets are no links and braces no expressions."""
    return CODE.sub("", FENCE.sub("", path.read_text(encoding="utf-8")))


def anchors(path: Path) -> set[str]:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") for heading in HEADING.findall(text)}


def page_of(source: Path, target: str) -> Path | None:
    """The file a link leads to. Between pages links start at the root and carry no suffix, as Mintlify has it."""
    if not target:
        return source
    if source.suffix != ".mdx":
        return source.parent / target
    return DOCS / f"{target[1:] or 'index'}.mdx" if target.startswith("/") else None


def broken_links(source: Path) -> list[str]:
    """Links of a page that lead nowhere."""
    broken: list[str] = []
    for link in LINK.findall(prose(source)):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        page = page_of(source, target)
        if page is None or not page.exists() or (anchor and anchor not in anchors(page)):
            broken.append(link)
    return broken


def test_navigation_holds_every_page_once():
    config = json.loads((DOCS / "docs.json").read_text(encoding="utf-8"))
    assert sorted(navigation(config["navigation"])) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_page(page: str):
    path = DOCS / f"{page}.mdx"
    text = path.read_text(encoding="utf-8")
    front = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    assert front, "a page starts with its title and description between lines of ---"
    assert re.search(r'^title: ".+"$', front[1], re.MULTILINE)
    assert re.search(r'^description: ".+"$', front[1], re.MULTILINE)
    assert text.count("\n```") % 2 == 0, "a code block is not closed"
    assert not re.search(r"[{}<]", prose(path)), "MDX reads braces and < outside code as its own"
    assert not broken_links(path)


@pytest.mark.parametrize("name", TEXTS)
def test_text_links(name: str):
    assert not broken_links(ROOT / name)


def test_architecture_names_the_stages():
    from hologram.lowering.pipelines.pipelines import PIPELINES

    text = (DOCS / "architecture.mdx").read_text(encoding="utf-8")
    section = text.partition("## The pipeline to the CPU")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE)
    assert rows == [stage.name for stage in PIPELINES["hologram-to-cpu"]]
