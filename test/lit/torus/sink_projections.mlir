// RUN: hologram-opt %s -p sink-projections | filecheck %s

// A chain of ring operations reduces once, in integers that hold the true result; what fits nowhere stays.

func.func private @chain(%a: i16, %b: i16) -> !torus.coord {
  %p = torus.project %a : i16 to !torus.coord
  %q = torus.project unsigned %b : i16 to !torus.coord
  %c = torus.constant (3, 3) : !torus.coord
  %m = algebra.mul %p, %q : !torus.coord
  %s = algebra.add %m, %c : !torus.coord
  func.return %s : !torus.coord
}
// CHECK-LABEL: @chain
// CHECK-NEXT: %c = torus.constant
// CHECK-NEXT: [[A:%\w+]] = arith.extsi %a : i16 to i32
// CHECK-NEXT: [[B:%\w+]] = arith.extui %b : i16 to i32
// CHECK-NEXT: [[M:%\w+]] = arith.muli [[A]], [[B]] overflow<nsw> : i32
// CHECK-NEXT: [[C:%\w+]] = arith.constant 3 : i32
// CHECK-NEXT: [[S:%\w+]] = arith.addi [[M]], [[C]] overflow<nsw> : i32
// CHECK-NEXT: torus.project [[S]] : i32 to !torus.coord
// CHECK-NEXT: func.return

func.func private @too_wide(%a: i64) -> (!torus.coord, !algebra.residue<32>) {
  %p = torus.project %a : i64 to !torus.coord
  %s = algebra.mul %p, %p : !torus.coord
  %q = algebra.project %a : i64 to !algebra.residue<32>
  %t = algebra.mul %q, %q : !algebra.residue<32>
  func.return %s, %t : !torus.coord, !algebra.residue<32>
}
// CHECK-LABEL: @too_wide
// CHECK-NEXT: %p = torus.project %a
// CHECK-NEXT: %s = algebra.mul %p, %p
// CHECK-NEXT: [[W:%\w+]] = arith.muli %a, %a : i64
// CHECK-NEXT: algebra.project [[W]] : i64 to !algebra.residue<32>

func.func private @kept(%a: i16, %t: tensor<?xi16>) -> (!torus.coord, !torus.coord, !torus.coord, tensor<?x!torus.coord>) {
  %p = torus.project %a : i16 to !torus.coord
  %c = torus.constant (3, 4) : !torus.coord
  %s = algebra.add %p, %c : !torus.coord
  %q = torus.project unsigned %a : i16 to !torus.coord
  %r = algebra.add %q, %q : !torus.coord
  %u = torus.project %t : tensor<?xi16> to tensor<?x!torus.coord>
  %v = algebra.sub %u, %u : tensor<?x!torus.coord>
  func.return %s, %q, %r, %v : !torus.coord, !torus.coord, !torus.coord, tensor<?x!torus.coord>
}
// CHECK-LABEL: @kept
// CHECK: algebra.add %p, %c
// CHECK: algebra.add %q, %q
// CHECK: hologram.cast %t : tensor<?xi16> to tensor<?xi32>
// CHECK: hologram.sub
// CHECK: torus.project
