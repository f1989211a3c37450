"""Polylines from files: CSV, YAML, and arrays of a recording."""
