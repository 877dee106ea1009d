"""This machine's processor."""
