"""Experiments: a design, its runs on many processes, one table, its statistics, pictures."""

__all__: list[str] = []
