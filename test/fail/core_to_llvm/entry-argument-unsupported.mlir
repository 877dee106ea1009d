// RUN: hologram-opt %s -p convert-func-to-llvm
// EXIT: 1
// ERROR: :6:1: error: @f has an argument of type memref<4xvector<2xf32>>, which a launch can't pass \[entry-argument-unsupported\]
// ERROR: hint: use memrefs and scalars of f16, bf16, f32, f64, index, bool, i8, i16, i32, i64, i128 to i4096; or make the function private

func.func @f(%m: memref<4xvector<2xf32>>) {
  func.return
}
