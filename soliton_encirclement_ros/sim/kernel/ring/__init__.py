"""The ring of each agent: who is on it, in which order and at which angles."""
