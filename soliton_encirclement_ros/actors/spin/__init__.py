"""Spin laws: how fast the target asks the ring to turn."""
