"""`make soak`: random work in one process for minutes, which must end as sound as it began.

Programs are compiled, called and dropped; threads, forks, signals, timeouts and faults of the disk come between. Each
result is compared with the exact one, a watchdog dumps all threads where nothing moves, and memory must stay flat.
"""
