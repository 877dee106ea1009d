// RUN: hologram-opt %s -p convert-to-llvm{address_spaces="nvtpx"}
// EXIT: 2
// ERROR: 'nvtpx' is no family of targets with address spaces \[address-spaces-unknown\]
// ERROR: hint: did you mean 'nvptx'\?

func.func private @f() {
  func.return
}
