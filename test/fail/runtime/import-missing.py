# EXIT: 2
# ERROR: import-missing\.py:4:1: error: hologram has no 'LaunchConf'
# ERROR: hint: did you mean 'LaunchConfig'\?
from hologram import LaunchConf  # pyright: ignore # noqa: F401
