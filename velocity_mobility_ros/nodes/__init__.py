"""Nodes that move one body."""

__all__: list[str] = []
