"""Spin laws: the turn rate of the ring that the target requests."""
