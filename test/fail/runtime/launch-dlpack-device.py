# EXIT: 1
# ERROR: argument 'x' lies on a CUDA device, and the kernel runs on the CPU
# ERROR: x\.cpu\(\)
import hologram

kernel = hologram.compile("""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.neg %x : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
""")


class OnDevice:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **_: object) -> object:
        raise BufferError


kernel(OnDevice())
