# EXIT: 2
# ERROR: the number of threads is 0, expected a whole number from 1 to 1024 \[threads-number\]
import hologram

hologram.set_num_threads(0)
