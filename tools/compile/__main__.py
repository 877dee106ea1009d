"""`python -m hologram.tools.compile`: `hologram-compile` where no script is on the path."""

from hologram.tools.compile.command import main

main()
