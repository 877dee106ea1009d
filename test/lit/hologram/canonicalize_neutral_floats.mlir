// RUN: hologram-opt %s -p canonicalize | filecheck %s

// x - 0, x * 1, x / 1 are x for floats, also through a broadcast. x + 0 is +0 at -0, so is x - (-0).

func.func @neutral(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = hologram.constant dense<0.0> : tensor<2xf32>
  %one = hologram.constant dense<1.0> : tensor<f32>
  %o = hologram.broadcast %one : tensor<f32> to tensor<2xf32>
  %a = hologram.sub %x, %z : tensor<2xf32>
  %b = hologram.mul %a, %o : tensor<2xf32>
  %c = hologram.div %b, %o : tensor<2xf32>
  func.return %c : tensor<2xf32>
}

// CHECK-LABEL: func.func @neutral(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    func.return %x : tensor<2xf32>
// CHECK-NEXT:  }

func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = hologram.constant dense<0.0> : tensor<2xf32>
  %r = hologram.add %x, %z : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %z = hologram.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %r = hologram.add %x, %z : tensor<2xf32>
// CHECK-NEXT:    func.return %r : tensor<2xf32>
// CHECK-NEXT:  }

func.func @difference(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = hologram.constant dense<-0.0> : tensor<2xf32>
  %r = hologram.sub %x, %z : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @difference(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %z = hologram.constant dense<-0.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %r = hologram.sub %x, %z : tensor<2xf32>
// CHECK-NEXT:    func.return %r : tensor<2xf32>
// CHECK-NEXT:  }

func.func @product(%x: tensor<2xf32>) -> tensor<2xf32> {
  %z = hologram.constant dense<0.0> : tensor<2xf32>
  %r = hologram.mul %x, %z : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @product(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %z = hologram.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    %r = hologram.mul %x, %z : tensor<2xf32>
// CHECK-NEXT:    func.return %r : tensor<2xf32>
// CHECK-NEXT:  }
