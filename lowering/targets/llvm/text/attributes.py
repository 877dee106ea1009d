"""Attributes and metadata as LLVM IR writes them: of functions, of parameters, of loops and accesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.dialects.llvm import FastMathAttr
from xdsl.ir import Attribute, Operation

from hologram.dialects.llvm import DistinctAttr, LoopAnnotationAttr, MemoryEffectsAttr
from hologram.errors import PassError
from hologram.lowering.targets.llvm.text.types import Types, quoted

# Fast-math flags

_FLAGS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
_fastmath_texts: dict[frozenset[Any], str] = {}


def fastmath(flags: Attribute | None) -> str:
    """Return the flags, each with a blank before it."""
    if not isinstance(flags, FastMathAttr) or not flags.data:
        return ""
    text = _fastmath_texts.get(flags.data)
    if text is None:
        words = {str(flag.value) for flag in flags.data}
        text = " fast" if len(words) == len(_FLAGS) else "".join(f" {word}" for word in _FLAGS if word in words)
        _fastmath_texts[flags.data] = text
    return text


# Parameters and results

_PARAMETER_WORDS = {
    "llvm.allocalign": "allocalign",
    "llvm.allocptr": "allocptr",
    "llvm.inreg": "inreg",
    "llvm.nest": "nest",
    "llvm.noalias": "noalias",
    "llvm.nocapture": "captures(none)",
    "llvm.nofree": "nofree",
    "llvm.nonnull": "nonnull",
    "llvm.noundef": "noundef",
    "llvm.readnone": "readnone",
    "llvm.readonly": "readonly",
    "llvm.returned": "returned",
    "llvm.signext": "signext",
    "llvm.writeonly": "writeonly",
    "llvm.zeroext": "zeroext",
}
_PARAMETER_STRINGS = {"nvvm.grid_constant": ' "nvvm.grid_constant"'}
_PARAMETER_NUMBERS = {
    "llvm.align": "align {}",
    "llvm.alignstack": "alignstack({})",
    "llvm.dereferenceable": "dereferenceable({})",
    "llvm.dereferenceable_or_null": "dereferenceable_or_null({})",
}
_PARAMETER_TYPES = {
    "llvm.byref": "byref({})",
    "llvm.byval": "byval({})",
    "llvm.elementtype": "elementtype({})",
    "llvm.inalloca": "inalloca({})",
    "llvm.preallocated": "preallocated({})",
    "llvm.sret": "sret({})",
}


def parameter(op: Operation, attributes: DictionaryAttr | None, types: Types) -> str:
    """Return the attributes of one parameter or result, each with a blank before it, but none of other dialects."""
    if attributes is None or not attributes.data:
        return ""
    text = ""
    for name, value in attributes.data.items():
        if name in _PARAMETER_WORDS:
            text += f" {_PARAMETER_WORDS[name]}"
        elif name in _PARAMETER_NUMBERS:
            number: int = value.value.data if isinstance(value, IntegerAttr) else 0
            text += f" {_PARAMETER_NUMBERS[name].format(number)}"
        elif name in _PARAMETER_TYPES:
            text += f" {_PARAMETER_TYPES[name].format(types(value))}"
        elif name in _PARAMETER_STRINGS:
            text += _PARAMETER_STRINGS[name]
        elif name.startswith("llvm."):
            raise PassError(op, "llvm-ir-parameter-attribute", f"there is no parameter attribute '{name}' in LLVM IR")
    return text


# Functions

_FUNCTION_WORDS = {
    "no_inline": "noinline",
    "always_inline": "alwaysinline",
    "inline_hint": "inlinehint",
    "no_unwind": "nounwind",
    "will_return": "willreturn",
    "optimize_none": "noinline optnone",
    "convergent": "convergent",
}
_FUNCTION_STRINGS = {
    "target_cpu": "target-cpu",
    "tune_cpu": "tune-cpu",
    "reciprocal_estimates": "reciprocal-estimates",
    "prefer_vector_width": "prefer-vector-width",
    "denormal_fp_math": "denormal-fp-math",
    "denormal_fp_math_f32": "denormal-fp-math-f32",
    "no_infs_fp_math": "no-infs-fp-math",
    "no_nans_fp_math": "no-nans-fp-math",
    "no_signed_zeros_fp_math": "no-signed-zeros-fp-math",
}
_KNOWN_WORDS = frozenset(
    "alwaysinline builtin cold convergent hot inlinehint jumptable minsize mustprogress naked nobuiltin nocallback"
    " nocf_check nodivergencesource noduplicate nofree noimplicitfloat noinline nomerge noprofile norecurse noredzone"
    " noreturn nosanitize_bounds nosanitize_coverage nosync nounwind nonlazybind null_pointer_is_valid optdebug"
    " optforfuzzing optnone optsize returns_twice safestack sanitize_address sanitize_hwaddress sanitize_memory"
    " sanitize_memtag sanitize_thread shadowcallstack skipprofile speculatable speculative_load_hardening ssp sspreq"
    " sspstrong strictfp uwtable willreturn".split()
)
_MEMORY_KINDS = {
    "argMem": "argmem",
    "inaccessibleMem": "inaccessiblemem",
    "errnoMem": "errnomem",
    "targetMem0": "target_mem0",
    "targetMem1": "target_mem1",
}


def memory_effects(effects: MemoryEffectsAttr) -> str:
    """Return `memory(...)`, or nothing where all is allowed."""
    kinds = effects.by_kind()
    other = kinds.pop("other")
    parts = [other] + [f"{_MEMORY_KINDS[kind]}: {access}" for kind, access in kinds.items() if access != other]
    return "" if parts == ["readwrite"] else f"memory({', '.join(parts)})"


def _string(name: str, value: str = "") -> str:
    left = f'"{quoted(name.encode())}"'
    return f'{left}="{quoted(value.encode())}"' if value else left


def _passthrough(op: Operation, entries: Iterable[Attribute]) -> Iterable[str]:
    """Give attributes that are given by their LLVM names: a word, or a pair of a name and a value."""
    for entry in entries:
        pair = cast("ArrayAttr[Attribute]", entry).data if isinstance(entry, ArrayAttr) else (entry,)
        names = [part.data for part in pair if isinstance(part, StringAttr)]
        if len(names) != len(pair) or len(names) not in (1, 2):
            message = f"passthrough holds {entry}, which is neither a string nor a pair of strings"
            raise PassError(op, "llvm-ir-passthrough", message)
        if len(names) == 1 and names[0] in _KNOWN_WORDS:
            yield names[0]
        elif len(names) == 2 and names[0] == "memory":
            yield f"memory({names[1]})"
        else:
            yield _string(*names)


def function_attributes(op: Operation) -> list[str]:
    """Return the attributes of a function, or of a call, in LLVM's words."""
    properties = op.properties
    words = [word for name, word in _FUNCTION_WORDS.items() if isinstance(properties.get(name), UnitAttr)]
    attributes = list(dict.fromkeys(" ".join(words).split()))
    if isinstance(effects := properties.get("memory_effects"), MemoryEffectsAttr) and (text := memory_effects(effects)):
        attributes.append(text)
    if isinstance(entries := properties.get("passthrough"), ArrayAttr):
        attributes += _passthrough(op, cast("ArrayAttr[Attribute]", entries).data)
    if (frame := properties.get("frame_pointer")) is not None:
        attributes.append(_string("frame-pointer", str(cast("Any", frame).data.value)))
    for name, word in _FUNCTION_STRINGS.items():
        value = properties.get(name)
        if isinstance(value, StringAttr):
            attributes.append(_string(word, value.data))
        elif isinstance(value, IntegerAttr):
            attributes.append(_string(word, "true" if cast("Any", value).value.data else "false"))
    if (features := properties.get("target_features")) is not None:
        attributes.append(_string("target-features", ",".join(f.data for f in cast("Any", features).features.data)))
    if op.attributes:
        attributes += _of_kernels(op.attributes)
    return attributes


