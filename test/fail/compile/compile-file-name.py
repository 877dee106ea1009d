# ERROR: the name 'two\\nlines.mlir' has characters that can't be shown
# ERROR: hint: rename the file
from hologram.tools.compile.inputs import Input
from hologram.tools.compile.jobs import read_input

read_input(Input("two\nlines.mlir", "two\nlines.mlir", "two\nlines"), ())
