"""Conversions of the dialects of numbers (torus, algebra, class, monster, sigil) to atlas."""
