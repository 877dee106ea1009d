// RUN: hologram-opt %s | filecheck %s
// RUN: hologram-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// Products of small matrices: what the registers of a factor tell of its elements is not written.

func.func @sparse(%a: vector<2xf16>, %b: vector<2xf16>, %c: vector<2xf16>, %metadata: i32, %selector: i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)> {
  %r = nvvm.mma.sp.sync A[%a, %a] B[%b, %b] C[%c, %c] sparseMetadata[%metadata] selector[%selector] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  func.return %r : !llvm.struct<(vector<2xf16>, vector<2xf16>)>
}

// CHECK-LABEL: func.func @sparse
// CHECK:         nvvm.mma.sp.sync A[%a, %a] B[%b, %b] C[%c, %c] sparseMetadata[%metadata] selector[%selector] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
// GENERIC:       multiplicandAPtxType = #nvvm.mma_type<f16>

func.func @scaled(%a: i32, %c: f32, %place: i16) -> !llvm.struct<(f32, f32, f32, f32)> {
  %r = nvvm.mma.block_scale A[%a, %a] B[%a, %a] C[%c, %c, %c, %c] scaleA[%a, %place, %place] scaleB[%a, %place, %place] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  func.return %r : !llvm.struct<(f32, f32, f32, f32)>
}

// CHECK-LABEL: func.func @scaled
// CHECK:         nvvm.mma.block_scale A[%a, %a] B[%a, %a] C[%c, %c, %c, %c] scaleA[%a, %place, %place] scaleB[%a, %place, %place] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>
