// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Operations over classes, on scalars, vectors and tensors, print as they are read.

// CHECK-LABEL: func.func @f
func.func @f(%c: i32, %b: i8, %v: vector<8xi16>, %t: tensor<?x4xi64>, %d: tensor<?xi8>) {
  // CHECK-NEXT: %0 = class.check %c : i32
  %0 = class.check %c : i32
  // CHECK-NEXT: %1 = class.classify %b : i8
  %1 = class.classify %b : i8
  // CHECK-NEXT: %2 = class.canonical_byte %v : vector<8xi16>
  %2 = class.canonical_byte %v : vector<8xi16>
  // CHECK-NEXT: %3 = class.graph_class %d : tensor<?xi8>
  %3 = class.graph_class %d : tensor<?xi8>
  // CHECK-NEXT: %4 = class.rotate %c, %c : i32
  %4 = class.rotate %c, %c : i32
  // CHECK-NEXT: %5 = class.triality %v, %v : vector<8xi16>
  %5 = class.triality %v, %v : vector<8xi16>
  // CHECK-NEXT: %6 = class.twist %t, %t : tensor<?x4xi64>
  %6 = class.twist %t, %t : tensor<?x4xi64>
  // CHECK-NEXT: %7 = class.sigil_mirror %c : i32
  %7 = class.sigil_mirror %c : i32
  // CHECK-NEXT: %8 = class.mirror %t : tensor<?x4xi64>
  %8 = class.mirror %t : tensor<?x4xi64>
  // CHECK-NEXT: %9 = class.degree %v : vector<8xi16>
  %9 = class.degree %v : vector<8xi16>
  // CHECK-NEXT: %10 = class.neighbour %c, %c : i32
  %10 = class.neighbour %c, %c : i32
  // CHECK-NEXT: %11 = class.is_unity %t : tensor<?x4xi64>
  %11 = class.is_unity %t : tensor<?x4xi64>
  // CHECK-NEXT: %12 = class.address %c, %c, %c : i32
  %12 = class.address %c, %c, %c : i32
  // CHECK-NEXT: %13 = class.address_class %t : tensor<?x4xi64>
  %13 = class.address_class %t : tensor<?x4xi64>
  // CHECK-NEXT: %14 = class.address_page %c : i32
  %14 = class.address_page %c : i32
  // CHECK-NEXT: %15 = class.address_byte %c : i32
  %15 = class.address_byte %c : i32
  // CHECK-NEXT: %16 = class.transform [r = 1, d = -1, t = 9, mirror] %c : i32
  %16 = class.transform [r = 1, d = -1, t = 9, mirror] %c : i32
  // CHECK-NEXT: %17 = class.transform [] %v : vector<8xi16>
  %17 = class.transform [] %v : vector<8xi16>
  // CHECK-NEXT: %18 = class.classify_data %d : tensor<?xi8> to tensor<i8>
  %18 = class.classify_data %d : tensor<?xi8> to tensor<i8>
  // CHECK-NEXT: %19 = class.label %t : tensor<?x4xi64> to tensor<?x4x20xi8>
  %19 = class.label %t : tensor<?x4xi64> to tensor<?x4x20xi8>
  func.return
}
