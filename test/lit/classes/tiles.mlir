// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p convert-class-tiles,canonicalize | filecheck %s --check-prefix=VIEW

// Tiles are views of class memory, which functions take behind their own arguments.

// CHECK-LABEL: func.func @f(%c: i32, %p: i32) -> f32 {
// VIEW-LABEL: func.func @f(%c: i32, %p: i32, %classes: memref<1179648xi8> {hologram.classes}) -> f32 {
func.func @f(%c: i32, %p: i32) -> f32 {
  %k = arith.constant 2 : i32
  %i = arith.constant 5 : index
  // CHECK: %t = class.tile %k : i32 to memref<3072xf32>
  // VIEW-DAG: [[START:%.*]] = arith.constant 24576 : index
  // VIEW: [[T:%.*]] = memref.view %classes[[[START]]][] : memref<1179648xi8> to memref<3072xf32>
  %t = class.tile %k : i32 to memref<3072xf32>
  // CHECK-NEXT: %s = class.tile %c, %p : i32 to memref<64xf32>
  // VIEW: atlas.assert {{.*}}, "class.tile: class out of the range of 0 to 95" values(%c : i32)
  // VIEW: atlas.assert {{.*}}, "class.tile: page out of the range of 0 to 47" values(%p : i32)
  // VIEW: memref.view %classes
  %s = class.tile %c, %p : i32 to memref<64xf32>
  // CHECK-NEXT: %a = class.arena : memref<1179648xi8>
  %a = class.arena : memref<1179648xi8>
  %x = memref.load %t[%i] : memref<3072xf32>
  memref.store %x, %s[%i] : memref<64xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%c: i32, %p: i32) {
  // CHECK-NEXT: %x = class.load %c : i32 to tensor<3072xf32>
  %x = class.load %c : i32 to tensor<3072xf32>
  // CHECK-NEXT: class.store %x, %c : tensor<3072xf32>, i32
  class.store %x, %c : tensor<3072xf32>, i32
  // CHECK-NEXT: %y = class.load %c, %p : i32 to tensor<8x8xf32>
  %y = class.load %c, %p : i32 to tensor<8x8xf32>
  // CHECK-NEXT: class.store %y, %c, %p : tensor<8x8xf32>, i32
  class.store %y, %c, %p : tensor<8x8xf32>, i32
  func.return
}
