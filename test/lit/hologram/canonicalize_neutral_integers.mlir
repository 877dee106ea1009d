// RUN: hologram-opt %s -p canonicalize | filecheck %s

// x + 0, x - 0, x * 1, x / 1, x | 0, x ^ 0, x << 0, x >> 0 are x for integers; x * 0 is left alone.

func.func @neutral(%x: tensor<2xi32>) -> tensor<2xi32> {
  %z = hologram.constant dense<0> : tensor<2xi32>
  %o = hologram.constant dense<1> : tensor<2xi32>
  %a = hologram.add %x, %z : tensor<2xi32>
  %b = hologram.sub %a, %z : tensor<2xi32>
  %c = hologram.mul %b, %o : tensor<2xi32>
  %d = hologram.div %c, %o : tensor<2xi32>
  %e = hologram.or %d, %z : tensor<2xi32>
  %f = hologram.xor %e, %z : tensor<2xi32>
  %g = hologram.shl %f, %z : tensor<2xi32>
  %h = hologram.shr unsigned %g, %z : tensor<2xi32>
  func.return %h : tensor<2xi32>
}

// CHECK-LABEL: func.func @neutral(%x: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT:    func.return %x : tensor<2xi32>
// CHECK-NEXT:  }

func.func @not(%x: tensor<2xi32>) -> tensor<2xi32> {
  %z = hologram.constant dense<0> : tensor<2xi32>
  %r = hologram.mul %x, %z : tensor<2xi32>
  func.return %r : tensor<2xi32>
}

// CHECK-LABEL: func.func @not(%x: tensor<2xi32>) -> tensor<2xi32> {
// CHECK-NEXT:    %z = hologram.constant dense<0> : tensor<2xi32>
// CHECK-NEXT:    %r = hologram.mul %x, %z : tensor<2xi32>
// CHECK-NEXT:    func.return %r : tensor<2xi32>
// CHECK-NEXT:  }
