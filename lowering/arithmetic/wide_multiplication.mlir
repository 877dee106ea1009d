// The low DIGITS digits of 512 bits of the product, in %a: row by row, each a digit of %a times what of %b is not lost.
// A digit times a digit is straight code, which LLVM makes well.
func.func private @hologram_multiply_DIGITS(%a: memref<DIGITSxi512>, %b: memref<DIGITSxi512>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %digits = arith.constant DIGITS : index
  %top = arith.subi %digits, %one : index
  %none = arith.constant 0 : i512
  %c512 = arith.constant 512 : i1024
  %sum = memref.alloca() : memref<DIGITSxi512>
  scf.for %i = %zero to %digits step %one {
    memref.store %none, %sum[%i] : memref<DIGITSxi512>
  }
  scf.for %i = %zero to %digits step %one {
    %digit = memref.load %a[%i] : memref<DIGITSxi512>
    %wide_digit = arith.extui %digit : i512 to i1024
    %rest = arith.subi %top, %i : index
    %carry = scf.for %j = %zero to %rest step %one iter_args(%in = %none) -> (i512) {
      %place = arith.addi %i, %j : index
      %bj = memref.load %b[%j] : memref<DIGITSxi512>
      %sj = memref.load %sum[%place] : memref<DIGITSxi512>
      %wide_b = arith.extui %bj : i512 to i1024
      %wide_s = arith.extui %sj : i512 to i1024
      %wide_in = arith.extui %in : i512 to i1024
      %product = arith.muli %wide_digit, %wide_b : i1024
      %with_s = arith.addi %product, %wide_s : i1024
      %total = arith.addi %with_s, %wide_in : i1024
      %low = arith.trunci %total : i1024 to i512
      memref.store %low, %sum[%place] : memref<DIGITSxi512>
      %shifted = arith.shrui %total, %c512 : i1024
      %high = arith.trunci %shifted : i1024 to i512
      scf.yield %high : i512
    }
    // Of the last digit only the lower half stays.
    %last = memref.load %b[%rest] : memref<DIGITSxi512>
    %s = memref.load %sum[%top] : memref<DIGITSxi512>
    %half = arith.muli %digit, %last : i512
    %half_s = arith.addi %half, %s : i512
    %half_total = arith.addi %half_s, %carry : i512
    memref.store %half_total, %sum[%top] : memref<DIGITSxi512>
  }
  scf.for %i = %zero to %digits step %one {
    %digit = memref.load %sum[%i] : memref<DIGITSxi512>
    memref.store %digit, %a[%i] : memref<DIGITSxi512>
  }
  func.return
}
