// Division of integers of DIGITS limbs of 64 bits: Knuth's algorithm D (The Art of Computer Programming, 4.3.1) in base
// 2^64. A quotient digit comes from two limbs over one by a reciprocal (Moeller and Granlund, Improved division by
// invariant integers, algorithm 4), so that the only divisions of the processor are those of the reciprocal.

// floor((2^128 - 1) / %d) - 2^64 for %d of at least 2^63: two digits in base 2^32 (Knuth again, with one correction
// of a digit done twice).
func.func private @hologram_reciprocal(%d: i64) -> i64 {
  %ones = arith.constant -1 : i64
  %c32 = arith.constant 32 : i64
  %low = arith.constant 0xFFFFFFFF : i64
  %d1 = arith.shrui %d, %c32 : i64
  %d0 = arith.andi %d, %low : i64
  %high = arith.xori %d, %ones : i64
  %q1 = func.call @hologram_reciprocal_digit(%high, %d1, %d0) : (i64, i64, i64) -> i64
  // high * 2^32 + (2^32 - 1) - q1 * d, modulo 2^64.
  %high32 = arith.shli %high, %c32 : i64
  %high_low = arith.ori %high32, %low : i64
  %q1d = arith.muli %q1, %d : i64
  %rest = arith.subi %high_low, %q1d : i64
  %q0 = func.call @hologram_reciprocal_digit(%rest, %d1, %d0) : (i64, i64, i64) -> i64
  %q1_high = arith.shli %q1, %c32 : i64
  %q = arith.addi %q1_high, %q0 : i64
  func.return %q : i64
}

// floor((%u * 2^32 + 2^32 - 1) / (%d1 * 2^32 + %d0)), which is below 2^32.
func.func private @hologram_reciprocal_digit(%u: i64, %d1: i64, %d0: i64) -> i64 {
  %q = arith.divui %u, %d1 : i64
  %qd1 = arith.muli %q, %d1 : i64
  %r = arith.subi %u, %qd1 : i64
  %q1, %r1 = func.call @hologram_reciprocal_correction(%q, %r, %d1, %d0) : (i64, i64, i64, i64) -> (i64, i64)
  %q2, %r2 = func.call @hologram_reciprocal_correction(%q1, %r1, %d1, %d0) : (i64, i64, i64, i64) -> (i64, i64)
  func.return %q2 : i64
}

// One less where the digit %q with remainder %r is too great.
func.func private @hologram_reciprocal_correction(%q: i64, %r: i64, %d1: i64, %d0: i64) -> (i64, i64) {
  %one = arith.constant 1 : i64
  %c32 = arith.constant 32 : i64
  %low = arith.constant 0xFFFFFFFF : i64
  %r_fits = arith.cmpi ule, %r, %low : i64
  %q_great = arith.cmpi ugt, %q, %low : i64
  %qd0 = arith.muli %q, %d0 : i64
  %r32 = arith.shli %r, %c32 : i64
  %r_low = arith.ori %r32, %low : i64
  %above = arith.cmpi ugt, %qd0, %r_low : i64
  %wrong = arith.ori %q_great, %above : i1
  %correct = arith.andi %r_fits, %wrong : i1
  %q_less = arith.subi %q, %one : i64
  %r_more = arith.addi %r, %d1 : i64
  %q_found = arith.select %correct, %q_less, %q : i64
  %r_found = arith.select %correct, %r_more, %r : i64
  func.return %q_found, %r_found : i64, i64
}

// Puts the quotient of %a and %b in %a and the remainder in %b. %b is not 0.
func.func private @hologram_divide_DIGITS(%a: memref<DIGITSxi64>, %b: memref<DIGITSxi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %limbs = arith.constant DIGITS : index
  %none = arith.constant 0 : i64
  %n = func.call @hologram_limbs_DIGITS(%a) : (memref<DIGITSxi64>) -> index
  %m = func.call @hologram_limbs_DIGITS(%b) : (memref<DIGITSxi64>) -> index
  %less = arith.cmpi ult, %n, %m : index
  scf.if %less {
    scf.for %i = %zero to %limbs step %one {
      %limb = memref.load %a[%i] : memref<DIGITSxi64>
      memref.store %limb, %b[%i] : memref<DIGITSxi64>
      memref.store %none, %a[%i] : memref<DIGITSxi64>
    }
  } else {
    func.call @hologram_long_division_DIGITS(%a, %b, %n, %m) : (memref<DIGITSxi64>, memref<DIGITSxi64>, index, index) -> ()
  }
  func.return
}

// How many limbs %a has without leading zeros.
func.func private @hologram_limbs_DIGITS(%a: memref<DIGITSxi64>) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %limbs = arith.constant DIGITS : index
  %none = arith.constant 0 : i64
  %found = scf.while (%count = %limbs) : (index) -> index {
    %any = arith.cmpi ne, %count, %zero : index
    %more = scf.if %any -> (i1) {
      %at = arith.subi %count, %one : index
      %limb = memref.load %a[%at] : memref<DIGITSxi64>
      %is_zero = arith.cmpi eq, %limb, %none : i64
      scf.yield %is_zero : i1
    } else {
      scf.yield %any : i1
    }
    scf.condition(%more) %count : index
  } do {
  ^bb0(%count: index):
    %less = arith.subi %count, %one : index
    scf.yield %less : index
  }
  func.return %found : index
}

