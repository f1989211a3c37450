"""Every parameter of a swarm, of its radio and of the propagation layers, declared once."""
