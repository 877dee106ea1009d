"""The lists of `hologram-opt`: its passes, pipelines, dialects and output forms."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

from xdsl.utils.hints import type_repr

from hologram.dialects import get_all_dialects, make_context
from hologram.errors import UsageError, did_you_mean
from hologram.lowering.pipelines.pass_spec import PassCall
from hologram.lowering.pipelines.pipelines import PIPELINES, all_passes, all_targets, find_pass, is_pipeline
from hologram.plugins.tables import KINDS


def _listing(rows: Sequence[dict[str, Any]], as_json: bool) -> str:
    if as_json:
        return json.dumps(rows, indent=1) + "\n"
    width = max((len(row["name"]) for row in rows), default=0)
    return "".join(f"{row['name']:<{width}}  {row['summary']}".rstrip() + "\n" for row in rows)


def _document(thing: type[Any]) -> str:
    """A class's own docstring; the one that a dataclass makes, or a base class lends, says nothing."""
    text = thing.__dict__.get("__doc__")
    if not text or text.startswith(f"{thing.__name__}("):
        return ""
    return inspect.cleandoc(text)


def _summary(text: str) -> str:
    """The first sentence."""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".:")


def list_passes(as_json: bool) -> str:
    """Every pass with the first sentence of its description, ours first."""
    return _listing(_described("pass", all_passes()), as_json)


def list_targets(as_json: bool) -> str:
    """Every output form."""
    return _listing(_described("output form", all_targets()), as_json)


def _described(what: str, table: dict[str, Callable[[], type[Any]]]) -> Sequence[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name in sorted(table):
        try:
            kind = table[name]()
        except Exception as error:
            rows.append({"name": name, "from": "", "summary": f"(can't be loaded: {error})", "options": []})
            continue
        row = KINDS[what].rows.get(name)
        origin = row.plugin if row else "hologram" if kind.__module__.startswith("hologram.") else "xdsl"
        rows.append({"name": name, "from": origin, "summary": _summary(_document(kind)), "options": _options(kind)})
    return sorted(rows, key=lambda row: (row["from"] == "xdsl", row["from"] != "hologram"))


def _options(kind: type[Any]) -> list[dict[str, Any]]:
    hints = get_type_hints(kind)
    return [
        {"name": f.name.replace("_", "-"), "type": type_repr(hints[f.name]), "default": _default(f)}
        for f in dataclasses.fields(kind)
        if f.init and f.name != "name"
    ]


def _default(option: dataclasses.Field[Any]) -> str | None:
    if option.default is not dataclasses.MISSING:
        return json.dumps(option.default, default=str)
    if option.default_factory is not dataclasses.MISSING:
        return json.dumps(option.default_factory(), default=str)
    return None


def help_pass(name: str, as_json: bool) -> str:
    """Return what a pass does and which options it takes."""
    if is_pipeline(name):
        return show_pipeline(name, as_json)
    kind = find_pass(PassCall(name))
    if as_json:
        return json.dumps({"name": name, "description": _document(kind), "options": _options(kind)}, indent=1) + "\n"
    lines = [name, "", _document(kind) or "(no description)", ""]
    for option in _options(kind):
        default = "required" if option["default"] is None else f"default {option['default']}"
        lines.append(f"  {option['name']}: {option['type']}, {default}")
    return "\n".join(lines).rstrip() + "\n"


def list_pipelines(as_json: bool) -> str:
    """Every named pipeline with its stages."""
    if as_json:
        return json.dumps([_pipeline(name) for name in PIPELINES], indent=1) + "\n"
    return "".join(f"{name}  {' > '.join(stage.name for stage in stages)}\n" for name, stages in PIPELINES.items())


def show_pipeline(name: str, as_json: bool) -> str:
    """The stages of one pipeline: the passes of each, and what may be there after it."""
    if not is_pipeline(name):
        whole = f"hologram-to-{name}"
        near = f"did you mean '{whole}'?" if whole in PIPELINES else did_you_mean(name, PIPELINES)
        hint = near or "hologram-opt --list-pipelines lists them"
        raise UsageError("pipeline-unknown", f"there is no pipeline '{name}'", hint=hint)
    if as_json:
        return json.dumps(_pipeline(name), indent=1) + "\n"
    lines = [name]
    for number, stage in enumerate(PIPELINES[name], 1):
        does = f"writes {stage.emits} (*{stage.suffix})" if stage.emits else stage.passes
        lines.append(f"{number:3}  {stage.name:<10}  {does}")
        if stage.legal:
            lines.append(f"{'':17}leaves {', '.join(sorted(stage.legal))}")
    return "\n".join(lines) + "\n"


def _pipeline(name: str) -> dict[str, Any]:
    stages = [{"name": s.name, "passes": s.passes, "legal": sorted(s.legal), "emits": s.emits} for s in PIPELINES[name]]
    return {"name": name, "stages": stages}


def list_dialects(as_json: bool) -> str:
    """Every dialect with the number of its operations, attributes and types."""
    ctx = make_context()
    ours = get_all_dialects()
    rows: list[dict[str, Any]] = []
    for name in sorted(ctx.registered_dialect_names):
        outside = KINDS["dialect"].rows.get(name)
        origin = outside.plugin if outside else "hologram" if name in ours else "xdsl"
        try:
            dialect = ctx.get_dialect(name)
        except Exception as error:
            rows.append({"name": name, "from": origin, "summary": f"(can't be loaded: {error})"})
            continue
        operations = sorted(op.name for op in dialect.operations)
        attributes = sorted(attribute.name for attribute in dialect.attributes)
        summary = f"{origin:<8}  {len(operations)} operations, {len(attributes)} attributes and types"
        row: dict[str, Any] = {"name": name, "from": origin, "summary": summary}
        rows.append(row | {"operations": operations, "attributes": attributes} if as_json else row)
    return _listing(rows, as_json)
