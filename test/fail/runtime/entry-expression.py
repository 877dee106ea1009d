# EXIT: 1
# ERROR: '\(z\[0\],\)' of the entry record can't be read: no argument is named 'z'
import hologram

kernel = hologram.compile("""
func.func @main(%x: memref<?xf32>, %r: memref<?xf32> {hologram.result = "(z[0],)"}) {
  return
}
""")
