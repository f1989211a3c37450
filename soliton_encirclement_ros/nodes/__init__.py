"""Nodes of a swarm. They convert, keep the latest message, call the brain, publish."""

__all__: list[str] = []
