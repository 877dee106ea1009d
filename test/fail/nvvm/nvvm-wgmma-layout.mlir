// RUN: hologram-opt %s -p canonicalize
// EXIT: 1
// ERROR: 'nvvm.wgmma.mma_async' of e4m3 reads rows of a and columns of b only.*\[nvvm-wgmma-layout\]

func.func @f(%d: !llvm.struct<(f32, f32, f32, f32)>, %a: i64, %b: i64) {
  %0 = "nvvm.wgmma.mma_async"(%d, %a, %b) <{
    shape = #nvvm.shape<m = 64, n = 8, k = 32>, typeA = #nvvm.wgmma_type<e4m3>, typeB = #nvvm.wgmma_type<e4m3>,
    typeD = #nvvm.wgmma_type<f32>, scaleD = #nvvm.wgmma_scale_out<one>, scaleA = #nvvm.wgmma_scale_in<one>,
    scaleB = #nvvm.wgmma_scale_in<one>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>
  }> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
  func.return
}
