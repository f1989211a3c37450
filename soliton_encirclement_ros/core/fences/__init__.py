"""Fences: polygons with holes, and their text in a parameter."""
