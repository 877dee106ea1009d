"""`python -m hologram.tools.run`: `hologram-run` where no script is on the path."""

from hologram.tools.run.command import main

main()
