"""`python -m hologram.tools.opt`: `hologram-opt` where no script is on the path."""

from hologram.tools.opt.command import main

main()
