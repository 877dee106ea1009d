# ruff: noqa: E501 (the lines of the programs)
"""A module with every operation of the llvm dialect, in upstream's custom syntax, and most of the forms they have."""

from __future__ import annotations

FLOAT_UNARY = (
    "fabs sqrt sin cos tan asin acos atan sinh cosh tanh exp exp2 exp10 log log2 log10 floor ceil trunc rint nearbyint"
    " round roundeven"
).split()
FLOAT_BINARY = "copysign pow atan2 maxnum minnum maximum minimum".split()
INTEGER_BINARY = "smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat".split()
OVERFLOWS = "sadd uadd ssub usub smul umul".split()
REDUCTIONS = "add mul and or xor smax smin umax umin".split()
FLOAT_REDUCTIONS = "fmax fmin fmaximum fminimum".split()

HEAD = """
llvm.mlir.global internal constant @table(dense<[1.0, -2.5]> : tensor<2xf32>) {alignment = 16 : i64} : !llvm.array<2 x f32>
llvm.mlir.global external hidden @scratch() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.mlir.global private unnamed_addr constant @text("a\\22b\\00") : !llvm.array<4 x i8>
llvm.mlir.global internal thread_local @state(7 : i32) : i32
llvm.mlir.global external @matrix(dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>) : !llvm.array<2 x array<3 x i16>>
llvm.mlir.global internal constant @record() : !llvm.struct<"pair", (ptr, struct<packed (i8, i32)>)> {
  %0 = llvm.mlir.undef : !llvm.struct<"pair", (ptr, struct<packed (i8, i32)>)>
  %1 = llvm.mlir.addressof @matrix : !llvm.ptr
  %2 = llvm.getelementptr inbounds %1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x array<3 x i16>>
  %3 = llvm.mlir.constant(3 : i32) : i32
  %4 = llvm.insertvalue %2, %0[0] : !llvm.struct<"pair", (ptr, struct<packed (i8, i32)>)>
  %5 = llvm.insertvalue %3, %4[1, 1] : !llvm.struct<"pair", (ptr, struct<packed (i8, i32)>)>
  llvm.return %5 : !llvm.struct<"pair", (ptr, struct<packed (i8, i32)>)>
}
llvm.func @printf(!llvm.ptr {llvm.noundef, llvm.readonly}, ...) -> i32
llvm.func @opaque(f32) -> (f32 {llvm.noundef}) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind}
llvm.func internal fastcc @callee(%x: f32 {llvm.noundef}) -> f32 attributes {always_inline, dso_local, passthrough = ["nounwind", ["key", "value"]], target_cpu = "x86-64", target_features = #llvm.target_features<["+sse2", "-avx"]>} {
  llvm.return %x : f32
}
"""

