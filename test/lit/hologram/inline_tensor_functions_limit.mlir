// RUN: not hologram-opt %s -p inline-tensor-functions 2>&1 | filecheck %s

// Calls that double a program again and again are refused before they take minutes.

// CHECK: for the functions that it calls again and again, has about {{[0-9]+}} operations, and the limit is 100000 [limit-operations]

func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = hologram.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f0(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f1(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f2(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f4(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f3(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f3(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f5(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f4(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f4(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f6(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f5(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f5(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f7(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f6(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f6(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f8(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f7(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f7(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f9(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f8(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f8(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f10(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f9(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f9(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f11(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f10(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f10(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f12(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f11(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f11(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f13(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f12(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f12(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f14(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f13(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f13(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f15(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f14(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f14(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func private @f16(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @f15(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call @f15(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @f16(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
