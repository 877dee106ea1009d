// ARGS: [1,2,3]:f32
// WANT: value [1.0, 2.0, 3.0]

func.func private @f0(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f1(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f1(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f2(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f2(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f3(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f3(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f4(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f4(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f5(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f5(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f6(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f6(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f7(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f7(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f8(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f8(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f9(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f9(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f10(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f10(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f11(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f11(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f12(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f12(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f13(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f13(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f14(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f14(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f15(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f15(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f16(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f16(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f17(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f17(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f18(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f18(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f19(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f19(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f20(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f20(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f21(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f21(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f22(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f22(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f23(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f23(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f24(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f24(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f25(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f25(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f26(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f26(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f27(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f27(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f28(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f28(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f29(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f29(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f30(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f30(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f31(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f31(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f32(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f32(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f33(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f33(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f34(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f34(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f35(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f35(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f36(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f36(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f37(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f37(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f38(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f38(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f39(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f39(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f40(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f40(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f41(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f41(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f42(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f42(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f43(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f43(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f44(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f44(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f45(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f45(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f46(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f46(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f47(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f47(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f48(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f48(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f49(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f49(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f50(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f50(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f51(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f51(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f52(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f52(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f53(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f53(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f54(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f54(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f55(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f55(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f56(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f56(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f57(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f57(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f58(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f58(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f59(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f59(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f60(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f60(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f61(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f61(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f62(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f62(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f63(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f63(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f64(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f64(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f65(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f65(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f66(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f66(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f67(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f67(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f68(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f68(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f69(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f69(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f70(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f70(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f71(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f71(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f72(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f72(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f73(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f73(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f74(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f74(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f75(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f75(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f76(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f76(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f77(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f77(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f78(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f78(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f79(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f79(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f80(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f80(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f81(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f81(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f82(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f82(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f83(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f83(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f84(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f84(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f85(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f85(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f86(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f86(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f87(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f87(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f88(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f88(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f89(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f89(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f90(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f90(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f91(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f91(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f92(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f92(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f93(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f93(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f94(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f94(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f95(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f95(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f96(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f96(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f97(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f97(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f98(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f98(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = func.call @f99(%x) : (memref<?xf32>) -> f32
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func private @f99(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1024xf32>
  %v = memref.load %m[%c0] : memref<1024xf32>
  %r = memref.load %x[%c0] : memref<?xf32>
  memref.store %r, %m[%c0] : memref<1024xf32>
  func.return %r : f32
}
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %r = func.call @f0(%x) : (memref<?xf32>) -> f32
  func.return
}
