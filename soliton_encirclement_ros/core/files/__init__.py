"""Atomic and append-only files, YAML, paths and names given by users."""