_OF_KERNELS = {
    "nvvm.maxntid": "nvvm.maxntid",
    "nvvm.reqntid": "nvvm.reqntid",
    "nvvm.cluster_dim": "nvvm.cluster_dim",
    "nvvm.cluster_max_blocks": "nvvm.maxclusterrank",
    "nvvm.minctasm": "nvvm.minctasm",
    "nvvm.maxnreg": "nvvm.maxnreg",
}
"""Attributes of kernels: upstream's name, and LLVM's."""


def _of_kernels(attributes: Mapping[str, Attribute]) -> Iterable[str]:
    for name, word in _OF_KERNELS.items():
        value = attributes.get(name)
        if isinstance(value, IntegerAttr):
            yield _string(word, str(cast("Any", value).value.data))
        elif value is not None:
            yield _string(word, ",".join(str(n) for n in cast("Any", value).get_values()))


# Metadata

_LOOP_FLAGS: Mapping[str, str] = {"mustProgress": "mustprogress", "disableNonforced": "disable_nonforced"}
_LOOP_FIELDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    # field: of it, each field with its metadata, and how its value shows
    "vectorize": {
        "disable": ("vectorize.enable", "not"),
        "predicateEnable": ("vectorize.predicate.enable", "bool"),
        "scalableEnable": ("vectorize.scalable.enable", "bool"),
        "width": ("vectorize.width", "int"),
    },
    "interleave": {"count": ("interleave.count", "int")},
    "unroll": {
        "disable": ("unroll.disable", "switch"),
        "count": ("unroll.count", "int"),
        "runtimeDisable": ("unroll.runtime.disable", "bool"),
        "full": ("unroll.full", "flag"),
    },
    "unrollAndJam": {
        "disable": ("unroll_and_jam.disable", "switch"),
        "count": ("unroll_and_jam.count", "int"),
    },
    "licm": {
        "disable": ("licm.disable", "bare flag"),
        "versioningDisable": ("licm_versioning.disable", "flag"),
    },
    "distribute": {"disable": ("distribute.enable", "not")},
    "pipeline": {
        "disable": ("pipeline.disable", "bool"),
        "initiationinterval": ("pipeline.initiationinterval", "int"),
    },
    "peeled": {"count": ("peeled.count", "int")},
    "unswitch": {"partialDisable": ("unswitch.partial.disable", "flag")},
}


