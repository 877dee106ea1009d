# EXIT: 1
# ERROR: argument 'x' lies in class memory
import hologram

TEXT = """
func.func @main(%x: memref<?xf32>) {
  %one = arith.constant 1 : index
  atlas.launch @p grid(%one, %one, %one) args(%x : memref<?xf32>)
  func.return
}
atlas.program @p(%x: memref<?xf32>) block [1, 1, 1] {
  %c = atlas.cls.get
  %p = atlas.bound.map f32 %c, %c, %c
  %v = atlas.ldg f32 %p[] : !atlas.ptr<f32, class>
  atlas.stg f32 %v, %p[] : !atlas.ptr<f32, class>
}
"""
executor = hologram.Executor()
executor.compile(TEXT)(executor.allocate(4))
