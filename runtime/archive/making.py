"""Makes the pieces of a source: one reading, a tree of stages whose branches are targets, and their code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn, cast

from xdsl.dialects.arith import ConstantOp, IndexCastOp
from xdsl.dialects.builtin import BytesAttr, IndexType, IntegerAttr, StringAttr, i64
from xdsl.dialects.memref import DimOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import Rewriter

from hologram.collector import without_collection
from hologram.dialects import make_context
from hologram.dialects.atlas.lanes import ProgramOp
from hologram.errors import InputError, PassError
from hologram.frontend.kernels.document import write
from hologram.host_target import host_target
from hologram.lowering.assign_registers import AssignRegistersPass
from hologram.lowering.emit.llvm_ir import emit_llvm_ir
from hologram.lowering.emit.mlir import MlirTarget
from hologram.lowering.emit.native import optimise, to_assembly
from hologram.lowering.pipelines import run_pipeline, stages_for
from hologram.runtime import codegen
from hologram.runtime.archive import pieces as p
from hologram.runtime.archive.pieces import Piece, Pieces, Want
from hologram.runtime.archive.shared import loadable
from hologram.runtime.archive.sources import Place
from hologram.runtime.archive.targets import HOST, Target
from hologram.runtime.cache import STATS
from hologram.runtime.codegen import Job
from hologram.runtime.compiler import Build
from hologram.runtime.devices.protocol import CODE as DEVICE_CODE
from hologram.runtime.entry import SYMBOL
from hologram.runtime.settings import current
from hologram.transforms.inline_lane_functions import InlineLaneFunctionsPass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.lowering.stage import Stage

Made = Iterator[tuple[Want, Piece]]
Branch = tuple[Target | None, tuple["Stage", ...]]
"""A target and the stages that are left on the way to it; None for forms that no target decides."""
SHAPES, ATLAS = stages_for(HOST)[:2]
_RECORDS = re.compile(rf'^@{SYMBOL} = constant \[\d+ x i8\] c"(.*)\\00"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\([0-9A-F]{2})")


def get(of: Pieces, wanted: Sequence[Want]) -> dict[Want, Piece]:
    """Each wanted piece, found or made. Raises the error of the first that can't be made."""
    found = of.find(wanted)
    return found | make(of, [want for want in wanted if want not in found])


def make(of: Pieces, wanted: Sequence[Want]) -> dict[Want, Piece]:
    """Makes pieces, and keeps each in the cache when it is done."""
    found: dict[Want, Piece] = {}
    with without_collection():
        for want, piece in _all(of, wanted):
            found[want] = piece
            of.keep(want, piece)
    return found


def _all(of: Pieces, wanted: Sequence[Want]) -> Made:
    if not wanted:
        return
    if not of.place.source.is_ir:
        yield from _of_code(of, wanted)
        return
    making = _Making(of, wanted)
    yield from making.front()
    yield from making.branches()


