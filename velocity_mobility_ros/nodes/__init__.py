"""Nodes that simulate one vehicle."""

__all__: list[str] = []
