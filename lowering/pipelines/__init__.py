"""The named pipelines: tables of stages, what runs them, and the output forms."""
