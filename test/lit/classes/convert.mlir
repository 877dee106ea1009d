// RUN: hologram-opt %s -p convert-class-to-atlas,canonicalize | filecheck %s

// Classes become integer arithmetic; a check stands where a number is not known to be in range.

// CHECK-LABEL: func.func @scalar
func.func @scalar(%c: i32) -> i32 {
  // CHECK: [[IN:%.*]] = arith.cmpi ult, %c, {{%.*}} : i32
  // CHECK-NEXT: atlas.assert [[IN]], "class.transform: class out of the range of 0 to 95" values(%c : i32)
  // CHECK: arith.select
  // CHECK-NOT: atlas.assert
  %0 = class.transform [r = 1] %c : i32
  %1 = class.mirror %0 : i32
  func.return %1 : i32
}

// CHECK-LABEL: func.func @vector
func.func @vector(%v: vector<8xi32>) -> vector<8xi1> {
  // CHECK: [[MOST:%.*]] = vector.reduction <maxui>, %v : vector<8xi32> into i32
  // CHECK: arith.cmpi ult, [[MOST]]
  // CHECK: atlas.assert
  %0 = class.is_unity %v : vector<8xi32>
  func.return %0 : vector<8xi1>
}

// CHECK-LABEL: func.func @tensor
func.func @tensor(%b: tensor<?xi8>) -> tensor<?xi8> {
  // CHECK: [[N:%.*]] = tensor.dim %b
  // CHECK-NEXT: [[OUT:%.*]] = tensor.empty([[N]]) : tensor<?xi8>
  // CHECK-NEXT: atlas.map ins(%b : tensor<?xi8>) outs([[OUT]] : tensor<?xi8>)
  // CHECK-NOT: atlas.assert
  // CHECK: arith.shrui
  // CHECK: atlas.yield
  %0 = class.classify %b : tensor<?xi8>
  func.return %0 : tensor<?xi8>
}

// CHECK-LABEL: func.func @data
func.func @data(%b: tensor<?xi8>) -> tensor<i8> {
  // CHECK: atlas.reduce [add u8, add u8, add u8, add u8, add u8, add u8, add u8]
  %0 = class.classify_data %b : tensor<?xi8> to tensor<i8>
  func.return %0 : tensor<i8>
}

// CHECK-LABEL: func.func @known
func.func @known(%x: i32, %b: i8) -> (i32, i32, i32) {
  %c96 = arith.constant 96 : i32
  %c63 = arith.constant 63 : i32
  %r = arith.remui %x, %c96 : i32
  %s = arith.andi %x, %c63 : i32
  %e = arith.extui %b : i8 to i32
  // CHECK-NOT: atlas.assert
  %0 = class.degree %r : i32
  %1 = class.degree %s : i32
  %2 = class.classify %e : i32
  func.return %0, %1, %2 : i32, i32, i32
}

// CHECK-LABEL: func.func @unknown
func.func @unknown(%x: i32) -> i32 {
  %c97 = arith.constant 97 : i32
  %r = arith.remui %x, %c97 : i32
  // CHECK: atlas.assert
  %0 = class.degree %r : i32
  func.return %0 : i32
}

// CHECK-LABEL: func.func @copies
func.func @copies(%c: i32) -> tensor<3072xf32> {
  // CHECK-NEXT: [[T:%.*]] = class.tile %c : i32 to memref<3072xf32>
  // CHECK-NEXT: %x = bufferization.to_tensor [[T]] restrict : memref<3072xf32> to tensor<3072xf32>
  %x = class.load %c : i32 to tensor<3072xf32>
  // CHECK-NEXT: [[S:%.*]] = class.tile %c : i32 to memref<3072xf32>
  // CHECK-NEXT: bufferization.materialize_in_destination %x in writable [[S]] : (tensor<3072xf32>, memref<3072xf32>) -> ()
  class.store %x, %c : tensor<3072xf32>, i32
  func.return %x : tensor<3072xf32>
}
