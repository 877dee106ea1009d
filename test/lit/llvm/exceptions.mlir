// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// Exceptions, operand bundles, and the intrinsics that are written in ways of their own.

// CHECK: llvm.func @f() -> i32
llvm.func @f() -> i32
// CHECK: llvm.func @vf(i32, ...) -> i32
llvm.func @vf(i32, ...) -> i32
// CHECK: llvm.func @__gxx_personality_v0(...) -> i32
llvm.func @__gxx_personality_v0(...) -> i32
// CHECK: llvm.comdat @c {
llvm.comdat @c {
  // CHECK: llvm.comdat_selector @any_comdat any
  llvm.comdat_selector @any_comdat any
}
// CHECK: llvm.func @a(%p: !llvm.ptr, %v: vector<8xf32>, %sv: vector<[4]xf32>, %s: i64, %m: vector<48xf32>, %d: f64, %i: i16, %x: i1, %f: f32, %j: i32, %vd: vector<4xf64>) attributes {personality = @__gxx_personality_v0} {
llvm.func @a(%p: !llvm.ptr, %v: vector<8xf32>, %sv: vector<[4]xf32>, %s: i64, %m: vector<48xf32>, %d: f64, %i: i16, %x: i1, %f: f32, %j: i32, %vd: vector<4xf64>) attributes {personality = @__gxx_personality_v0} {
  // CHECK: llvm.intr.launder.invariant.group %p : !llvm.ptr
  %0 = llvm.intr.launder.invariant.group %p : !llvm.ptr
  // CHECK: llvm.intr.strip.invariant.group %p {a} : !llvm.ptr
  %1 = llvm.intr.strip.invariant.group %p {a} : !llvm.ptr
  // CHECK: llvm.intr.invariant.start 2, %p : !llvm.ptr
  %2 = llvm.intr.invariant.start 2, %p : !llvm.ptr
  // CHECK: llvm.intr.invariant.end %2, 2, %p : !llvm.ptr
  llvm.intr.invariant.end %2, 2, %p : !llvm.ptr
  // CHECK: llvm.intr.vastart %p : !llvm.ptr
  llvm.intr.vastart %p : !llvm.ptr
  // CHECK: llvm.intr.vacopy %p to %p : !llvm.ptr, !llvm.ptr
  llvm.intr.vacopy %p to %p : !llvm.ptr, !llvm.ptr
  // CHECK: llvm.intr.vaend %p : !llvm.ptr
  llvm.intr.vaend %p : !llvm.ptr
  // CHECK: llvm.intr.eh.typeid.for %p : (!llvm.ptr) -> i32
  %3 = llvm.intr.eh.typeid.for %p : (!llvm.ptr) -> i32
  // CHECK: llvm.intr.experimental.noalias.scope.decl #llvm.alias_scope<id = distinct[0]<>, domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "The domain">, description = "The domain">
  llvm.intr.experimental.noalias.scope.decl #llvm.alias_scope<id = distinct[0]<>, domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "The domain">, description = "The domain">
  // CHECK: llvm.intr.experimental.constrained.fptrunc %d towardzero ignore : f64 to f32
  %4 = llvm.intr.experimental.constrained.fptrunc %d towardzero ignore : f64 to f32
  // CHECK: llvm.intr.experimental.constrained.fpext %f ignore : f32 to f64
  %5 = llvm.intr.experimental.constrained.fpext %f ignore : f32 to f64
  // CHECK: llvm.intr.experimental.constrained.sitofp %j towardzero ignore : i32 to f32
  %6 = llvm.intr.experimental.constrained.sitofp %j towardzero ignore : i32 to f32
  // CHECK: llvm.intr.experimental.constrained.uitofp %j towardzero ignore : i32 to f32
  %7 = llvm.intr.experimental.constrained.uitofp %j towardzero ignore : i32 to f32
  // CHECK: llvm.intr.matrix.column.major.load %p, <stride = %s> {isVolatile = false, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> from !llvm.ptr stride i64
  %8 = llvm.intr.matrix.column.major.load %p, <stride = %s> {isVolatile = false, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> from !llvm.ptr stride i64
  // CHECK: llvm.intr.matrix.column.major.store %8, %p, <stride = %s> {isVolatile = false, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> to !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %8, %p, <stride = %s> {isVolatile = false, rows = 3 : i32, columns = 16 : i32} : vector<48xf32> to !llvm.ptr stride i64
  // CHECK: llvm.intr.matrix.multiply %m, %m {lhs_rows = 4 : i32, lhs_columns = 12 : i32, rhs_columns = 4 : i32} : (vector<48xf32>, vector<48xf32>) -> vector<16xf32>
  %9 = llvm.intr.matrix.multiply %m, %m {lhs_rows = 4 : i32, lhs_columns = 12 : i32, rhs_columns = 4 : i32} : (vector<48xf32>, vector<48xf32>) -> vector<16xf32>
  // CHECK: llvm.intr.matrix.transpose %m {rows = 3 : i32, columns = 16 : i32} : vector<48xf32> into vector<48xf32>
  %10 = llvm.intr.matrix.transpose %m {rows = 3 : i32, columns = 16 : i32} : vector<48xf32> into vector<48xf32>
  // CHECK: llvm.intr.vector.insert %v, %sv[0] : vector<8xf32> into vector<[4]xf32>
  %11 = llvm.intr.vector.insert %v, %sv[0] : vector<8xf32> into vector<[4]xf32>
  // CHECK: llvm.intr.vector.extract %sv[0] : vector<8xf32> from vector<[4]xf32>
  %12 = llvm.intr.vector.extract %sv[0] : vector<8xf32> from vector<[4]xf32>
  // CHECK: "llvm.intr.vector.interleave2"(%v, %v) : (vector<8xf32>, vector<8xf32>) -> vector<16xf32>
  %13 = "llvm.intr.vector.interleave2"(%v, %v) : (vector<8xf32>, vector<8xf32>) -> vector<16xf32>
  // CHECK: llvm.call_intrinsic "llvm.assume"(%x) ["align"(%p, %j : !llvm.ptr, i32)] : (i1) -> ()
  llvm.call_intrinsic "llvm.assume"(%x) ["align"(%p, %j : !llvm.ptr, i32)] : (i1) -> ()
  // CHECK: llvm.call_intrinsic "llvm.assume"(%x) {foo} : (i1) -> ()
  llvm.call_intrinsic "llvm.assume"(%x) {foo} : (i1) -> ()
  // CHECK: llvm.call_intrinsic "llvm.riscv.sha256sig0"(%j) ["adazdazd"()] {constant} : (i32 {llvm.signext}) -> i32
  %14 = llvm.call_intrinsic "llvm.riscv.sha256sig0"(%j) ["adazdazd"()] {constant} : (i32 {llvm.signext}) -> i32
  // CHECK: llvm.blocktag <id = 0>
  llvm.blocktag <id = 0>
  // CHECK: llvm.br ^bb1
  llvm.br ^bb1
^bb1:
  // CHECK: llvm.invoke @f() to ^bb3(%j : i32) unwind ^bb2 ["tag1"(%j, %j : i32, i32), "tag2"(%s : i64)] {bar} : () -> i32
  %15 = llvm.invoke @f() to ^bb3(%j : i32) unwind ^bb2 ["tag1"(%j, %j : i32, i32), "tag2"(%s : i64)] {bar} : () -> i32
^bb2:
  // CHECK: llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  %16 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
^bb3(%y: i32):
  // CHECK: llvm.invoke %p(%i) to ^bb4 unwind ^bb2 : !llvm.ptr, (i16 {llvm.noundef, llvm.signext}) -> (i16 {llvm.signext})
  %17 = llvm.invoke %p(%i) to ^bb4 unwind ^bb2 : !llvm.ptr, (i16 {llvm.noundef, llvm.signext}) -> (i16 {llvm.signext})
^bb4:
  // CHECK: llvm.invoke @vf(%j, %i) to ^bb5 unwind ^bb2 vararg(!llvm.func<i32 (i32, ...)>) : (i32, i16) -> i32
  %18 = llvm.invoke @vf(%j, %i) to ^bb5 unwind ^bb2 vararg(!llvm.func<i32 (i32, ...)>) : (i32, i16) -> i32
^bb5:
  // CHECK: llvm.invoke fastcc @f() to ^bb6 unwind ^bb2 {branch_weights = array<i32: 1, 2>} : () -> i32
  %19 = llvm.invoke fastcc @f() to ^bb6 unwind ^bb2 {branch_weights = array<i32: 1, 2>} : () -> i32
^bb6:
  // CHECK: llvm.call @f() ["x"(%j : i32)] : () -> i32
  %20 = llvm.call @f() ["x"(%j : i32)] : () -> i32
  llvm.return
}
