// RUN: hologram-opt %s --split-input-file --verify-diagnostics

func.func @wrong_result() -> i32 {
  func.return // expected-error {{the function has results of types}}
}

// -----

func.func @order(%a: i32) -> i32 {
  // expected-error-re@+2 {{uses %y before {{.*}} defined}}
  // expected-note@+1 {{%y is defined at line 13}}
  %x = arith.addi %y, %a : i32
  %y = arith.addi %a, %a : i32
  func.return %x : i32
}

// -----

// expected-error@below {{there is no operation 'func.fun'}}
// expected-note@below {{did you mean 'func.func'?}}
func.fun @f()

// -----

func.func @right() {
  func.return
}
