// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Every operation of algebra, over coordinates and residues.

func.func @f(%n: i64, %c: !torus.coord, %v: vector<4x!algebra.residue<7>>, %x: tensor<?x5x!algebra.residue<1000003>>, %s: tensor<3x!torus.coord>) {
  %c0 = algebra.constant 5 : !algebra.residue<7>
  %c1 = algebra.constant [0, 1] : tensor<2x!algebra.residue<7>>
  %p0 = algebra.project unsigned %n : i64 to !algebra.residue<18446744073709551616>
  %n0 = algebra.value %x : tensor<?x5x!algebra.residue<1000003>> to tensor<?x5xi32>
  %r0 = algebra.add %c, %c : !torus.coord
  %r1 = algebra.sub %v, %v : vector<4x!algebra.residue<7>>
  %r2 = algebra.mul %x, %x : tensor<?x5x!algebra.residue<1000003>>
  %r3 = algebra.neg %c : !torus.coord
  %r4 = algebra.scale %n, %x : (i64, tensor<?x5x!algebra.residue<1000003>>) -> tensor<?x5x!algebra.residue<1000003>>
  %d0 = algebra.sum %x {axes = [1 : i64]} : tensor<?x5x!algebra.residue<1000003>> to tensor<?x!algebra.residue<1000003>>
  %d1 = algebra.product %x {axes = [1 : i64]} : tensor<?x5x!algebra.residue<1000003>> to tensor<?x!algebra.residue<1000003>>
  %d2 = algebra.matmul %x, %x : tensor<?x5x!algebra.residue<1000003>>
  %d3 = algebra.convolve %s, %s : (tensor<3x!torus.coord>, tensor<3x!torus.coord>) -> tensor<5x!torus.coord>
  %d4 = algebra.convolve circular %s, %s : tensor<3x!torus.coord>
  func.return
}

// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    %c0 = algebra.constant 5 : !algebra.residue<7>
// CHECK-NEXT:    %c1 = algebra.constant [0, 1] : tensor<2x!algebra.residue<7>>
// CHECK-NEXT:    %p0 = algebra.project unsigned %n : i64 to !algebra.residue<18446744073709551616>
// CHECK-NEXT:    %n0 = algebra.value %x : tensor<?x5x!algebra.residue<1000003>> to tensor<?x5xi32>
// CHECK-NEXT:    %r0 = algebra.add %c, %c : !torus.coord
// CHECK-NEXT:    %r1 = algebra.sub %v, %v : vector<4x!algebra.residue<7>>
// CHECK-NEXT:    %r2 = algebra.mul %x, %x : tensor<?x5x!algebra.residue<1000003>>
// CHECK-NEXT:    %r3 = algebra.neg %c : !torus.coord
// CHECK-NEXT:    %r4 = algebra.scale %n, %x : (i64, tensor<?x5x!algebra.residue<1000003>>) -> tensor<?x5x!algebra.residue<1000003>>
// CHECK-NEXT:    %d0 = algebra.sum %x {axes = [1 : i64]} : tensor<?x5x!algebra.residue<1000003>> to tensor<?x!algebra.residue<1000003>>
// CHECK-NEXT:    %d1 = algebra.product %x {axes = [1 : i64]} : tensor<?x5x!algebra.residue<1000003>> to tensor<?x!algebra.residue<1000003>>
// CHECK-NEXT:    %d2 = algebra.matmul %x, %x : tensor<?x5x!algebra.residue<1000003>>
// CHECK-NEXT:    %d3 = algebra.convolve %s, %s : (tensor<3x!torus.coord>, tensor<3x!torus.coord>) -> tensor<5x!torus.coord>
// CHECK-NEXT:    %d4 = algebra.convolve circular %s, %s : tensor<3x!torus.coord>
// CHECK-NEXT:    func.return
