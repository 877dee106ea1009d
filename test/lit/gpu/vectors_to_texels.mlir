// RUN: hologram-opt %s -p vectors-to-words{texels=true},canonicalize,cse | filecheck %s

// Buffers of f32 that are only read have vectors of four f32; those that are written, and those of other elements, have
// words. A buffer of which single elements are read too comes twice, of which one has texels.

builtin.module attributes {gpu.container_module} {
// CHECK: func.func @host(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xi32>)
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast %a : memref<?xf32> to memref<?xvector<4xf32>>
// CHECK: gpu.launch_func {{.*}} args(%a : {{.*}}, %[[A]] : {{.*}}, %{{.*}}, %{{.*}})
func.func @host(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xi32>) {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %a, %b, %c) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 3, 0>}> : (index, index, index, index, index, index, memref<?xf32>, memref<?xf32>, memref<?xi32>) -> ()
  func.return
}
"gpu.module"() <{sym_name = "m"}> ({
  // CHECK: gpu.func @k(%a: memref<?xf32> {hologram.access = "read", hologram.aliased}
  // CHECK-SAME: memref<?xvector<4xf32>> {hologram.access = "read", hologram.aliased, hologram.texels}
  // CHECK-SAME: memref<?xvector<4xi64>> {hologram.access = "readwrite"}, {{.*}}: memref<?xvector<4xi64>> {hologram.access = "read"})
  "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, memref<?xi32>) -> (), known_block_size = array<i32: 8, 1, 1>, arg_attrs = [{hologram.access = "read"}, {hologram.access = "readwrite"}, {hologram.access = "read"}]}> ({
  ^bb0(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xi32>):
    %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    // CHECK: %[[C2:.*]] = arith.constant 2 : index
    // CHECK: %[[PLACE:.*]] = arith.shrui %i, %[[C2]] : index
    // CHECK: %[[NEXT:.*]] = arith.addi %[[PLACE]], %{{.*}} : index
    // CHECK: %[[TEXEL:.*]] = memref.load %{{.*}}[%[[NEXT]]] : memref<?xvector<4xf32>>
    // CHECK: vector.extract %[[TEXEL]][1] : f32 from vector<4xf32>
    // (Nobody asks for the first four.)
    %v = vector.load %a[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    %x = vector.extract %v[5] : f32 from vector<8xf32>
    // CHECK: memref.load %a[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    // CHECK: memref.load %{{.*}} : memref<?xvector<4xi64>>
    %w = vector.load %b[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    %z = vector.extract %w[0] : f32 from vector<8xf32>
    // CHECK: memref.load %{{.*}} : memref<?xvector<4xi64>>
    %n = vector.load %c[%i] {alignment = 32 : i64} : memref<?xi32>, vector<8xi32>
    %m = vector.extract %n[0] : i32 from vector<8xi32>
    %q = arith.bitcast %m : i32 to f32
    %o = vector.from_elements %x, %y, %z, %q, %x, %x, %x, %y : vector<8xf32>
    vector.store %o, %b[%i] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) : () -> ()
}
