// RUN: hologram-opt %s -p convert-algebra-to-torus,convert-torus-to-atlas,canonicalize | filecheck %s

// Coordinates become 16-bit integers, in functions too; a remainder takes no division, and one conditional subtraction
// where the bound is twice the modulus.

func.func @tensors(%a: tensor<?x!torus.coord>, %b: tensor<?x!torus.coord>) -> tensor<?x!torus.coord> {
  %r = algebra.add %a, %b : tensor<?x!torus.coord>
  func.return %r : tensor<?x!torus.coord>
}
// CHECK-LABEL: func.func @tensors(
// CHECK-SAME: %a: tensor<?xi16> {{[{]}}hologram.name = "a", hologram.type = "u16"}
// CHECK-SAME: -> (tensor<?xi16> {{[{]}}hologram.type = "u16"})
// CHECK-SAME: hologram.constraints = ["a[0] == b[0]"]
// CHECK: %r = atlas.map ins(%a, %b : tensor<?xi16>, tensor<?xi16>)
// CHECK: [[P:%\d+]] = atlas.add u16
// CHECK: [[D:%\d+]] = atlas.sub u16 [[P]]
// CHECK-NEXT: atlas.min u16 [[P]], [[D]]
// CHECK-NOT: atlas.rem
// CHECK: func.return %r : tensor<?xi16>

func.func private @scalar(%n: i64) -> !torus.coord {
  %r = torus.project %n : i64 to !torus.coord
  func.return %r : !torus.coord
}
// CHECK-LABEL: func.func private @scalar(%n: i64
// CHECK-SAME: -> (i16 {{[{]}}hologram.type = "u16"})
// CHECK-NOT: rem
// CHECK: arith.muli
// CHECK-NOT: rem
// CHECK: func.return

func.func private @vector(%a: vector<8x!algebra.residue<7>>) -> vector<8x!algebra.residue<7>> {
  %r = algebra.mul %a, %a : vector<8x!algebra.residue<7>>
  func.return %r : vector<8x!algebra.residue<7>>
}
// CHECK-LABEL: func.func private @vector(%a: vector<8xi8>
// CHECK: arith.muli %a, %a : vector<8xi8>
// CHECK-NOT: rem
// CHECK: func.return
