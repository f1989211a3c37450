"""The ``swarm`` command, one subcommand per file."""

__all__: list[str] = []
