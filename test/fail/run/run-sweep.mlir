// RUN: hologram-run %s --sweep n=4
// EXIT: 2
// ERROR: 'n=4' is no name and its sizes
// ERROR: the name is in capital letters
func.func @main() { func.return }