MIDDLE = """
  %one = llvm.mlir.constant(1 : i32) : i32
  %true = llvm.mlir.constant(true) : i1
  %wide = llvm.mlir.constant(-1 : i64) : i64
  %byte = llvm.mlir.constant(65 : i8) : i8
  %splat = llvm.mlir.constant(dense<1.5> : vector<4xf32>) : vector<4xf32>
  %lanes = llvm.mlir.constant(dense<[1, 0, 1, 1]> : vector<4xi1>) : vector<4xi1>
  %null = llvm.mlir.zero : !llvm.ptr
  %poison = llvm.mlir.poison : vector<4xf32>
  %undef = llvm.mlir.undef : !llvm.struct<(i32, array<2 x f32>)>
  %add = llvm.add %i, %one overflow<nsw, nuw> : i32
  %sub = llvm.sub %add, %i overflow<nsw> : i32
  %mul = llvm.mul %sub, %i : i32
  %shl = llvm.shl %mul, %one overflow<nuw> : i32
  %udiv = llvm.udiv exact %shl, %add : i32
  %sdiv = llvm.sdiv %udiv, %add : i32
  %urem = llvm.urem %sdiv, %add : i32
  %srem = llvm.srem %urem, %add : i32
  %and = llvm.and %srem, %i : i32
  %or = llvm.or disjoint %and, %i : i32
  %xor = llvm.xor %or, %i : i32
  %lshr = llvm.lshr %xor, %one : i32
  %ashr = llvm.ashr exact %lshr, %one : i32
  %fadd = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  %fsub = llvm.fsub %fadd, %x : f32
  %fmul = llvm.fmul %fsub, %x {fastmathFlags = #llvm.fastmath<fast>} : f32
  %fdiv = llvm.fdiv %fmul, %x : f32
  %frem = llvm.frem %fdiv, %x : f32
  %fneg = llvm.fneg %frem : f32
  %lt = llvm.icmp "slt" %i, %one : i32
  %same = llvm.icmp "eq" %p, %null : !llvm.ptr
  %olt = llvm.fcmp "olt" %x, %fneg {fastmathFlags = #llvm.fastmath<ninf>} : f32
  %vlt = llvm.fcmp "ult" %v, %splat : vector<4xf32>
  %narrow = llvm.trunc %i overflow<nuw> : i32 to i8
  %zext = llvm.zext nneg %narrow : i8 to i32
  %sext = llvm.sext %narrow : i8 to i64
  %half = llvm.fptrunc %x : f32 to f16
  %double = llvm.fpext %x : f32 to f64
  %brain = llvm.fptrunc %x : f32 to bf16
  %signed = llvm.fptosi %x : f32 to i32
  %unsigned = llvm.fptoui %x : f32 to i32
  %from = llvm.sitofp %i : i32 to f32
  %fromu = llvm.uitofp nneg %i : i32 to f32
  %asptr = llvm.inttoptr %sext : i64 to !llvm.ptr<1>
  %asint = llvm.ptrtoint %p : !llvm.ptr to i64
  %bits = llvm.bitcast %x : f32 to i32
  %generic = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr
  %pick = llvm.select %lt, %x, %fneg : i1, f32
  %vpick = llvm.select %vlt, %v, %splat {fastmathFlags = #llvm.fastmath<nsz>} : vector<4xi1>, vector<4xf32>
  %frozen = llvm.freeze %poison : vector<4xf32>
  %element = llvm.extractelement %v[%one : i32] : vector<4xf32>
  %inserted = llvm.insertelement %x, %v[%wide : i64] : vector<4xf32>
  %shuffled = llvm.shufflevector %v, %inserted [0, 5, -1, 3] : vector<4xf32>
  %filled = llvm.insertvalue %x, %undef[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  %field = llvm.extractvalue %filled[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  %place = llvm.alloca %one x f32 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %global = llvm.mlir.addressof @scratch : !llvm.ptr<3>
  %address = llvm.getelementptr inbounds|nuw %p[%sext, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
  %other = llvm.getelementptr nusw %q[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %loaded = llvm.load %address {alignment = 4 : i64} : !llvm.ptr -> f32
  %streamed = llvm.load volatile %p invariant {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
  %ordered = llvm.load %p atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  %scoped = llvm.load %p {access_groups = [#group], alias_scopes = [#scope], alignment = 4 : i64, noalias_scopes = [#named]} : !llvm.ptr -> i32
  llvm.store %loaded, %address {alignment = 4 : i64, nontemporal} : f32, !llvm.ptr
  llvm.store volatile %x, %other invariant_group : f32, !llvm.ptr<3>
  llvm.store %i, %p atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr
  %old = llvm.atomicrmw fadd %p, %x syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr, f32
  %old2 = llvm.atomicrmw volatile _and %p, %i acq_rel : !llvm.ptr, i32
  %swapped = llvm.cmpxchg weak %p, %i, %one acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.fence syncscope("agent") seq_cst
  %direct = llvm.call fastcc @callee(%x) {fastmathFlags = #llvm.fastmath<nnan>, no_unwind} : (f32 {llvm.noundef}) -> (f32 {llvm.noundef})
  %format = llvm.mlir.addressof @text : !llvm.ptr
  %printed = llvm.call tail @printf(%format, %i) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %indirect = llvm.call %p(%x) : !llvm.ptr, (f32) -> f32
  %intrinsic = llvm.call_intrinsic "llvm.maximumnum"(%x, %direct) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
  %assembled = llvm.inline_asm has_side_effects asm_dialect = intel "mov $0, $1", "=r,r" %i : (i32) -> i32
  %fma = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %fmuladd = llvm.intr.fmuladd(%v, %v, %v) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %ldexp = llvm.intr.ldexp(%x, %i) : (f32, i32) -> f32
  %powi = llvm.intr.powi(%x, %i) : (f32, i32) -> f32
  %isnan = "llvm.intr.is.fpclass"(%x) <{bit = 3 : i32}> : (f32) -> i1
  %abs = "llvm.intr.abs"(%i) <{is_int_min_poison = false}> : (i32) -> i32
  %ctlz = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  %cttz = "llvm.intr.cttz"(%i) <{is_zero_poison = false}> : (i32) -> i32
  %ctpop = llvm.intr.ctpop(%i) : (i32) -> i32
  %reversed = llvm.intr.bitreverse(%i) : (i32) -> i32
  %bswap = llvm.intr.bswap(%i) : (i32) -> i32
  %fshl = llvm.intr.fshl(%i, %i, %one) : (i32, i32, i32) -> i32
  %fshr = llvm.intr.fshr(%i, %i, %one) : (i32, i32, i32) -> i32
  %rfadd = "llvm.intr.vector.reduce.fadd"(%x, %v) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  %rfmul = "llvm.intr.vector.reduce.fmul"(%x, %v) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  "llvm.intr.memcpy"(%p, %place, %sext) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%p, %place, %sext) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memset"(%p, %byte, %sext) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %mload = llvm.intr.masked.load %p, %lanes, %v {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %mload, %p, %vlt {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %gather = llvm.intr.masked.gather %ptrs, %lanes, %v {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.scatter %gather, %ptrs, %vlt {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  llvm.intr.assume %lt : i1
  llvm.intr.assume %true ["align"(%p, %one : !llvm.ptr, i32), "nonnull"(%p : !llvm.ptr)] : i1
  %likely = llvm.intr.expect %olt, %lt : i1
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  llvm.intr.lifetime.start %place : !llvm.ptr
  llvm.intr.lifetime.end %place : !llvm.ptr
  %stack = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %stack : !llvm.ptr
"""

