"""An executor: kernels that share class memory, buffers in it, and circuits that work on it.

python examples/executors.py
"""

import numpy as np

import hologram
from hologram import sigil

SCALE = """
func.func @scale(%x: memref<?xf32>, %by: f32) {
  atlas.map ins(%x, %by : memref<?xf32>, f32) outs(%x : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>] {
  ^bb0(%e: f32, %b: f32):
    %y = atlas.mul f32 %e, %b
    atlas.yield %y : f32
  }
  func.return
}
"""


def main() -> None:
    executor = hologram.Executor("cpu")
    with executor.allocate(3072) as buffer:
        buffer.copy_from(np.arange(3072, dtype=np.float32))
        executor.compile(SCALE)(buffer, np.float32(0.5))
        print(f"{buffer}: {buffer.array[:4]}")
    print(f"{executor}, since the buffer was freed")

    add = executor.compile(sigil.parse("merge@c10[c11,c12] . merge.sqrt@c12[c12,c13]"))
    tiles = [executor.classes[number].view(np.float32) for number in (10, 11, 13)]
    tiles[0][:], tiles[1][:] = 9, 16
    add()
    print(f"a circuit on classes 10 to 13: {tiles[2][:3]}")


if __name__ == "__main__":
    main()
