"""Gradients of operations."""
