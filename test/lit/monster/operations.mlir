// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Lifts, projections, routes and constants print as they are read.

// CHECK-LABEL: func.func @f(%a: !torus.coord, %t: tensor<?x!torus.coord>)
func.func @f(%a: !torus.coord, %t: tensor<?x!torus.coord>) {
  // CHECK-NEXT: %e = monster.lift %a : !torus.coord to !monster.element
  %e = monster.lift %a : !torus.coord to !monster.element
  // CHECK-NEXT: %p = monster.project %e : !monster.element to !torus.coord
  %p = monster.project %e : !monster.element to !torus.coord
  // CHECK-NEXT: %l = monster.lift %t : tensor<?x!torus.coord> to tensor<?x!monster.element>
  %l = monster.lift %t : tensor<?x!torus.coord> to tensor<?x!monster.element>
  // CHECK-NEXT: %r = monster.route_add %a, %p : !torus.coord
  %r = monster.route_add %a, %p : !torus.coord
  // CHECK-NEXT: %m = monster.route_mul %t, %t : tensor<?x!torus.coord>
  %m = monster.route_mul %t, %t : tensor<?x!torus.coord>
  // CHECK-NEXT: %d = monster.constant dimension : i32
  %d = monster.constant dimension : i32
  // CHECK-NEXT: %k = monster.constant centraliser 0 : i256
  %k = monster.constant centraliser 0 : i256
  func.return
}
