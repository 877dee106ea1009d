# EXIT: 1
# ERROR: no place for 48 classes in class memory: 46 are free, in 1 run of at most 46
import hologram

executor = hologram.Executor()
held = [executor.allocate(3073), executor.allocate(48 * 3072), executor.allocate(48 * 3072)]
