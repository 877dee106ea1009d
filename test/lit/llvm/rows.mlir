// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | hologram-opt | filecheck %s

// Symbols, addresses of blocks, coroutines and intrinsics that no pass makes.

// CHECK: llvm.func @g(...)
llvm.func @g(...)
// CHECK: llvm.mlir.global external @gg() : i32
llvm.mlir.global external @gg() : i32
// CHECK: llvm.mlir.alias external @al : i32 {
llvm.mlir.alias external @al : i32 {
  // CHECK: llvm.mlir.addressof @gg : !llvm.ptr
  %0 = llvm.mlir.addressof @gg : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// CHECK: llvm.mlir.alias linkonce_odr hidden thread_local unnamed_addr @al2 {dso_local} : i32 {
llvm.mlir.alias linkonce_odr hidden thread_local unnamed_addr @al2 {dso_local} : i32 {
  // CHECK: llvm.mlir.addressof @gg : !llvm.ptr
  %0 = llvm.mlir.addressof @gg : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// CHECK: llvm.func @resolver() -> !llvm.ptr {
llvm.func @resolver() -> !llvm.ptr {
  // CHECK: llvm.mlir.zero : !llvm.ptr
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// CHECK: llvm.mlir.ifunc external @ifu : !llvm.func<void ()>, !llvm.ptr @resolver
llvm.mlir.ifunc external @ifu : !llvm.func<void ()>, !llvm.ptr @resolver
// CHECK: llvm.mlir.ifunc linkonce_odr hidden @ifu2 : !llvm.func<void ()>, !llvm.ptr @resolver {dso_local}
llvm.mlir.ifunc linkonce_odr hidden @ifu2 : !llvm.func<void ()>, !llvm.ptr @resolver {dso_local}
// CHECK: llvm.func @ctor() {
llvm.func @ctor() {
  llvm.return
}
// CHECK: llvm.mlir.global_ctors ctors = [@ctor], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.global_ctors ctors = [@ctor], priorities = [0 : i32], data = [#llvm.zero]
// CHECK: llvm.mlir.global_dtors dtors = [@ctor], priorities = [0 : i32], data = [@gg]
llvm.mlir.global_dtors dtors = [@ctor], priorities = [0 : i32], data = [@gg]
// CHECK: llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
// CHECK: llvm.func @f(%p: !llvm.ptr, %v: vector<8xi32>, %m: vector<8xi1>, %e: i32, %fv: vector<8xf32>, %f: f32, %i: i64, %pv: !llvm.ptr, %st: !llvm.struct<(ptr, i32)>) attributes {personality = @g} {
llvm.func @f(%p: !llvm.ptr, %v: vector<8xi32>, %m: vector<8xi1>, %e: i32, %fv: vector<8xf32>, %f: f32, %i: i64, %pv: !llvm.ptr, %st: !llvm.struct<(ptr, i32)>) attributes {personality = @g} {
  // CHECK: llvm.mlir.zero : !llvm.ptr
  %0 = llvm.mlir.zero : !llvm.ptr
  // CHECK: llvm.mlir.undef : !llvm.array<1 x ptr>
  %1 = llvm.mlir.undef : !llvm.array<1 x ptr>
  // CHECK: llvm.va_arg %p : (!llvm.ptr) -> i32
  %2 = llvm.va_arg %p : (!llvm.ptr) -> i32
  // CHECK: llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
  %3 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
  // CHECK: llvm.dso_local_equivalent @ctor : !llvm.ptr
  %4 = llvm.dso_local_equivalent @ctor : !llvm.ptr
  // CHECK: llvm.mlir.none : !llvm.token
  %5 = llvm.mlir.none : !llvm.token
  // CHECK: "llvm.intr.annotation"(%e, %p, %p, %e) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
  %6 = "llvm.intr.annotation"(%e, %p, %p, %e) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
  // CHECK: "llvm.intr.var.annotation"(%p, %p, %p, %e, %p) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  "llvm.intr.var.annotation"(%p, %p, %p, %e, %p) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
  // CHECK: "llvm.intr.ptr.annotation"(%p, %p, %p, %e, %p) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  %7 = "llvm.intr.ptr.annotation"(%p, %p, %p, %e, %p) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
  // CHECK: llvm.intr.coro.id %e, %p, %p, %p : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %8 = llvm.intr.coro.id %e, %p, %p, %p : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  // CHECK: llvm.intr.coro.begin %8, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %9 = llvm.intr.coro.begin %8, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  // CHECK: llvm.intr.coro.align : i64
  %10 = llvm.intr.coro.align : i64
  // CHECK: llvm.intr.coro.size : i64
  %11 = llvm.intr.coro.size : i64
  // CHECK: llvm.mlir.constant(true) : i1
  %x = llvm.mlir.constant(true) : i1
  // CHECK: llvm.intr.coro.end %p, %x, %5 : (!llvm.ptr, i1, !llvm.token) -> i1
  %12 = llvm.intr.coro.end %p, %x, %5 : (!llvm.ptr, i1, !llvm.token) -> i1
  // CHECK: llvm.intr.coro.free %8, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %13 = llvm.intr.coro.free %8, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  // CHECK: llvm.intr.coro.promise %p, %e, %x : (!llvm.ptr, i32, i1) -> !llvm.ptr
  %14 = llvm.intr.coro.promise %p, %e, %x : (!llvm.ptr, i32, i1) -> !llvm.ptr
  // CHECK: llvm.intr.coro.resume %p : !llvm.ptr
  llvm.intr.coro.resume %p : !llvm.ptr
  // CHECK: llvm.intr.coro.save %p : (!llvm.ptr) -> !llvm.token
  %15 = llvm.intr.coro.save %p : (!llvm.ptr) -> !llvm.token
  // CHECK: llvm.intr.coro.suspend %15, %x : i8
  %16 = llvm.intr.coro.suspend %15, %x : i8
  // CHECK: llvm.intr.debugtrap
  llvm.intr.debugtrap
  // CHECK: llvm.intr.trap
  llvm.intr.trap
  // CHECK: llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  // CHECK: llvm.intr.expect.with.probability %e, %e, 5.000000e-01 : i32
  %17 = llvm.intr.expect.with.probability %e, %e, 5.000000e-01 : i32
  // CHECK: llvm.intr.frexp(%f) : (f32) -> !llvm.struct<(f32, i32)>
  %18 = llvm.intr.frexp(%f) : (f32) -> !llvm.struct<(f32, i32)>
  // CHECK: llvm.intr.get.active.lane.mask %i, %i : i64, i64 to vector<8xi1>
  %19 = llvm.intr.get.active.lane.mask %i, %i : i64, i64 to vector<8xi1>
  // CHECK: "llvm.intr.is.constant"(%i) : (i64) -> i1
  %20 = "llvm.intr.is.constant"(%i) : (i64) -> i1
  // CHECK: llvm.intr.llrint(%f) : (f32) -> i64
  %21 = llvm.intr.llrint(%f) : (f32) -> i64
  // CHECK: llvm.intr.lround(%f) : (f32) -> i64
  %22 = llvm.intr.lround(%f) : (f32) -> i64
  // CHECK: "llvm.intr.masked.compressstore"(%v, %p, %m) : (vector<8xi32>, !llvm.ptr, vector<8xi1>) -> ()
  "llvm.intr.masked.compressstore"(%v, %p, %m) : (vector<8xi32>, !llvm.ptr, vector<8xi1>) -> ()
  // CHECK: "llvm.intr.masked.expandload"(%p, %m, %v) : (!llvm.ptr, vector<8xi1>, vector<8xi32>) -> vector<8xi32>
  %23 = "llvm.intr.masked.expandload"(%p, %m, %v) : (!llvm.ptr, vector<8xi1>, vector<8xi32>) -> vector<8xi32>
  // CHECK: "llvm.intr.memcpy.inline"(%p, %p) <{len = 4 : i32, isVolatile = false}> : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.memcpy.inline"(%p, %p) <{len = 4 : i32, isVolatile = false}> : (!llvm.ptr, !llvm.ptr) -> ()
  // CHECK: llvm.mlir.constant(1 : i8) : i8
  %c8 = llvm.mlir.constant(1 : i8) : i8
  // CHECK: "llvm.intr.memset.inline"(%p, %c8) <{len = 4 : i32, isVolatile = false}> : (!llvm.ptr, i8) -> ()
  "llvm.intr.memset.inline"(%p, %c8) <{len = 4 : i32, isVolatile = false}> : (!llvm.ptr, i8) -> ()
  // CHECK: llvm.intr.ptrmask %p, %i : (!llvm.ptr, i64) -> !llvm.ptr
  %24 = llvm.intr.ptrmask %p, %i : (!llvm.ptr, i64) -> !llvm.ptr
  // CHECK: llvm.intr.scmp(%e, %e) : (i32, i32) -> i2
  %25 = llvm.intr.scmp(%e, %e) : (i32, i32) -> i2
  // CHECK: llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f32)>
  %26 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f32)>
  // CHECK: llvm.intr.ssa.copy %f : f32
  %27 = llvm.intr.ssa.copy %f : f32
  // CHECK: llvm.intr.stepvector : vector<8xi32>
  %28 = llvm.intr.stepvector : vector<8xi32>
  // CHECK: "llvm.intr.threadlocal.address"(%p) : (!llvm.ptr) -> !llvm.ptr
  %29 = "llvm.intr.threadlocal.address"(%p) : (!llvm.ptr) -> !llvm.ptr
  // CHECK: "llvm.intr.vector.deinterleave2"(%v) : (vector<8xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi32>)>
  %30 = "llvm.intr.vector.deinterleave2"(%v) : (vector<8xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi32>)>
  // CHECK: "llvm.intr.vscale"() : () -> i64
  %31 = "llvm.intr.vscale"() : () -> i64
  // CHECK: "llvm.intr.vp.add"(%v, %v, %m, %e) : (vector<8xi32>, vector<8xi32>, vector<8xi1>, i32) -> vector<8xi32>
  %32 = "llvm.intr.vp.add"(%v, %v, %m, %e) : (vector<8xi32>, vector<8xi32>, vector<8xi1>, i32) -> vector<8xi32>
  // CHECK: "llvm.intr.vp.fma"(%fv, %fv, %fv, %m, %e) : (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xi1>, i32) -> vector<8xf32>
  %33 = "llvm.intr.vp.fma"(%fv, %fv, %fv, %m, %e) : (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xi1>, i32) -> vector<8xf32>
  // CHECK: "llvm.intr.vp.fneg"(%fv, %m, %e) : (vector<8xf32>, vector<8xi1>, i32) -> vector<8xf32>
  %34 = "llvm.intr.vp.fneg"(%fv, %m, %e) : (vector<8xf32>, vector<8xi1>, i32) -> vector<8xf32>
  // CHECK: "llvm.intr.vp.load"(%p, %m, %e) : (!llvm.ptr, vector<8xi1>, i32) -> vector<8xi32>
  %35 = "llvm.intr.vp.load"(%p, %m, %e) : (!llvm.ptr, vector<8xi1>, i32) -> vector<8xi32>
  // CHECK: "llvm.intr.vp.store"(%v, %p, %m, %e) : (vector<8xi32>, !llvm.ptr, vector<8xi1>, i32) -> ()
  "llvm.intr.vp.store"(%v, %p, %m, %e) : (vector<8xi32>, !llvm.ptr, vector<8xi1>, i32) -> ()
  // CHECK: "llvm.intr.vp.merge"(%m, %v, %v, %e) : (vector<8xi1>, vector<8xi32>, vector<8xi32>, i32) -> vector<8xi32>
  %36 = "llvm.intr.vp.merge"(%m, %v, %v, %e) : (vector<8xi1>, vector<8xi32>, vector<8xi32>, i32) -> vector<8xi32>
  // CHECK: "llvm.intr.vp.reduce.add"(%e, %v, %m, %e) : (i32, vector<8xi32>, vector<8xi1>, i32) -> i32
  %37 = "llvm.intr.vp.reduce.add"(%e, %v, %m, %e) : (i32, vector<8xi32>, vector<8xi1>, i32) -> i32
  // CHECK: "llvm.intr.vp.trunc"(%v, %m, %e) : (vector<8xi32>, vector<8xi1>, i32) -> vector<8xi8>
  %38 = "llvm.intr.vp.trunc"(%v, %m, %e) : (vector<8xi32>, vector<8xi1>, i32) -> vector<8xi8>
  // CHECK: "llvm.intr.experimental.vp.strided.load"(%p, %i, %m, %e) : (!llvm.ptr, i64, vector<8xi1>, i32) -> vector<8xi32>
  %39 = "llvm.intr.experimental.vp.strided.load"(%p, %i, %m, %e) : (!llvm.ptr, i64, vector<8xi1>, i32) -> vector<8xi32>
  // CHECK: "llvm.intr.experimental.vp.strided.store"(%v, %p, %i, %m, %e) : (vector<8xi32>, !llvm.ptr, i64, vector<8xi1>, i32) -> ()
  "llvm.intr.experimental.vp.strided.store"(%v, %p, %i, %m, %e) : (vector<8xi32>, !llvm.ptr, i64, vector<8xi1>, i32) -> ()
  // CHECK: llvm.indirectbr %3 : !llvm.ptr, [^bb1(%e : i32), ^bb2]
  llvm.indirectbr %3 : !llvm.ptr, [^bb1(%e : i32), ^bb2]
^bb1(%z: i32):
  // CHECK: llvm.blocktag <id = 1>
  llvm.blocktag <id = 1>
  llvm.return
^bb2:
  // CHECK: llvm.invoke @ctor() to ^bb3 unwind ^bb4 : () -> ()
  llvm.invoke @ctor() to ^bb3 unwind ^bb4 : () -> ()
^bb3:
  llvm.return
^bb4:
  // CHECK: llvm.landingpad cleanup (catch %0 : !llvm.ptr) (filter %1 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  %40 = llvm.landingpad cleanup (catch %0 : !llvm.ptr) (filter %1 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  // CHECK: llvm.resume %40 : !llvm.struct<(ptr, i32)>
  llvm.resume %40 : !llvm.struct<(ptr, i32)>
}
