"""Passes over lane programs and their control flow."""
