# EXIT: 1
# ERROR: the code of program 'add' for cpu is not what its IR compiles to
# ERROR: hint: one of them was changed; do not run it unless you trust who made it
from dataclasses import replace

from hologram.driver.archives.build import build
from hologram.driver.archives.rebuild import rebuild
from hologram.driver.source import text_source
from hologram.runtime.archive import write

TEXT = b"""
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = hologram.add %x, %y : tensor<?xf32>
  func.return %z : tensor<?xf32>
}
"""
made = build({"add": text_source(TEXT, "add.mlir")})
program = made.programs[0]
changed = replace(program, ir=program.ir.replace(b"hologram.add", b"hologram.sub"))
rebuild(write(replace(made, programs=(changed,))))
