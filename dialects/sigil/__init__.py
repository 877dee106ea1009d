"""Circuits of classes: their tokens, trees and readings, which need no IR, and their operations.

The dialect itself stands in `dialect`: who needs the rest alone, as kernels that are found in the cache, loads no xDSL.
"""
