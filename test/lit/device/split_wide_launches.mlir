// RUN: hologram-opt %s -p split-wide-integers | filecheck %s --check-prefix WIDE
// RUN: hologram-opt %s -p split-wide-integers{limb=32} | filecheck %s

// Launches pass what kernels take; casts say of what it is made.

builtin.module attributes {gpu.container_module} {
// WIDE: %[[A:.*]] = builtin.unrealized_conversion_cast %a : memref<?xi128> to memref<?xi64>
// WIDE: gpu.launch_func {{.*}} args(%[[A]] : {{.*}}, %n : i64, %b : {{.*}})
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %a : memref<?xi128> to memref<?xi32>
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = builtin.unrealized_conversion_cast %n : i64 to i32, i32
// CHECK: gpu.launch_func {{.*}} args(%[[A]] : {{.*}}, %[[LOW]] : i32, %[[HIGH]] : i32, %b : {{.*}})
func.func @host(%a: memref<?xi128>, %n: i64, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %a, %n, %b) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 3, 0>}> : (index, index, index, index, index, index, memref<?xi128>, i64, memref<?xf32>) -> ()
  func.return
}
"gpu.module"() <{sym_name = "m"}> ({
  // CHECK: gpu.func @k(%a: memref<?xi32>, %n: i32 {hologram.align = 8 : i64}, %{{.*}}: i32, %b: memref<?xf32>)
  "gpu.func"() <{function_type = (memref<?xi128>, i64, memref<?xf32>) -> ()}> ({
  ^bb0(%a: memref<?xi128>, %n: i64, %b: memref<?xf32>):
    %c0 = arith.constant 0 : index
    %m = arith.extui %n : i64 to i128
    memref.store %m, %a[%c0] : memref<?xi128>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
}