TAIL = """
  llvm.switch %i : i32, ^done(%x : f32) [
    0: ^done(%fadd : f32),
    1: ^loop(%one : i32),
    -2: ^done(%x : f32)
  ] {branch_weights = array<i32: 4, 3, 2, 1>}
^loop(%n: i32):
  %next = llvm.add %n, %one : i32
  %more = llvm.icmp "ult" %next, %i : i32
  llvm.cond_br %more weights([9, 1]), ^loop(%next : i32), ^tail {loop_annotation = #llvm.loop_annotation<disableNonforced = false, vectorize = <disable = false, width = 8 : i32>, interleave = <count = 2 : i32>, unroll = <count = 4 : i32>, mustProgress = true, parallelAccesses = #group>}
^tail:
  llvm.br ^done(%fsub : f32)
^done(%result: f32):
  llvm.return %result : f32
}
llvm.func @never() attributes {no_inline, optimize_none, frame_pointer = #llvm.framePointerKind<"non-leaf">} {
  llvm.unreachable
}
"""


def text() -> str:
    """The module."""
    lines = [f"  %f{n} = llvm.intr.{op}(%x) : (f32) -> f32" for n, op in enumerate(FLOAT_UNARY)]
    lines += [
        f"  %g{n} = llvm.intr.{op}(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>"
        for n, op in enumerate(FLOAT_BINARY)
    ]
    lines += [f"  %h{n} = llvm.intr.{op}(%i, %one) : (i32, i32) -> i32" for n, op in enumerate(INTEGER_BINARY)]
    lines += [
        f'  %o{n} = "llvm.intr.{op}.with.overflow"(%i, %one) : (i32, i32) -> !llvm.struct<(i32, i1)>'
        for n, op in enumerate(OVERFLOWS)
    ]
    lines += [
        f'  %r{n} = "llvm.intr.vector.reduce.{op}"(%w) : (vector<4xi32>) -> i32' for n, op in enumerate(REDUCTIONS)
    ]
    lines += [
        f"  %s{n} = llvm.intr.vector.reduce.{op}(%v) : (vector<4xf32>) -> f32" for n, op in enumerate(FLOAT_REDUCTIONS)
    ]
    aliases = """
#group = #llvm.access_group<id = distinct[0]<>>
#domain = #llvm.alias_scope_domain<id = distinct[1]<>, description = "here">
#scope = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>
#named = #llvm.alias_scope<id = "other", domain = #domain, description = "there">
"""
    arguments = "%x: f32, %i: i32, %p: !llvm.ptr {llvm.noalias, llvm.align = 16 : i64, llvm.nonnull}, %q: !llvm.ptr<3>, %v: vector<4xf32>, %w: vector<4xi32>, %ptrs: vector<4x!llvm.ptr>"
    start = f"llvm.func @every({arguments}) -> f32 {{"
    return aliases + HEAD + start + MIDDLE + "\n".join(lines) + TAIL
