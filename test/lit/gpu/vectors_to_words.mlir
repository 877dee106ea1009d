// RUN: hologram-opt %s -p vectors-to-words,canonicalize,cse | filecheck %s

// Vectors of 32 bytes are four words; a buffer of which single elements are read too comes twice, and the launch passes
// it twice, behind a cast. What promises no alignment is accessed element by element.

builtin.module attributes {gpu.container_module} {
// CHECK: func.func @host(%a: memref<?xf32>, %b: memref<?xf32>)
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %a : memref<?xf32> to memref<?xvector<4xi64>>
// CHECK: %[[B:.*]] = builtin.unrealized_conversion_cast %b : memref<?xf32> to memref<?xvector<4xi64>>
// CHECK: gpu.launch_func {{.*}} args(%a : {{.*}}, %[[A]] : {{.*}}, %[[B]] : {{.*}})
func.func @host(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %a, %b) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, memref<?xf32>, memref<?xf32>) -> ()
  func.return
}
"gpu.module"() <{sym_name = "m"}> ({
  // CHECK: gpu.func @k(%a: memref<?xf32> {hologram.access = "read", hologram.aliased}
  // CHECK-SAME: memref<?xvector<4xi64>> {hologram.access = "read", hologram.aliased}
  // CHECK-SAME: memref<?xvector<4xi64>> {hologram.access = "write"})
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), known_block_size = array<i32: 8, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "write"}]}> ({
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>):
    %c3 = arith.constant 3 : index
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    // CHECK: %[[FOUR:.*]] = arith.constant 4 : index
    // CHECK: %[[PLACE:.*]] = arith.shrui %i, %c3 : index
    // CHECK: %[[WORDS:.*]] = memref.load %{{.*}}[%[[PLACE]]] : memref<?xvector<4xi64>>
    // CHECK: %[[WORD:.*]] = vector.extract %[[WORDS]][2] : i64 from vector<4xi64>
    // CHECK: %[[HIGH:.*]] = arith.shrui %[[WORD]], %{{.*}} : i64
    // CHECK: %[[BITS:.*]] = arith.trunci %[[HIGH]] : i64 to i32
    %v = vector.load %a[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    %x = vector.extract %v[5] : f32 from vector<8xf32>
    // CHECK-NEXT: memref.load %a[%c3] : memref<?xf32>
    // CHECK-NEXT: memref.load %a[%[[FOUR]]] : memref<?xf32>
    %w = vector.load %a[%c3] : memref<?xf32>, vector<2xf32>
    %y = vector.extract %w[0] : f32 from vector<2xf32>
    %z = vector.extract %w[1] : f32 from vector<2xf32>
    // CHECK: arith.shli
    // CHECK: arith.ori
    // CHECK: %[[OUT:.*]] = vector.from_elements {{.*}} : vector<4xi64>
    // CHECK: memref.store %[[OUT]], %b[%[[PLACE]]] : memref<?xvector<4xi64>>
    %o = vector.from_elements %x, %y, %z, %x, %x, %x, %x, %y : vector<8xf32>
    vector.store %o, %b[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
}
