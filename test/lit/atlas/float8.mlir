// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s -p convert-atlas-to-core | filecheck %s --check-prefix=CORE

// Floats of 8 bits are bytes at the kernel level; arguments say what they were.
// CHECK: func.func @f(%x: memref<4xf8E4M3FN>, %y: f8E5M2) -> f32
// CORE: func.func @f(%x: memref<4xi8> {hologram.type = "f8E4M3FN"}, %y: i8 {hologram.type = "f8E5M2"}) -> f32
func.func @f(%x: memref<4xf8E4M3FN>, %y: f8E5M2) -> f32 {
  // CHECK-NEXT: %w = atlas.cvt f8E5M2 to f32 %y
  // CORE: arith.shli
  // CORE: arith.bitcast %{{.*}} : i16 to f16
  %w = atlas.cvt f8E5M2 to f32 %y
  // CHECK-NEXT: %s = atlas.cvt.satfinite f32 to f8E4M3FN %w
  %s = atlas.cvt.satfinite f32 to f8E4M3FN %w
  %i = arith.constant 1 : index
  // CORE: memref.store %s, %x[%i] : memref<4xi8>
  memref.store %s, %x[%i] : memref<4xf8E4M3FN>
  func.return %w : f32
}
