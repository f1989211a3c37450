"""The nodes of agent, target and adversary."""
