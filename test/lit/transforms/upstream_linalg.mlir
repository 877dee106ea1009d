// RUN: hologram-opt %s | FileCheck %s
// RUN: hologram-opt %s --print-op-generic | FileCheck %s --check-prefix=GENERIC
// Operations of linalg are read and written as upstream writes them; their bodies follow from their names.

#products = {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}

func.func @named(%a: tensor<4x8xi8>, %b: tensor<8x2xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  func.return %0 : tensor<4x2xi32>
}
func.func @windows(%x: memref<1x9x2xf32>, %k: memref<3x2x4xf32>, %o: memref<1x4x4xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%x, %k : memref<1x9x2xf32>, memref<3x2x4xf32>) outs(%o : memref<1x4x4xf32>)
  func.return
}
func.func @others(%x: memref<4x8xf32>, %y: memref<8x4xf32>, %s: memref<4xf32>) {
  linalg.transpose ins(%x : memref<4x8xf32>) outs(%y : memref<8x4xf32>) permutation = [1, 0]
  linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) dimensions = [1]
  linalg.map ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>) (%in: f32, %out: f32) {
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  }
  linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>)
  linalg.generic #products ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) {
  ^one(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  func.return
}

// CHECK:      linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
// CHECK:      linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%x, %k : memref<1x9x2xf32>, memref<3x2x4xf32>) outs(%o : memref<1x4x4xf32>)
// CHECK:      linalg.transpose ins(%x : memref<4x8xf32>) outs(%y : memref<8x4xf32>) permutation = [1, 0]
// CHECK-NEXT: linalg.reduce { arith.addf } ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) dimensions = [1]
// CHECK-NEXT: linalg.map ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>) (%in: f32, %out: f32) {
// CHECK:      linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>)
// CHECK-NEXT: linalg.generic {indexing_maps = {{.*}}, iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) {
// CHECK-NEXT: ^one(%in

// GENERIC:      "linalg.matmul"(%a, %b, %o) <{{.*}}operandSegmentSizes = array<i32: 2, 1>
// GENERIC:      ^bb0([[A:%.*]]: i8, [[B:%.*]]: i8, [[O:%.*]]: i32):
// GENERIC-NEXT: [[X:%.*]] = "arith.extsi"([[A]]) : (i8) -> i32
// GENERIC-NEXT: [[Y:%.*]] = "arith.extsi"([[B]]) : (i8) -> i32
// GENERIC-NEXT: [[P:%.*]] = "arith.muli"([[X]], [[Y]])
// GENERIC-NEXT: "arith.addi"([[O]], [[P]])
// GENERIC:      "linalg.generic"(%x, %s)
// GENERIC-NEXT: ^bb0(
