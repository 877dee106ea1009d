"""Canonicalisation, and the passes that every level shares."""
