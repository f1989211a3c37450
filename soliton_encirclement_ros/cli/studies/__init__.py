"""``swarm sweep`` and ``swarm study``: many runs, and laws compared under many conditions."""
