// RUN: hologram-opt %s -p symbol-dce | filecheck %s

// CHECK:      func.func private @used() {
// CHECK-NOT:  @unused
// CHECK-NOT:  @only_by_unused
// CHECK:      func.func @main() {
func.func private @used() {
  func.return
}
func.func private @only_by_unused() {
  func.return
}
func.func private @unused() {
  func.call @only_by_unused() : () -> ()
  func.call @unused() : () -> ()
  func.return
}
func.func @main() {
  func.call @used() : () -> ()
  func.return
}
