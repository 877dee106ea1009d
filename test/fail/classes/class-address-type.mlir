// RUN: hologram-opt %s
// ERROR: 'class.address_page' needs i32 or i64, which hold addresses, found i16

func.func @f(%a: i16) {
  %0 = class.address_page %a : i16
  func.return
}