class _Making:
    """One source on its way to all that is wanted of it."""

    def __init__(self, of: Pieces, wanted: Sequence[Want]):
        self.of = of
        self.wanted = wanted
        self.ctx = make_context()
        start = perf_counter()
        self.module = of.place.module(self.ctx)
        of.check_unchanged()
        of.note("read", perf_counter() - start)

    def forms(self) -> set[str]:
        return {want.form for want in self.wanted if want.target is None}

    def front(self) -> Made:
        """What needs no stages of a target."""
        forms = self.forms()
        for form in (p.PLAIN, p.LOCATED):
            if form in forms:
                yield Want(form), Piece(printed(self.module, located=form == p.LOCATED).encode())
        if p.DOCUMENT in forms:
            yield Want(p.DOCUMENT), Piece(documents_text(self.of).encode())

    def _between(self, stage: Stage, module: ModuleOp) -> Made:
        """What is made of the module behind a stage that all targets have."""
        forms = self.forms()
        if stage == SHAPES and forms & {*p.MACHINE_FORMS}:
            yield from self._machine_forms(module, forms)
        if stage == ATLAS and p.ATLAS in forms:
            yield Want(p.ATLAS), Piece(printed(module, located=False).encode())

    def _machine_forms(self, shaped: ModuleOp, forms: set[str]) -> Made:
        """The machine form of lane programs; where there is none, the pieces say why."""
        from hologram.lowering.emit.atlas_asm import AtlasAsmTarget
        from hologram.lowering.emit.atlas_binary import AtlasBinaryTarget

        try:
            module = machine_form(shaped, self.ctx)
            text = StringIO()
            AtlasAsmTarget().emit(self.ctx, module, text)
            found = {
                p.ISA: Piece(AtlasBinaryTarget().emit_binary(self.ctx, module)),
                p.ASSEMBLY: Piece(text.getvalue().encode()),
            }
            if not module.body.block.ops.first:
                found = dict.fromkeys(p.MACHINE_FORMS, Piece(b"", {"missing": "it has no lane programs"}))
        except (PassError, InputError) as error:
            found = dict.fromkeys(p.MACHINE_FORMS, Piece(b"", {"missing": error.message}))
        yield from ((Want(form), piece) for form, piece in found.items() if form in forms)

    # Targets

    def branches(self) -> Made:
        """The pieces of all targets."""
        targets = dict.fromkeys(want.target for want in self.wanted if want.target is not None)
        left: list[Branch] = [(t, tuple(s for s in t.stages if s.emits is None)) for t in targets]
        if self.forms() & {*p.MACHINE_FORMS, p.ATLAS}:
            left.append((None, (SHAPES, ATLAS)))
        if left:
            yield from self._grow(self.module, left)

    def _grow(self, module: ModuleOp, left: Sequence[Branch]) -> Made:
        """Runs the stages of all targets on a module, which is used up; those that begin alike go together."""
        groups: dict[Stage | None, list[Branch]] = {}
        for target, stages in left:
            groups.setdefault(stages[0] if stages else None, []).append((target, stages[1:]))
        last = list(groups)[-1]
        for stage, branches in groups.items():
            mine = module if stage is last else module.clone()
            targets = [target for target, _ in branches if target is not None]
            if stage is None:
                for target in targets:
                    yield from self._finish(mine, target)
                continue
            start = perf_counter()
            run_pipeline(mine, self.ctx, (stage,), verify_stages=False)
            self.of.note("+".join(target.name for target in targets) or "forms", perf_counter() - start)
            if len(branches) > len(targets):
                yield from self._between(stage, mine)
            yield from self._grow(mine, branches)

    def _finish(self, module: ModuleOp, target: Target) -> Made:
        """The pieces of a target, of a module of the llvm dialect."""
        start = perf_counter()
        forms = [want.form for want in self.wanted if want.target == target]
        text = emit_llvm_ir(module)
        records = records_of(text, self.of.place.source.name)
        if target.device != HOST and any("device" not in record for record in records):
            self._refuse(target)
        image = self._object(text) if {p.CODE, p.LOADABLE} & {*forms} else b""
        for form in forms:
            match form:
                case p.DEVICE:
                    piece = device_code(module, records[0])
                case p.CODE | p.LOADABLE:
                    piece = code_piece(form, image, records, self.of.place, target)
                case p.CHECKED:
                    piece = Piece(b"")
                case _:
                    piece = Piece(self._text(form, text).encode())
            yield Want(form, target), piece
        self.of.note(target.name, perf_counter() - start)

    def _refuse(self, target: Target) -> NoReturn:
        raise InputError(
            "compile-no-kernel",
            f"'{self.of.place.source.name}' has nothing that a device runs, so there is no code for '{target.name}'",
            hint="compile it for cpu",
        )

    def _object(self, text: str) -> bytes:
        STATS.compiled += 1
        return codegen.generate(Job("ll", None, self.of.opt_level), text.encode(), isolate=self.of.isolate)

    def _text(self, form: str, text: str) -> str:
        if form == p.LLVM:
            return text
        level = self.of.opt_level
        optimised = optimise(text, host_target(), level)
        return optimised if form == p.OPTIMISED else to_assembly(optimised, host_target(), level)


# Parts


def documents_text(of: Pieces) -> str:
    """The kernel documents of a source as JSON: the one there is, or a list."""
    found = of.place.documents()
    return write(found[0] if len(found) == 1 else found)


def printed(module: ModuleOp, *, located: bool) -> str:
    """The text of a module, which reads back as it is; with places or without."""
    text = StringIO()
    MlirTarget(print_debuginfo=located).emit(make_context(), module, text)
    return text.getvalue()