class Metadata:
    """The numbered metadata nodes of a module."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self._known: dict[str, int] = {}
        self._identities: dict[str, int] = {}

    def node(self, text: str) -> int:
        """Return the number of a node; equal ones are one."""
        number = self._known.get(text)
        if number is None:
            number = self._known[text] = len(self.nodes)
            self.nodes.append(text)
        return number

    def distinct(self, inside: Iterable[str] = ()) -> int:
        """Return the number of a new node, which has itself as its first element."""
        number = len(self.nodes)
        self.nodes.append(f"distinct !{{{', '.join([f'!{number}', *inside])}}}")
        return number

    def weights(self, values: Iterable[int]) -> str:
        """Return the metadata of a branch for the probabilities of its targets."""
        listed = ", ".join(f"i32 {v}" for v in values)
        number = self.node(f'!{{!"branch_weights", {listed}}}')
        return f", !prof !{number}"

    # Loops

    def loop(self, op: Operation, annotation: LoopAnnotationAttr) -> str:
        """Return the metadata of a loop's branch back."""
        parts = [
            self._named(f"llvm.loop.{word}") for field, word in _LOOP_FLAGS.items() if _true(annotation.get(field))
        ]
        if _true(annotation.get("isVectorized")):
            parts.append(self._named("llvm.loop.isvectorized", "i32 1"))
        for field, fields in _LOOP_FIELDS.items():
            group = annotation.get(field)
            for name, value in cast("Any", group).fields.data.items() if group is not None else ():
                if name not in fields:
                    message = f"'{name}' of a loop's '{field}' can't be written as LLVM IR"
                    raise PassError(op, "llvm-ir-loop-annotation", message)
                parts += self._loop_field(*fields[name], value)
        groups = annotation.get("parallelAccesses")
        if isinstance(groups, ArrayAttr):
            listed = ", ".join(f"!{self.access_group(g)}" for g in cast("ArrayAttr[Attribute]", groups).data)
            parts.append(self._named("llvm.loop.parallel_accesses", listed))
        return f", !llvm.loop !{self.distinct(parts)}"

    def _loop_field(self, name: str, shape: str, value: Attribute) -> Iterable[str]:
        number: int = cast("Any", value).value.data
        true = bool(number)
        full = f"llvm.{name}" if shape == "bare flag" else f"llvm.loop.{name}"
        if shape == "int":
            yield self._named(full, f"i32 {number}")
        elif shape in ("bool", "not"):
            yield self._named(full, "i1 true" if true == (shape == "bool") else "i1 false")
        elif shape == "switch":
            yield self._named(full if true else full.replace("disable", "enable"))
        elif true:
            yield self._named(full)

    def _named(self, name: str, value: str = "") -> str:
        number = self.node(f'!{{!"{name}", {value}}}' if value else f'!{{!"{name}"}}')
        return f"!{number}"

    # Accesses

    def access_group(self, group: Attribute) -> int:
        key = str(group)
        if key not in self._identities:
            self._identities[key] = len(self.nodes)
            self.nodes.append("distinct !{}")
        return self._identities[key]

    def alias_scope(self, scope: Attribute) -> int:
        """Return the number of the node of an alias scope or of a domain of them."""
        key = str(scope)
        if key not in self._identities:
            fields: Mapping[str, Attribute] = cast("Any", scope).fields.data
            parts: list[str] = []
            if "domain" in fields:
                parts.append(f"!{self.alias_scope(fields['domain'])}")
            if isinstance(text := fields.get("description"), StringAttr):
                parts.append(f'!"{quoted(text.data.encode())}"')
            identity = fields.get("id")
            if isinstance(identity, DistinctAttr):
                self._identities[key] = self.distinct(parts)
            else:
                name = identity.data if isinstance(identity, StringAttr) else key
                inside = ", ".join([f'!"{quoted(name.encode())}"', *parts])
                self._identities[key] = self.node(f"!{{{inside}}}")
        return self._identities[key]

    def access(self, op: Operation) -> str:
        """Return the metadata of a load, store or call."""
        properties = op.properties
        text = ""
        if "nontemporal" in properties:
            text += f", !nontemporal !{self.node('!{i32 1}')}"
        if "invariant" in properties:
            text += f", !invariant.load !{self.node('!{}')}"
        if "invariantGroup" in properties:
            text += f", !invariant.group !{self.node('!{}')}"
        for name, kind in (("alias_scopes", "alias.scope"), ("noalias_scopes", "noalias")):
            if isinstance(scopes := properties.get(name), ArrayAttr):
                listed = ", ".join(f"!{self.alias_scope(s)}" for s in cast("ArrayAttr[Attribute]", scopes).data)
                text += f", !{kind} !{self.node(f'!{{{listed}}}')}"
        if isinstance(groups := properties.get("access_groups"), ArrayAttr):
            numbers = [self.access_group(g) for g in cast("ArrayAttr[Attribute]", groups).data]
            listed = ", ".join(f"!{n}" for n in numbers)
            one = numbers[0] if len(numbers) == 1 else self.node(f"!{{{listed}}}")
            text += f", !llvm.access.group !{one}"
        if "tbaa" in properties:
            raise PassError(op, "llvm-ir-tbaa", "type-based alias information can't be written as LLVM IR yet")
        return text


def _true(value: Attribute | None) -> bool:
    return isinstance(value, IntegerAttr) and bool(cast("Any", value).value.data)
