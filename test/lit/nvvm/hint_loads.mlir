// RUN: hologram-opt %s -p hint-loads | filecheck %s

// Words that nobody writes are loaded with a policy; all else is loaded as before, and kernels without the mark stay.

"gpu.module"() <{sym_name = "m"}> ({
  llvm.func @marked(%x: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %y: !llvm.ptr<1> {llvm.noalias}, %z: !llvm.ptr<1> {llvm.readonly}, %i: i64) attributes {hologram.keep_reads, gpu.kernel, nvvm.kernel} {
    %g = llvm.addrspacecast %x : !llvm.ptr<1> to !llvm.ptr
    %p = llvm.getelementptr %g[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %word = llvm.load %p : !llvm.ptr -> f32
    %integer = llvm.load %x : !llvm.ptr<1> -> i32
    %long = llvm.load %x : !llvm.ptr<1> -> f64
    %four = llvm.load %x {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %halves = llvm.load %x {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
    %byte = llvm.load %x : !llvm.ptr<1> -> i8
    %three = llvm.load %x {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xf32>
    %loose = llvm.load %x {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %eight = llvm.load %x {alignment = 32 : i64} : !llvm.ptr<1> -> vector<8xf32>
    %again = llvm.load volatile %x : !llvm.ptr<1> -> f32
    %own = llvm.load %y : !llvm.ptr<1> -> f32
    %shared = llvm.load %z : !llvm.ptr<1> -> f32
    llvm.return
  }
  llvm.func @plain(%x: !llvm.ptr<1> {llvm.noalias, llvm.readonly}) attributes {gpu.kernel, nvvm.kernel} {
    %word = llvm.load %x : !llvm.ptr<1> -> f32
    llvm.return
  }
  llvm.func @nothing(%y: !llvm.ptr<1>) attributes {hologram.keep_reads, gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}) : () -> ()

// CHECK-LABEL: llvm.func @marked
// CHECK-SAME: attributes {gpu.kernel, nvvm.kernel}
// CHECK-NEXT: %[[P:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "=l" : () -> i64
// CHECK: %[[AT:.*]] = llvm.getelementptr
// CHECK: %[[G:.*]] = llvm.addrspacecast %[[AT]] : !llvm.ptr to !llvm.ptr<1>
// CHECK: %[[W:.*]] = llvm.inline_asm has_side_effects "ld.global.nc.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l" %[[G]], %[[P]] : (!llvm.ptr<1>, i64) -> i32
// CHECK: llvm.bitcast %[[W]] : i32 to f32
// CHECK: "ld.global.nc.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l" %x, %[[P]]
// CHECK-NOT: llvm.bitcast
// CHECK: "ld.global.nc.L2::cache_hint.v2.b32 {$0, $1}, [$2], $3;", "=r,=r,l,l" %x, %[[P]]
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to f64
// CHECK: "ld.global.nc.L2::cache_hint.v4.b32 {$0, $1, $2, $3}, [$4], $5;", "=r,=r,=r,=r,l,l" %x, %[[P]]
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: "ld.global.nc.L2::cache_hint.v4.b32
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.load %x : !llvm.ptr<1> -> i8
// CHECK: llvm.load %x {alignment = 4 : i64} : !llvm.ptr<1> -> vector<3xf32>
// CHECK: llvm.load %x {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.load %x {alignment = 32 : i64} : !llvm.ptr<1> -> vector<8xf32>
// CHECK: llvm.load volatile %x
// CHECK: llvm.load %y
// CHECK: llvm.load %z
// CHECK-NOT: llvm.inline_asm
// CHECK-LABEL: llvm.func @plain
// CHECK: llvm.load %x
// CHECK-LABEL: llvm.func @nothing
// CHECK-SAME: attributes {gpu.kernel, nvvm.kernel}
// CHECK-NOT: llvm.inline_asm
