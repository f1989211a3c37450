"""The ``swarm`` command, one verb per file."""

__all__: list[str] = []
