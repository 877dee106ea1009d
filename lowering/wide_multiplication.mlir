// The low LIMBS limbs of the product, in %a: row by row, each a limb of %a times what of %b is not lost.
func.func private @hologram_multiply_LIMBS(%a: memref<LIMBSxi64>, %b: memref<LIMBSxi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %limbs = arith.constant LIMBS : index
  %none = arith.constant 0 : i64
  %c64 = arith.constant 64 : i128
  %sum = memref.alloca() : memref<LIMBSxi64>
  scf.for %i = %zero to %limbs step %one {
    memref.store %none, %sum[%i] : memref<LIMBSxi64>
  }
  scf.for %i = %zero to %limbs step %one {
    %digit = memref.load %a[%i] : memref<LIMBSxi64>
    %wide_digit = arith.extui %digit : i64 to i128
    %rest = arith.subi %limbs, %i : index
    %lost = scf.for %j = %zero to %rest step %one iter_args(%carry = %none) -> (i64) {
      %place = arith.addi %i, %j : index
      %bj = memref.load %b[%j] : memref<LIMBSxi64>
      %sj = memref.load %sum[%place] : memref<LIMBSxi64>
      %wide_b = arith.extui %bj : i64 to i128
      %wide_s = arith.extui %sj : i64 to i128
      %wide_carry = arith.extui %carry : i64 to i128
      %product = arith.muli %wide_digit, %wide_b : i128
      %with_s = arith.addi %product, %wide_s : i128
      %total = arith.addi %with_s, %wide_carry : i128
      %low = arith.trunci %total : i128 to i64
      memref.store %low, %sum[%place] : memref<LIMBSxi64>
      %shifted = arith.shrui %total, %c64 : i128
      %high = arith.trunci %shifted : i128 to i64
      scf.yield %high : i64
    }
  }
  scf.for %i = %zero to %limbs step %one {
    %limb = memref.load %sum[%i] : memref<LIMBSxi64>
    memref.store %limb, %a[%i] : memref<LIMBSxi64>
  }
  func.return
}
