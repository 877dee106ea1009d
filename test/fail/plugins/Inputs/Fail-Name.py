"""A file whose name no plug-in can have."""
