# EXIT: 1
# ERROR: this program is nested too deeply to be worked on \[input-too-deep\]
# ERROR: hint: flatten what is nested hundreds of levels deep

from hologram.tools.cli import unexpected

raise unexpected(RecursionError())
