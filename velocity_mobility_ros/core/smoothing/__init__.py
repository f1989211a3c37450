"""Limiters of how fast commands change: independent channels, whole motions, a command chain."""

__all__: list[str] = []
