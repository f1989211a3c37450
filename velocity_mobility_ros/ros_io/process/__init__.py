"""How the process of a node starts, runs and ends."""
