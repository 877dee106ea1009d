# EXIT: 2
# ERROR: standard output can't be written: No space left on device \[output-unwritable\]
# ERROR: hint: let it go to a file or a program that takes it

import errno

from hologram.tools.cli import unwritten

raise unwritten(OSError(errno.ENOSPC, "No space left on device"))
