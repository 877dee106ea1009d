// RUN: hologram-opt %s -p canonicalize | filecheck %s

// Constants fold, read as unsigned; what would trap stays.

// CHECK-LABEL: func.func @constants
func.func @constants() -> (i32, i8, i1, i32, tensor<3xi8>) {
  %c = arith.constant 21 : i32
  %b = arith.constant -1 : i8
  %page = arith.constant 2 : i32
  %t = hologram.constant dense<[0, 42, -1]> : tensor<3xi8>
  %0 = class.mirror %c : i32
  %1 = class.classify %b : i8
  %2 = class.is_unity %c : i32
  %3 = class.address %c, %page, %page : i32
  %4 = class.classify %t : tensor<3xi8>
  // CHECK-DAG: [[A:%.*]] = arith.constant 18 : i32
  // CHECK-DAG: [[B:%.*]] = arith.constant 79 : i8
  // CHECK-DAG: [[C:%.*]] = arith.constant false
  // CHECK-DAG: [[D:%.*]] = arith.constant 258562 : i32
  // CHECK-DAG: [[E:%.*]] = hologram.constant dense<[0, 21, 79]> : tensor<3xi8>
  // CHECK: func.return [[A]], [[B]], [[C]], [[D]], [[E]]
  func.return %0, %1, %2, %3, %4 : i32, i8, i1, i32, tensor<3xi8>
}

// CHECK-LABEL: func.func @traps
func.func @traps() {
  %c = arith.constant 96 : i32
  // CHECK: class.degree
  %0 = class.degree %c : i32
  func.return
}
