# EXIT: 1
# ERROR: argument 'x' can't be shared: it is gone
import hologram

kernel = hologram.compile("""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.neg %x : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
""")


class Gone:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: object) -> object:
        raise BufferError("it is gone")


kernel(Gone())
