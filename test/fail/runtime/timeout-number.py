# EXIT: 2
# ERROR: the timeout is -1, expected a number of seconds above 0, at most 1e\+09 \[timeout-number\]
import hologram

hologram.timeout(-1)
