"""Stability of the laws and of the propagation layers, in discrete time."""
