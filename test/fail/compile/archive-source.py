# EXIT: 2
# ERROR: program 'f' is a source, not str 'func.func @f\(\)' \[archive-source\]
# ERROR: hint: text_source\(b'...', 'name.mlir'\) is one
from hologram.driver.archives.build import build

build({"f": "func.func @f()"}, "cpu")  # pyright: ignore
