// RUN: hologram-opt %s -p flatten-kernels,canonicalize,cse | filecheck %s

// A row of a matrix by way of a view: the kernel takes the matrix as one line, and the length of a row.

builtin.module attributes {gpu.container_module} {
func.func @f(%a: memref<?x?xf32>, %b: memref<4xi64>, %g: index) {
  %c1 = arith.constant 1 : index
  "gpu.launch_func"(%g, %c1, %c1, %c1, %c1, %c1, %a, %b) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, memref<?x?xf32>, memref<4xi64>) -> ()
  func.return
}
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<?x?xf32>, memref<4xi64>) -> ()}> ({
  ^bb0(%a: memref<?x?xf32>, %b: memref<4xi64>, %s: memref<2x3xf32, #gpu.address_space<workgroup>>):
    %c1 = arith.constant 1 : index
    %row = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
    %line = memref.subview %a[%row, 2] [1, 5] [1, 1] : memref<?x?xf32> to memref<5xf32, strided<[1], offset: ?>>
    %v = memref.load %line[%c1] : memref<5xf32, strided<[1], offset: ?>>
    memref.store %v, %s[%c1, %c1] : memref<2x3xf32, #gpu.address_space<workgroup>>
    %w = memref.load %b[%c1] : memref<4xi64>
    memref.store %v, %line[%row] : memref<5xf32, strided<[1], offset: ?>>
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 1 : i64} : () -> ()
}) {} : () -> ()
}

// CHECK:       %[[A:.*]] = memref.collapse_shape %a
// CHECK:       %[[B:.*]] = memref.cast %b : memref<4xi64> to memref<?xi64>
// CHECK:       %[[N:.*]] = memref.dim %a, %c1
// CHECK:       gpu.launch_func @m::@k blocks in (%g, %c1, %c1) threads in (%c1, %c1, %c1) args(%[[A]] : {{.*}}, %[[B]] : {{.*}}, %[[N]] : index)
// CHECK:       gpu.func @k(%a: memref<?xf32> {hologram.access = "readwrite"}, %b: memref<?xi64> {hologram.access = "read"}, %[[STRIDE:.*]]: index)
// CHECK-SAME:    workgroup(%s : memref<6xf32, #gpu.address_space<workgroup>>)
// CHECK:         %[[START:.*]] = arith.muli %row, %[[STRIDE]]
// CHECK-NOT:     memref.subview
// CHECK:         memref.load %a[%{{.*}}] : memref<?xf32>
// CHECK:         memref.store %v, %s[%{{.*}}] : memref<6xf32, #gpu.address_space<workgroup>>
