"""Reproducers: files that hold an input and the pipeline that broke on it, in the form of mlir-opt's."""

from __future__ import annotations

import hashlib
import platform
import re
import traceback
from collections.abc import Sequence
from pathlib import Path

from hologram.errors import HologramError, InputError, InternalError, UsageError
from hologram.lowering.pipelines.pass_spec import Node, format_nodes
from hologram.plugins import LOADED, discover, places
from hologram.support.regular_files import write_temporary

_METADATA = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: "{pipeline}",
      disable_threading: true,
      verify_each: {verify}{plugins}
    }}
  }}
#-}}
"""

_PLUGINS = re.compile(r'\bplugins: "([\w ]*)"')


def reproducer_text(text: str, pipeline: Sequence[Node], verify_each: bool, error: HologramError) -> str:
    """`text`, then what happened as comments, then the pipeline: line numbers stay those of the input."""
    quoted = f"builtin.module({format_nodes(tuple(pipeline))})".replace("\\", "\\\\").replace('"', '\\"')
    plugins = f',\n      plugins: "{" ".join(LOADED)}"' if LOADED else ""
    metadata = _METADATA.format(pipeline=quoted, verify=str(verify_each).lower(), plugins=plugins)
    return f"{text.rstrip()}\n\n{_story(error)}{metadata}"


def need_plugins(text: str, name: str) -> None:
    """Refuses a reproducer with plug-ins that are not loaded. Those that are installed are: what else a file names is
    code that only who runs it can trust."""
    match = _PLUGINS.search(text.rpartition("mlir_reproducer: {")[2])
    missing = [plugin for plugin in match[1].split() if plugin not in LOADED] if match else []
    if missing and discover():
        missing = [plugin for plugin in missing if plugin not in LOADED]
    if missing:
        raise InputError(
            "reproducer-plugins",
            f"'{name}' needs the plug-in '{missing[0]}', which is not loaded",
            hint="if you trust its code, give --load-plugin FILE, as the line 'run with:' in the reproducer does",
        )


def _story(error: HologramError) -> str:
    from importlib.metadata import version

    lines = [
        f"hologram-mlir {version('hologram-mlir')}, xdsl {version('xdsl')}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}",
        f"error: {error.message} [{error.code}]",
        " ".join(["run with: hologram-opt --run-reproducer THIS_FILE", *(f"--load-plugin {p}" for p in places())]),
    ]
    if isinstance(error, InternalError):
        lines += "".join(traceback.format_exception(error.__cause__ or error)).splitlines()
    return "".join(f"// {line}".rstrip() + "\n" for line in lines)


def write_reproducer(content: str, path: str | None = None) -> Path:
    """Writes a reproducer where asked, or under a name made from its content in the folder for temporary files."""
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    target = Path(path or f"hologram-reproducer-{digest}.mlir")
    try:
        if path is None:
            return write_temporary(target.name, content.encode())
        target.write_text(content, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            "reproducer-unwritable", f"the reproducer '{target}' can't be written: {error.strerror}"
        ) from None
    return target