def machine_form(shaped: ModuleOp, ctx: Context) -> ModuleOp:
    """The lane programs of a module behind the first stage as machine code, without the functions that launch them."""
    made = shaped.clone()
    for op in list(made.body.block.ops):
        if op.name == "func.func":
            op.detach()
            op.erase()
    InlineLaneFunctionsPass().apply(ctx, made)
    for op in made.body.block.ops:
        if isinstance(op, ProgramOp):
            _take_sizes_as_integers(op)
    AssignRegistersPass().apply(ctx, made)
    return made


def _take_sizes_as_integers(program: ProgramOp) -> None:
    """Machine code has no indices: what is one only to be cast to i64 becomes a parameter of this type. Sizes of arrays
    that the body asks for follow the parameters that there are."""
    entry = program.body.blocks[0]
    for arg in list(entry.args):
        if isinstance(arg.type, IndexType) and _is_only_cast(arg):
            _erase_casts(Rewriter.replace_value_with_new_type(arg, i64))
    sizes: dict[tuple[SSAValue, int], SSAValue] = {}
    for op in list(program.walk()):
        if not isinstance(op, DimOp) or not isinstance(op.source, BlockArgument) or not _is_only_cast(op.result):
            continue
        axis = op.index.owner
        if op.source.block is not entry or not isinstance(axis, ConstantOp) or not isinstance(axis.value, IntegerAttr):
            continue
        key = op.source, axis.value.value.data
        if key not in sizes:
            sizes[key] = entry.insert_arg(i64, len(entry.args))
        op.result.replace_all_uses_with(sizes[key])
        _erase_casts(sizes[key])
        Rewriter.erase_op(op)
        if not axis.result.uses:
            Rewriter.erase_op(axis)


def _is_only_cast(value: SSAValue) -> bool:
    return all(isinstance(use.operation, IndexCastOp) for use in value.uses)


def _erase_casts(number: SSAValue) -> None:
    """Has what is cast to i64, and is one already, used as it is."""
    for op in [use.operation for use in number.uses if isinstance(use.operation, IndexCastOp)]:
        op.results[0].replace_all_uses_with(number)
        Rewriter.erase_op(op)


def records_of(text: str, name: str) -> list[dict[str, Any]]:
    """The entry records in LLVM IR that was written here."""
    found = _RECORDS.search(text)
    if found is None:
        raise InputError(
            "compile-no-entry",
            f"'{name}' has no entry: no public function that can be launched",
            hint="make a function public, such as func.func @main(...)",
        )
    return json.loads(_ESCAPED.sub(lambda m: chr(int(m[1], 16)), found[1]))


def code_piece(form: str, image: bytes, records: list[dict[str, Any]], place: Place, target: Target) -> Piece:
    """The piece of an object file."""
    if form == p.CODE:
        return Piece(image, {"entries": records})
    format, data = loadable(image, PurePath(place.source.name).stem, for_device=target.device != HOST)
    return Piece(data, {"entries": records, "format": format})


def device_code(module: ModuleOp, record: Mapping[str, Any]) -> Piece:
    """The code for a device in what is left for this machine; of WebAssembly the module, which engines load."""
    about = {key: record["device"][key] for key in ("format", "target", "kernels")}
    data = _global(module, DEVICE_CODE)[: record["device"]["bytes"]]
    if about["format"] == "wasm-object":
        from hologram.lowering.emit.wasm_link import link

        data = link(data)
    return Piece(data, about)


def _global(module: ModuleOp, name: str) -> bytes:
    """The bytes of a constant."""
    named = {op.properties["sym_name"]: op for op in module.body.block.ops if "sym_name" in op.properties}
    value = named[StringAttr(name)].properties["value"]
    return value.data if isinstance(value, BytesAttr) else cast("StringAttr", value).data.encode()


def _of_code(of: Pieces, wanted: Sequence[Want]) -> Made:
    """The pieces of LLVM IR, assembly and object files, which are for this machine alone."""
    for want in wanted:
        if want.form not in (p.CODE, p.LOADABLE) or want.target is None or want.target.device != HOST:
            raise InputError(
                "compile-code-source",
                f"'{of.place.source.name}' holds code for one machine, which can only be linked for it",
                hint="compile its MLIR, or use --emit object or --emit shared",
            )
        image, entries = Build(of.place.source, current(), HOST, of.opt_level, False, None).image()
        yield want, code_piece(want.form, image, [e.to_json() for e in entries], of.place, want.target)
