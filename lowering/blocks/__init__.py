"""Kernels for devices with blocks of threads: launches, and the flat form that every emitter reads."""
