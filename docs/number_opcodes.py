"""Gives numbers to new instructions, types and special registers: `python docs/number_opcodes.py`, part of `make docs`.

A number means one instruction with one signature for ever. An instruction whose signature changes gets a new number;
its old one is retired, so that a binary that holds it is refused by name and never misread.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "dialects" / "machine" / "numbers.json"
OBJECTS = ("buf", "shared", "local", "pool", "c", "reg", "phi")


def extended(table: dict[str, Any]) -> dict[str, Any]:
    """The table with a row for everything that is declared."""
    from hologram.dialects.atlas.instructions.types import DTYPES
    from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
    from hologram.dialects.machine.numbers import declared

    rows = dict(table.get("instructions", {}))
    retired = dict(table.get("retired", {}))
    now = declared()
    for name in list(rows):
        if rows[name]["signature"] != now.get(name):
            row = rows.pop(name)
            retired[str(row["number"])] = {"name": name, "signature": row["signature"]}
    taken = max((*(row["number"] for row in rows.values()), *map(int, retired)), default=0)
    for name, signature in now.items():
        if name not in rows:
            taken += 1
            rows[name] = {"number": taken, "signature": signature}
    kinds = {"types": DTYPES, "specials": SPECIAL_REGISTERS, "objects": OBJECTS}
    found: dict[str, Any] = {"instructions": rows, "retired": retired}
    for kind, names in kinds.items():
        numbered: dict[str, int] = dict(table.get(kind, {}))
        for name in names:
            if name not in numbered:
                numbered[name] = max(numbered.values(), default=-1) + 1
        found[kind] = numbered
    return found


def text(table: dict[str, Any]) -> str:
    """The table as the text of the file, with a line for each row."""
    parts: list[str] = []
    for kind, rows in table.items():
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        parts.append(f'  "{kind}": {{\n{lines}\n  }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    table: dict[str, Any] = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    TABLE.write_text(text(extended(table)), "utf-8")


if __name__ == "__main__":
    main()
