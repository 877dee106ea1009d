# EXIT: 1
# ERROR: argument 'x' must be a numpy array of f32\[\?\], found list \[1.0, 2.0\]
# ERROR: hint: pass numpy.asarray
import hologram

kernel = hologram.compile("func.func @main(%x: memref<?xf32>) { return }")
kernel([1.0, 2.0])
