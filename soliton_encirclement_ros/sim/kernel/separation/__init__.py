"""The separation filter of the agents: the numbers of ``actors.SeparationGuard``."""
