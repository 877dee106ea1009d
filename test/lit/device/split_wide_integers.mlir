// RUN: hologram-opt %s -p split-wide-integers | filecheck %s
// RUN: hologram-opt %s -p split-wide-integers{limb=32} -t wgsl | filecheck %s --check-prefix WGSL

// A sum carries; elements are as many elements, arguments as many arguments.

// CHECK: gpu.func @k(%a: memref<?xi64>, %n: i64, %i: index)
// CHECK: [[FIRST:%.*]] = arith.muli %i
// CHECK: [[LOW:%.*]] = memref.load %a{{.*}}[[[FIRST]]] : memref<?xi64>
// CHECK: arith.addi
// CHECK: arith.cmpi ult
// CHECK: arith.addi

// WGSL: var<storage, read_write> a: array<u32>;
// WGSL: @align(8) n: u32,
// WGSL-NEXT: n_0: u32,
// WGSL-NEXT: i: u32,
"gpu.module"() <{sym_name = "kernels"}> ({
  "gpu.func"() <{function_type = (memref<?xi128>, i64, index) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %n: i64, %i: index):
    %x = memref.load %a[%i] : memref<?xi128>
    %m = arith.extui %n : i64 to i128
    %y = arith.addi %x, %m : i128
    memref.store %y, %a[%i] : memref<?xi128>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
