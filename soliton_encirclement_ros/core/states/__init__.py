"""States that agents, target and adversary exchange: wire form, validation, cache."""
