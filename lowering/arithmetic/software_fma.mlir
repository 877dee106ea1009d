// a * b + c of f64 in one rounding to nearest even, in integers.
//
// A factor is m * 2^e with 53 bits of m. The product, 20 bits further left, has its top bit at 124 or 125. The summand is
// brought to the product's exponent, or if that would take it past bit 125, the product to its own. What falls off below
// stays as a last bit that is set, which is enough: it only falls off where no top bits cancel.
func.func private @hologram_fma_f64(%a: f64, %b: f64, %c: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %no_a = arith.cmpf oeq, %a, %zero : f64
  %no_b = arith.cmpf oeq, %b, %zero : f64
  %no_c = arith.cmpf oeq, %c, %zero : f64
  %no_product = arith.ori %no_a, %no_b : i1
  %finite_a = func.call @hologram_fma_finite(%a) : (f64) -> i1
  %finite_b = func.call @hologram_fma_finite(%b) : (f64) -> i1
  %finite_c = func.call @hologram_fma_finite(%c) : (f64) -> i1
  %factors = arith.andi %finite_a, %finite_b : i1
  %true = arith.constant true
  %not_factors = arith.xori %factors, %true : i1
  // Zeros, infinities and NaN follow the two operations, but the rounded product may have become infinite.
  %plain = arith.ori %no_product, %not_factors : i1
  %r = scf.if %plain -> (f64) {
    %ab = arith.mulf %a, %b : f64
    %sum = arith.addf %ab, %c : f64
    scf.yield %sum : f64
  } else {
    %not_c = arith.xori %finite_c, %true : i1
    %s = scf.if %not_c -> (f64) {
      scf.yield %c : f64
    } else {
      // The rounded product may have become zero, of a sign that the sum with a zero would lose.
      %t = scf.if %no_c -> (f64) {
        %ab = arith.mulf %a, %b : f64
        scf.yield %ab : f64
      } else {
        %sum = func.call @hologram_fma_numbers(%a, %b, %c) : (f64, f64, f64) -> f64
        scf.yield %sum : f64
      }
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  func.return %r : f64
}

func.func private @hologram_fma_finite(%x: f64) -> i1 {
  %bits = arith.bitcast %x : f64 to i64
  %exponents = arith.constant 0x7FF0000000000000 : i64
  %exponent = arith.andi %bits, %exponents : i64
  %finite = arith.cmpi ne, %exponent, %exponents : i64
  func.return %finite : i1
}

// The 53 bits of a number that is not zero, and the exponent of the last of them.
func.func private @hologram_fma_parts(%x: f64) -> (i64, i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %c11 = arith.constant 11 : i64
  %c52 = arith.constant 52 : i64
  %bias = arith.constant 1075 : i64
  %fractions = arith.constant 0x000FFFFFFFFFFFFF : i64
  %hidden = arith.constant 0x0010000000000000 : i64
  %exponents = arith.constant 0x7FF : i64
  %bits = arith.bitcast %x : f64 to i64
  %fraction = arith.andi %bits, %fractions : i64
  %high = arith.shrui %bits, %c52 : i64
  %exponent = arith.andi %high, %exponents : i64
  %subnormal = arith.cmpi eq, %exponent, %zero : i64
  %leading = math.ctlz %fraction : i64
  %moved = arith.subi %leading, %c11 : i64
  %shifted = arith.shli %fraction, %moved : i64
  %normal = arith.ori %fraction, %hidden : i64
  %m = arith.select %subnormal, %shifted, %normal : i64
  %less = arith.subi %one, %moved : i64
  %e = arith.select %subnormal, %less, %exponent : i64
  %unbiased = arith.subi %e, %bias : i64
  func.return %m, %unbiased : i64, i64
}

// %x shifted right, its last bit set if others fell off.
func.func private @hologram_fma_shift(%x: i128, %amount: i64) -> i128 {
  %zero = arith.constant 0 : i64
  %most = arith.constant 127 : i64
  %some = arith.maxsi %amount, %zero : i64
  %by64 = arith.minsi %some, %most : i64
  %by = arith.extui %by64 : i64 to i128
  %kept = arith.shrui %x, %by : i128
  %back = arith.shli %kept, %by : i128
  %lost = arith.cmpi ne, %back, %x : i128
  %last = arith.extui %lost : i1 to i128
  %r = arith.ori %kept, %last : i128
  func.return %r : i128
}

func.func private @hologram_fma_numbers(%a: f64, %b: f64, %c: f64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %wide_zero = arith.constant 0 : i128
  %ma, %ea = func.call @hologram_fma_parts(%a) : (f64) -> (i64, i64)
  %mb, %eb = func.call @hologram_fma_parts(%b) : (f64) -> (i64, i64)
  %mc, %ec = func.call @hologram_fma_parts(%c) : (f64) -> (i64, i64)
  // The product and its exponent.
  %c20 = arith.constant 20 : i64
  %wide20 = arith.constant 20 : i128
  %wa = arith.extui %ma : i64 to i128
  %wb = arith.extui %mb : i64 to i128
  %wc = arith.extui %mc : i64 to i128
  %p0 = arith.muli %wa, %wb : i128
  %p1 = arith.shli %p0, %wide20 : i128
  %ep0 = arith.addi %ea, %eb : i64
  %ep1 = arith.subi %ep0, %c20 : i64
  // Both at one exponent.
  %room = arith.constant 73 : i64
  %difference = arith.subi %ec, %ep1 : i64
  %left0 = arith.maxsi %difference, %zero : i64
  %left64 = arith.minsi %left0, %room : i64
  %left = arith.extui %left64 : i64 to i128
  %c_left = arith.shli %wc, %left : i128
  %c_right = arith.subi %zero, %difference : i64
  %summand = func.call @hologram_fma_shift(%c_left, %c_right) : (i128, i64) -> i128
  %p_right = arith.subi %difference, %room : i64
  %product = func.call @hologram_fma_shift(%p1, %p_right) : (i128, i64) -> i128
  %more = arith.maxsi %p_right, %zero : i64
  %e = arith.addi %ep1, %more : i64
  // The sum of magnitudes, or their difference, which has the sign of the greater.
  %bits_a = arith.bitcast %a : f64 to i64
  %bits_b = arith.bitcast %b : f64 to i64
  %bits_c = arith.bitcast %c : f64 to i64
  %sign_p0 = arith.xori %bits_a, %bits_b : i64
  %negative = arith.cmpi slt, %sign_p0, %zero : i64
  %negative_c = arith.cmpi slt, %bits_c, %zero : i64
  %apart = arith.xori %negative, %negative_c : i1
  %added = arith.addi %product, %summand : i128
  %product_less = arith.subi %product, %summand : i128
  %summand_less = arith.subi %summand, %product : i128
  %below = arith.cmpi ult, %product, %summand : i128
  %distance = arith.select %below, %summand_less, %product_less : i128
  %sum = arith.select %apart, %distance, %added : i128
  %turned = arith.andi %apart, %below : i1
  %negative_r = arith.xori %negative, %turned : i1
  // The top bit comes to bit 127, of which the upper 64 stay.
  %nothing = arith.cmpi eq, %sum, %wide_zero : i128
  %wide1 = arith.constant 1 : i128
  %some = arith.select %nothing, %wide1, %sum : i128
  %leading = math.ctlz %some : i128
  %whole = arith.shli %some, %leading : i128
  %c64 = arith.constant 64 : i64
  %top128 = func.call @hologram_fma_shift(%whole, %c64) : (i128, i64) -> i128
  %leading64 = arith.trunci %leading : i128 to i64
  %bias = arith.constant 1150 : i64
  %e_top = arith.subi %e, %leading64 : i64
  %biased = arith.addi %e_top, %bias : i64
  // Subnormal results have fewer bits.
  %most_fewer = arith.constant 60 : i64
  %fewer0 = arith.subi %one, %biased : i64
  %fewer = arith.minsi %fewer0, %most_fewer : i64
  %cut128 = func.call @hologram_fma_shift(%top128, %fewer) : (i128, i64) -> i128
  %cut = arith.trunci %cut128 : i128 to i64
  // 53 bits, to nearest even.
  %c11 = arith.constant 11 : i64
  %half = arith.constant 1023 : i64
  %kept = arith.shrui %cut, %c11 : i64
  %last = arith.andi %kept, %one : i64
  %rest_mask = arith.constant 2047 : i64
  %rest = arith.andi %cut, %rest_mask : i64
  %rest_up = arith.addi %rest, %half : i64
  %rest_even = arith.addi %rest_up, %last : i64
  %carry = arith.shrui %rest_even, %c11 : i64
  %rounded = arith.addi %kept, %carry : i64
  // The top bit of a normal number adds one to the exponent.
  %most = arith.constant 2047 : i64
  %at_least = arith.maxsi %biased, %one : i64
  %ranged = arith.minsi %at_least, %most : i64
  %exponent = arith.subi %ranged, %one : i64
  %c52 = arith.constant 52 : i64
  %placed = arith.shli %exponent, %c52 : i64
  %pattern = arith.addi %placed, %rounded : i64
  %infinity = arith.constant 0x7FF0000000000000 : i64
  %magnitude0 = arith.minui %pattern, %infinity : i64
  %magnitude = arith.select %nothing, %zero, %magnitude0 : i64
  %least = arith.constant 0x8000000000000000 : i64
  %minus = arith.select %negative_r, %least, %zero : i64
  %sign = arith.select %nothing, %zero, %minus : i64
  %all = arith.ori %magnitude, %sign : i64
  %r = arith.bitcast %all : i64 to f64
  func.return %r : f64
}
