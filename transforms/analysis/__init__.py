"""Analyses of IR: dominance, shapes, ranges of integers, accesses; and the verifier."""
