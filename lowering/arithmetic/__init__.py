"""Arithmetic that targets lack: math functions, narrow floats, wide integers, fused multiply-adds."""
