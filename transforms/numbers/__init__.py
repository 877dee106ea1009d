"""Passes over classes and circuits."""
