// RUN: hologram-run %s
// EXIT: 1
// ERROR: has no entry: no public function

func.func private @main() {
  return
}
