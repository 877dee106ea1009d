"""An archive: programs for several targets and constants in one file, loaded where nothing is compiled.

python examples/archives.py [FILE]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import hologram
from hologram.driver.archives.build import build
from hologram.driver.source import text_source
from hologram.runtime.archive import Archive, Constant, save

SCALE = b"""
func.func @scale(%x: tensor<?xf32>, %by: tensor<?xf32>) -> tensor<?xf32> {
  %y = hologram.mul %x, %by : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""


def write(file: Path) -> None:
    made = build({"scale": text_source(SCALE, "scale.mlir")}, "cpu,webgpu")
    weights = np.array([1, 2, 3], np.float32)
    save(Archive(made.programs, (Constant("weights", "f32", weights.shape, weights.tobytes()),)), file)


def use(file: Path) -> None:
    kernels = hologram.load(file)
    print(kernels["scale"].signature)
    print(kernels["scale"](np.full(3, 2, np.float32), kernels.archive.array("weights")))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(sys.argv[1] if sys.argv[1:] else f"{folder}/scale.holo")
        write(file)
        use(file)


if __name__ == "__main__":
    main()
