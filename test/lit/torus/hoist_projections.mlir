// RUN: hologram-opt %s -p hoist-projections,canonicalize | filecheck %s
// RUN: hologram-opt %s -p hoist-projections{no-wrap=true} | filecheck %s --check-prefix=PROMISED

// A projection goes before what it is of where that can't wrap: by bounds, by a flag, or by moduli that are powers of two.

func.func private @bounds(%a: i32, %b: i32) -> !torus.coord {
  %x = arith.extsi %a : i32 to i64
  %y = arith.extui %b : i32 to i64
  %m = arith.muli %x, %y : i64
  %c = torus.project %m : i64 to !torus.coord
  func.return %c : !torus.coord
}
// CHECK-LABEL: @bounds
// CHECK-DAG: [[A:%\w+]] = torus.project %a : i32 to !torus.coord
// CHECK-DAG: [[B:%\w+]] = torus.project unsigned %b : i32 to !torus.coord
// CHECK: algebra.mul [[A]], [[B]] : !torus.coord

func.func private @wraps(%a: i64, %b: i64) -> (!torus.coord, !torus.coord, !algebra.residue<16>) {
  %s = arith.addi %a, %b : i64
  %t = arith.subi %a, %b overflow<nsw> : i64
  %c = torus.project %s : i64 to !torus.coord
  %d = torus.project %t : i64 to !torus.coord
  %e = algebra.project %s : i64 to !algebra.residue<16>
  func.return %c, %d, %e : !torus.coord, !torus.coord, !algebra.residue<16>
}
// CHECK-LABEL: @wraps
// CHECK: [[S:%\w+]] = arith.addi %a, %b
// CHECK: [[C:%\w+]] = torus.project [[S]]
// CHECK: [[D:%\w+]] = algebra.sub
// CHECK: [[E:%\w+]] = algebra.add {{.*}} : !algebra.residue<16>
// CHECK: func.return [[C]], [[D]], [[E]]
// PROMISED-LABEL: @wraps
// PROMISED-NOT: arith.addi
// PROMISED: algebra.add {{.*}} : !torus.coord

func.func private @tensors(%a: tensor<?xi8>) -> tensor<?x!torus.coord> {
  %x = hologram.cast %a : tensor<?xi8> to tensor<?xi16>
  %s = hologram.mul %x, %x : tensor<?xi16>
  %c = torus.project %s : tensor<?xi16> to tensor<?x!torus.coord>
  func.return %c : tensor<?x!torus.coord>
}
// CHECK-LABEL: @tensors
// CHECK: [[P:%\w+]] = torus.project %a : tensor<?xi8> to tensor<?x!torus.coord>
// CHECK-NOT: hologram
// CHECK: algebra.mul