// The same for %n >= %m >= 1 limbs. The divisor is shifted left until its highest bit is set, and the dividend with it;
// both have an extra limb of 0 below, which the test of a quotient digit reads where the divisor has one limb.
func.func private @hologram_long_division_DIGITS(%a: memref<DIGITSxi64>, %b: memref<DIGITSxi64>, %n: index, %m: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %limbs = arith.constant DIGITS : index
  %none = arith.constant 0 : i64
  %unit = arith.constant 1 : i64
  %ones = arith.constant -1 : i64
  %c63 = arith.constant 63 : i64
  %c64 = arith.constant 64 : i128
  %u = memref.alloca() : memref<DIGITS_2xi64>
  %v = memref.alloca() : memref<DIGITS_2xi64>

  %top = arith.subi %m, %one : index
  %highest = memref.load %b[%top] : memref<DIGITSxi64>
  %shift = math.ctlz %highest : i64
  %back = arith.subi %c63, %shift : i64
  memref.store %none, %u[%zero] : memref<DIGITS_2xi64>
  memref.store %none, %v[%zero] : memref<DIGITS_2xi64>
  %over = scf.for %i = %zero to %n step %one iter_args(%carry = %none) -> (i64) {
    %limb = memref.load %a[%i] : memref<DIGITSxi64>
    %at = arith.addi %i, %one : index
    %shifted = arith.shli %limb, %shift : i64
    %whole = arith.ori %shifted, %carry : i64
    memref.store %whole, %u[%at] : memref<DIGITS_2xi64>
    %half = arith.shrui %limb, %unit : i64
    %out = arith.shrui %half, %back : i64
    scf.yield %out : i64
  }
  %n1 = arith.addi %n, %one : index
  memref.store %over, %u[%n1] : memref<DIGITS_2xi64>
  %lost = scf.for %i = %zero to %m step %one iter_args(%carry = %none) -> (i64) {
    %limb = memref.load %b[%i] : memref<DIGITSxi64>
    %at = arith.addi %i, %one : index
    %shifted = arith.shli %limb, %shift : i64
    %whole = arith.ori %shifted, %carry : i64
    memref.store %whole, %v[%at] : memref<DIGITS_2xi64>
    %half = arith.shrui %limb, %unit : i64
    %out = arith.shrui %half, %back : i64
    scf.yield %out : i64
  }
  %m1 = arith.addi %m, %one : index
  %d = memref.load %v[%m] : memref<DIGITS_2xi64>
  %second = memref.load %v[%top] : memref<DIGITS_2xi64>
  %reciprocal = func.call @hologram_reciprocal(%d) : (i64) -> i64
  %wide_d = arith.extui %d : i64 to i128
  %wide_second = arith.extui %second : i64 to i128
  %wide_reciprocal = arith.extui %reciprocal : i64 to i128

  scf.for %i = %zero to %limbs step %one {
    memref.store %none, %a[%i] : memref<DIGITSxi64>
  }
  %difference = arith.subi %n, %m : index
  %digits = arith.addi %difference, %one : index
  scf.for %step = %zero to %digits step %one {
    %j = arith.subi %difference, %step : index
    %jm = arith.addi %j, %m : index
    %at1 = arith.addi %jm, %one : index
    %at2 = arith.subi %jm, %one : index
    %u1 = memref.load %u[%at1] : memref<DIGITS_2xi64>
    %u0 = memref.load %u[%jm] : memref<DIGITS_2xi64>
    %u2 = memref.load %u[%at2] : memref<DIGITS_2xi64>

    // The digit by the divisor's highest limb: two limbs over one, by the reciprocal.
    %wide_u1 = arith.extui %u1 : i64 to i128
    %wide_u0 = arith.extui %u0 : i64 to i128
    %u1_high = arith.shli %wide_u1, %c64 : i128
    %u10 = arith.ori %u1_high, %wide_u0 : i128
    %product = arith.muli %wide_reciprocal, %wide_u1 : i128
    %estimate = arith.addi %product, %u10 : i128
    %estimate_high = arith.shrui %estimate, %c64 : i128
    %p1 = arith.trunci %estimate_high : i128 to i64
    %p0 = arith.trunci %estimate : i128 to i64
    %q_a = arith.addi %p1, %unit : i64
    %qd = arith.muli %q_a, %d : i64
    %r_a = arith.subi %u0, %qd : i64
    %far = arith.cmpi ugt, %r_a, %p0 : i64
    %q_down = arith.subi %q_a, %unit : i64
    %r_up = arith.addi %r_a, %d : i64
    %q_b = arith.select %far, %q_down, %q_a : i64
    %r_b = arith.select %far, %r_up, %r_a : i64
    %near = arith.cmpi uge, %r_b, %d : i64
    %q_up = arith.addi %q_b, %unit : i64
    %r_down = arith.subi %r_b, %d : i64
    %q_c = arith.select %near, %q_up, %q_b : i64
    %r_c = arith.select %near, %r_down, %r_b : i64

    // The highest limbs may be equal, where the digit is at most 2^64 - 1 and its remainder u0 + d.
    %equal = arith.cmpi eq, %u1, %d : i64
    %r_equal = arith.addi %u0, %d : i64
    %r_over = arith.cmpi ult, %r_equal, %u0 : i64
    %q_d = arith.select %equal, %ones, %q_c : i64
    %r_d = arith.select %equal, %r_equal, %r_c : i64
    %exact = arith.andi %equal, %r_over : i1

    // The test with the divisor's second limb leaves a digit that is at most one too great.
    %wide_q = arith.extui %q_d : i64 to i128
    %wide_r = arith.extui %r_d : i64 to i128
    %wide_u2 = arith.extui %u2 : i64 to i128
    %second_product = arith.muli %wide_q, %wide_second : i128
    %r_high = arith.shli %wide_r, %c64 : i128
    %r_u2 = arith.ori %r_high, %wide_u2 : i128
    %beyond = arith.cmpi ugt, %second_product, %r_u2 : i128
    %unsure = arith.select %exact, %none, %unit : i64
    %beyond_word = arith.extui %beyond : i1 to i64
    %less = arith.andi %unsure, %beyond_word : i64
    %q_e = arith.subi %q_d, %less : i64

    // u - q * v, with what it borrows from the limb above.
    %wide_digit = arith.extui %q_e : i64 to i128
    %borrow = scf.for %i = %one to %m1 step %one iter_args(%carry = %none) -> (i64) {
      %place = arith.addi %i, %j : index
      %vi = memref.load %v[%i] : memref<DIGITS_2xi64>
      %ui = memref.load %u[%place] : memref<DIGITS_2xi64>
      %wide_v = arith.extui %vi : i64 to i128
      %wide_carry = arith.extui %carry : i64 to i128
      %vq = arith.muli %wide_digit, %wide_v : i128
      %sum = arith.addi %vq, %wide_carry : i128
      %low = arith.trunci %sum : i128 to i64
      %sum_high = arith.shrui %sum, %c64 : i128
      %high = arith.trunci %sum_high : i128 to i64
      %left = arith.subi %ui, %low : i64
      %below = arith.cmpi ult, %ui, %low : i64
      %below_word = arith.extui %below : i1 to i64
      memref.store %left, %u[%place] : memref<DIGITS_2xi64>
      %out = arith.addi %high, %below_word : i64
      scf.yield %out : i64
    }
    %rest = arith.subi %u1, %borrow : i64
    memref.store %rest, %u[%at1] : memref<DIGITS_2xi64>
    %negative = arith.cmpi ult, %u1, %borrow : i64

    // Where it became negative, the divisor is added back until it is not.
    %digit, %still = scf.while (%q = %q_e, %below = %negative) : (i64, i1) -> (i64, i1) {
      scf.condition(%below) %q, %below : i64, i1
    } do {
    ^bb0(%q: i64, %below: i1):
      %carry = scf.for %i = %one to %m1 step %one iter_args(%in = %none) -> (i64) {
        %place = arith.addi %i, %j : index
        %vi = memref.load %v[%i] : memref<DIGITS_2xi64>
        %ui = memref.load %u[%place] : memref<DIGITS_2xi64>
        %uv = arith.addi %ui, %vi : i64
        %over1 = arith.cmpi ult, %uv, %ui : i64
        %total = arith.addi %uv, %in : i64
        %over2 = arith.cmpi ult, %total, %uv : i64
        %either = arith.ori %over1, %over2 : i1
        memref.store %total, %u[%place] : memref<DIGITS_2xi64>
        %out = arith.extui %either : i1 to i64
        scf.yield %out : i64
      }
      %top_limb = memref.load %u[%at1] : memref<DIGITS_2xi64>
      %top_sum = arith.addi %top_limb, %carry : i64
      memref.store %top_sum, %u[%at1] : memref<DIGITS_2xi64>
      %stays = arith.cmpi uge, %top_sum, %top_limb : i64
      %q_minus = arith.subi %q, %unit : i64
      scf.yield %q_minus, %stays : i64, i1
    }
    memref.store %digit, %a[%j] : memref<DIGITSxi64>
  }

  // The remainder, shifted back.
  scf.for %i = %zero to %m step %one {
    %at = arith.addi %i, %one : index
    %above = arith.addi %i, %two : index
    %low_limb = memref.load %u[%at] : memref<DIGITS_2xi64>
    %high_limb = memref.load %u[%above] : memref<DIGITS_2xi64>
    %right = arith.shrui %low_limb, %shift : i64
    %doubled = arith.shli %high_limb, %unit : i64
    %left = arith.shli %doubled, %back : i64
    %whole = arith.ori %right, %left : i64
    memref.store %whole, %b[%i] : memref<DIGITSxi64>
  }
  func.return
}
