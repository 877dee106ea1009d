"""`hologram_isa.h`: what `make docs` writes, and the numbers of the table for a C compiler where there is one."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from hologram import isa
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.numbers import numbers
from hologram.driver.c.library import header
from in_process import run_tool

ROOT = Path(__file__).resolve().parents[2]
C_PROGRAM = """
#include <stdio.h>
#include <string.h>
#include "hologram_isa.h"
#define ROW(number, name, signature) printf("%d %s|%s\\n", number, name, signature);
static unsigned at(const unsigned char *data, int n) { return data[n] | data[n + 1] << 8; }
int main(void) {
  unsigned char data[4096];
  size_t size = fread(data, 1, sizeof data, stdin);
  if (size < ATLAS_HEADER_BYTES || memcmp(data, ATLAS_MAGIC, ATLAS_MAGIC_BYTES)) return 1;
  if (at(data, 8) != ATLAS_MAJOR || at(data, 10) > ATLAS_MINOR) return 2;
  if (memcmp(data + ATLAS_HEADER_BYTES, ATLAS_SECTION_OPCODES, 4)) return 3;
  /* The code section ends in the last instruction: fma.f32 r8, r0, r6, r7, then exit. */
  unsigned char *end = data + size;
  if (at(end, -2) != ATLAS_OP_EXIT || at(end, -9) != ATLAS_OP_FMA || end[-7] != ATLAS_TYPE_F32) return 4;
  ATLAS_INSTRUCTIONS(ROW)
  return 0;
}
"""


def test_the_header_is_current():
    written = runpy.run_path(str(ROOT / "docs" / "isa_header.py"))["text"]()
    assert header("hologram_isa.h") == written, "driver/c/hologram_isa.h is stale: run `make docs` and commit it"


def test_every_modifier_has_its_place():
    text = header("hologram_isa.h")
    for form in FORMS.values():
        for modifier in form.modifiers:
            name = f"ATLAS_{form.name}_{modifier.name}_".replace(".", "_").upper()
            for number, choice in enumerate(modifier.choices):
                assert f"{name}{(choice or 'none').upper()} = {number}" in text


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no 'cc'")
def test_a_c_program_reads_a_container(tmp_path: Path):
    assert run_tool("hologram-compile", ["--c-library", "."], cwd=tmp_path).code == 0
    (tmp_path / "main.c").write_text(C_PROGRAM)
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "main.c", "-I.", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    data = isa.encode(isa.assemble(".program p() {\n  fma.f32 r8, r0, r6, r7\n}"))
    done = subprocess.run(["./main"], cwd=tmp_path, input=data, capture_output=True)
    assert done.returncode == 0
    table = numbers()
    rows = sorted(table.opcodes.items(), key=lambda row: row[1])
    expected = [f"{number} {name}|{table.signatures[name]}" for name, number in rows]
    assert done.stdout.decode().splitlines() == expected
