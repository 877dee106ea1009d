// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Transforms compose in the group of order 192; what undoes itself leaves the check that it was a class.

// CHECK-LABEL: func.func @transforms
func.func @transforms(%c: i32) -> i32 {
  %k = arith.constant -1 : i32
  %0 = class.sigil_mirror %c : i32
  %1 = class.triality %0, %k : i32
  %2 = class.rotate %1, %k : i32
  // CHECK-NEXT: [[R:%.*]] = class.transform [r = 3, d = 1, t = 2] %c : i32
  // CHECK-NEXT: func.return [[R]]
  %3 = class.transform [t = 10, mirror] %2 : i32
  func.return %3 : i32
}

// CHECK-LABEL: func.func @undone
func.func @undone(%c: tensor<?xi8>, %b: i8) -> (tensor<?xi8>, i8) {
  %0 = class.mirror %c : tensor<?xi8>
  // CHECK-NEXT: [[R:%.*]] = class.check %c : tensor<?xi8>
  %1 = class.mirror %0 : tensor<?xi8>
  // CHECK-NEXT: [[B:%.*]] = class.classify %b : i8
  %2 = class.classify %b : i8
  %3 = class.canonical_byte %2 : i8
  %4 = class.classify %3 : i8
  // CHECK-NEXT: func.return [[R]], [[B]]
  func.return %1, %4 : tensor<?xi8>, i8
}

// CHECK-LABEL: func.func @parts
func.func @parts(%c: i32, %k: i32) -> (i1, i32, i32) {
  %0 = class.mirror %c : i32
  // CHECK-NEXT: [[U:%.*]] = class.is_unity %c : i32
  %1 = class.is_unity %0 : i32
  // CHECK-NEXT: [[A:%.*]] = class.address_class %k : i32
  // CHECK-NEXT: [[P:%.*]] = class.address_page %k : i32
  // CHECK-NEXT: [[B:%.*]] = class.address_byte %k : i32
  %2 = class.address_class %k : i32
  %3 = class.address_page %k : i32
  %4 = class.address_byte %k : i32
  // CHECK-NEXT: [[W:%.*]] = class.address [[A]], [[P]], [[B]] : i32
  %5 = class.address %2, %3, %4 : i32
  %6 = class.address_page %5 : i32
  // CHECK-NEXT: func.return [[U]], [[W]], [[P]]
  func.return %1, %5, %6 : i1, i32, i32
}
