// RUN: hologram-opt %s | hologram-opt - | FileCheck %s
// RUN: hologram-opt %s --print-op-generic | FileCheck %s --check-prefix=GENERIC
// Loops of scf are read and written as upstream writes them.

func.func @loops(%t: tensor<?xf32>, %n: index, %a: i8, %b: i8, %s: i8, %c: i1) -> tensor<?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<?xf32> {
    %x = tensor.extract_slice %t[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  scf.forall (%i, %j) = (0, %n) to (8, 16) step (2, 4) {
  }
  scf.for unsigned %i = %a to %b step %s : i8 {
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  scf.execute_region no_inline {
    scf.yield
  }
  %z = arith.constant 0.0 : f32
  %u, %v = scf.parallel (%i) = (%n) to (%n) step (%n) init (%z, %z) -> (f32, f32) {
    scf.reduce(%z, %z : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %x : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %y : f32
    }
  }
  func.return %r : tensor<?xf32>
}
func.func @maps(%n: index, %i: index) -> index {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + d0 mod s0)>(%i)[%n]
  func.return %0 : index
}

// CHECK:      %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
// CHECK:        tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
// CHECK:      }
// CHECK:      scf.forall ({{.*}}) = (0, %n) to (8, 16) step (2, 4) {
// CHECK:      scf.for unsigned {{.*}} = %a to %b step %s : i8 {
// CHECK:      scf.while : () -> () {
// CHECK:      scf.execute_region no_inline {
// CHECK:      scf.reduce(%z, %z : f32, f32) {
// CHECK:      }, {
// CHECK:      affine.apply affine_map<(d0)[s0] -> (((d0 * s0) + (d0 mod s0)))> (%i)[%n]

// GENERIC: "scf.forall"(%n, %t) <{{{.*}}operandSegmentSizes = array<i32: 0, 1, 0, 1>
// GENERIC: "scf.for"(%a, %b, %s) <{unsignedCmp}> ({
// GENERIC: "scf.execute_region"() <{no_inline}> ({
