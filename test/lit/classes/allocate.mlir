// RUN: hologram-opt %s -p allocate-classes | filecheck %s
// RUN: hologram-opt %s -p 'allocate-classes{first=90 last=91}' | filecheck %s --check-prefix=FEW

// Buffers take classes by their lifetimes; what is too large or escapes stays.

// CHECK-LABEL: func.func @lifetimes
// FEW-LABEL: func.func @lifetimes
func.func @lifetimes(%i: index, %x: f32) -> f32 {
  // CHECK: [[C0:%.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %a = class.tile [[C0]] : i32 to memref<3072xf32>
  // FEW: arith.constant 90 : i32
  // FEW-NEXT: %a = class.tile
  %a = memref.alloc() : memref<3072xf32>
  memref.store %x, %a[%i] : memref<3072xf32>
  // CHECK: [[C1:%.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %b = class.tile [[C1]] : i32 to memref<6144xf32>
  // FEW: %b = memref.alloc
  %b = memref.alloc() : memref<6144xf32>
  %y = memref.load %a[%i] : memref<3072xf32>
  memref.store %y, %b[%i] : memref<6144xf32>
  // CHECK-NOT: memref.dealloc
  memref.dealloc %a : memref<3072xf32>
  // The class that was freed last.
  // CHECK: [[C2:%.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %c = class.tile [[C2]] : i32 to memref<4xf32>
  // FEW: arith.constant 90 : i32
  %c = memref.alloc() : memref<4xf32>
  %z = memref.load %b[%i] : memref<6144xf32>
  memref.store %z, %c[%i] : memref<4xf32>
  // FEW: memref.dealloc %b
  memref.dealloc %b : memref<6144xf32>
  %w = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  func.return %w : f32
}

// CHECK-LABEL: func.func @class_free
func.func @class_free(%n: index) -> memref<4xf32> {
  // 788,480 bytes need 65 classes.
  // CHECK-NEXT: %large = memref.alloc() : memref<197120xf32>
  %large = memref.alloc() : memref<197120xf32>
  // CHECK-NEXT: %dynamic = memref.alloc(%n) : memref<?xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  // CHECK-NEXT: %returned = memref.alloc() : memref<4xf32>
  %returned = memref.alloc() : memref<4xf32>
  // CHECK: arith.constant 0 : i32
  // CHECK-NEXT: %most = class.tile {{.*}} to memref<147456xf32>
  %most = memref.alloc() : memref<147456xf32>
  // CHECK-NEXT: memref.dealloc %large
  memref.dealloc %large : memref<197120xf32>
  memref.dealloc %most : memref<147456xf32>
  func.return %returned : memref<4xf32>
}
