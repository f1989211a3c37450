"""``swarm study``: laws compared under many conditions."""
