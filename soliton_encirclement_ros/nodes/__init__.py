"""Nodes of a swarm. They convert messages, keep the latest, call the actor, publish."""

__all__: list[str] = []
