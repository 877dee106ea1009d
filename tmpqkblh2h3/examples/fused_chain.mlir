// exp(-(a * b + c)^2): five operations that become one loop over memory.
func.func @fused_chain(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %ab = hologram.mul %a, %b : tensor<?xf32>
  %s = hologram.add %ab, %c : tensor<?xf32>
  %q = hologram.mul %s, %s : tensor<?xf32>
  %m = hologram.neg %q : tensor<?xf32>
  %r = hologram.exp %m : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
