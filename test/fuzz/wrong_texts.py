"""Valid files, pipelines and command lines of the repository with some of their tokens changed, as slips of the fingers
change them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from hologram.lowering import get_all_passes as lowering_passes
from hologram.lowering.pipelines.pipelines import PIPELINES
from hologram.transforms import get_all_passes as transform_passes
from wrong_inputs.cases import Case

ROOT = Path(__file__).resolve().parent.parent.parent
TOKEN = re.compile(r'\s+|"[^"\n]*"|->|[%@^#!]?[A-Za-z_][\w.$-]*|\d+(?:\.\d+)?|.', re.DOTALL)
NUMBERS = "0 1 -1 2 3 7 64 255 256 65536 9223372036854775808 1.5 0x7F 0xFFFFFFFFF 1e9".split()
TYPES = "i1 i8 i32 i64 f16 bf16 f32 f64 index i128 tensor<4xf32> memref<?xf32> vector<4xf32> none f33 x ?".split()
SIGNS = list("(){}[]<>,:;=%@^#!?*+-/\\\"'`.|~") + ["->", "::", "||", "\n", "\t", "\0", "é", "–"]
COMMANDS = (
    "hologram-run f.mlir --arg f32[4]=iota --device cpu --json",
    "hologram-run f.mlir --arg [1,2,3,4]:f32 --device interpreter --entry f",
    "hologram-opt f.mlir -p canonicalize,cse --mlir-print-ir-after=cse -t mlir{print-generic-format}",
    "hologram-opt f.mlir --pass-pipeline builtin.module(func.func(canonicalize,cse)) --verify-each=true",
    "hologram-opt f.mlir -p assign-registers{registers=64,predicates=8} --timing=json",
    "hologram-compile f.mlir --emit ir --target cpu,vulkan{fma=true} -o f.out -j 1 -O 2",
    "hologram-compile f.mlir --check --types f32,f64 --target sm_90",
    "hologram-opt --help-pass canonicalize --json",
    "hologram-doctor --json --extra",
)
PROGRAM = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { func.return %x : tensor<4xf32> }\n"


@cache
def files() -> list[tuple[str, str]]:
    """The suffixes and texts of small valid files."""
    paths = [*ROOT.glob("test/lit/**/*.*"), *ROOT.glob("examples/*.mlir"), *ROOT.glob("test/fail/**/Inputs/*.json")]
    known = (".mlir", ".atlas", ".circuit", ".json")
    texts = [(p.suffix, p.read_text(encoding="utf-8")) for p in sorted(paths) if p.suffix in known]
    texts += [(".mlir", block) for p in sorted(ROOT.glob("docs/**/*.mdx")) for block in _blocks(p)]
    # The places that a kernel document tells are those of another file.
    return [(suffix, text) for suffix, text in texts if len(text) < 6000 and '"at"' not in text]


def _blocks(page: Path) -> list[str]:
    return re.findall(r"^```mlir\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@cache
def pipelines() -> list[str]:
    """Valid texts of pipelines, of our own passes: xDSL's need not leave valid IR."""
    names = [name for name in (*lowering_passes(), *transform_passes()) if name != "mlir-opt"]
    texts = [f"builtin.module(func.func({a},{b}),{c})" for a, b, c in zip(names, names[5:], names[9:], strict=False)]
    texts += [f"{name}{{from=core to=loops}}" for name in PIPELINES]
    return [*texts, "assign-registers{registers=64 predicates=8},cse", 'mlir-opt[cse,canonicalize{x="a b"}]']


def _misspelt(word: str, random: Random) -> str:
    at = random.randrange(len(word))
    letter = random.choice("abcxyz0123._-")
    return random.choice(
        (word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[: at + 1] + word[at:], word.swapcase())
    )


def _delete(tokens: list[str], at: int, random: Random) -> None:
    del tokens[at : at + random.choice((1, 1, 1, 2, 5))]


def _duplicate(tokens: list[str], at: int, random: Random) -> None:
    tokens.insert(at, tokens[at])


def _swap(tokens: list[str], at: int, random: Random) -> None:
    other = min(len(tokens) - 1, at + random.choice((1, 2)))
    tokens[at], tokens[other] = tokens[other], tokens[at]


def _misspell(tokens: list[str], at: int, random: Random) -> None:
    tokens[at] = _misspelt(tokens[at], random)


def _replace(tokens: list[str], at: int, random: Random) -> None:
    tokens[at] = random.choice(
        (random.choice(NUMBERS), random.choice(TYPES), random.choice(SIGNS), random.choice(tokens))
    )


def _insert(tokens: list[str], at: int, random: Random) -> None:
    tokens.insert(at, random.choice(SIGNS))


def _cut_line(tokens: list[str], at: int, random: Random) -> None:
    end = next((i for i in range(at, len(tokens)) if "\n" in tokens[i]), len(tokens))
    del tokens[at:end]


def _cut(tokens: list[str], at: int, random: Random) -> None:
    del tokens[at:]


CHANGES: tuple[Callable[[list[str], int, Random], None], ...] = (
    _delete, _delete, _duplicate, _swap, _misspell, _misspell, _replace, _replace, _insert, _cut_line, _cut,
)  # fmt: skip


def mutated(text: str, random: Random) -> str:
    """A text with one token changed, or some."""
    tokens = TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        words = [i for i, token in enumerate(tokens) if token.strip()]
        if words:
            random.choice(CHANGES)(tokens, random.choice(words), random)
    return "".join(tokens)


def sample(random: Random) -> Case:
    """A command with something wrong, or nothing."""
    kind = random.random()
    if kind < 0.7:
        suffix, text = random.choice(files())
        options = random.choice(("", "", "", " --split-input-file", " --allow-unregistered-dialect"))
        return Case("fuzz", "file", f"hologram-opt f{suffix}{options}", {f"f{suffix}": mutated(text, random)})
    if kind < 0.85:
        text = mutated(random.choice(pipelines()), random).replace("\0", "")
        return Case("fuzz", "pipeline", f"hologram-opt f.mlir --pass-pipeline={shlex.quote(text)}", {"f.mlir": PROGRAM})
    words: list[str] = [*random.choice(COMMANDS).split()]
    at = random.randrange(1, len(words))
    words[at] = mutated(words[at], random).replace("\0", "")
    if random.random() < 0.2:
        words.insert(at, random.choice(words[1:]))
    command = " ".join(words[:1] + [shlex.quote(word) for word in words[1:]])
    return Case("fuzz", "command", command, {"f.mlir": PROGRAM})
