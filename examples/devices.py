"""Devices: what there is here, arrays that stay on one, and launches that are prepared.

python examples/devices.py [DEVICE]
"""

import sys
from typing import Any

import numpy as np

import hologram

ADD = """
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = hologram.add %x, %y : tensor<?xf32>
  func.return %z : tensor<?xf32>
}
"""


def main() -> None:
    for name, state in hologram.devices().items():
        print(f"{name:8} {f'ready: {state.count}' if state.ready else f'not here: {state.why}'}")
    kernel: Any = hologram.compile(ADD, device=sys.argv[1] if sys.argv[1:] else "auto")
    print(f"compiled for {kernel.device}, which computes with", *(t.name for t in hologram.native_types(kernel.device)))
    x = np.arange(5, dtype=np.float32)
    if kernel.device == "cpu":
        print(kernel(x, x))
        return
    there = hologram.array(x, device=kernel.device)
    result = hologram.empty(5, "f32", device=kernel.device)
    launch = kernel.prepare(there, there, out=result)
    launch()
    print(result.numpy())


if __name__ == "__main__":
    main()
