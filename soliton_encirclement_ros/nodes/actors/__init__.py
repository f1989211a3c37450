"""The nodes of agent, target and adversary, and of the separation filter by itself."""
