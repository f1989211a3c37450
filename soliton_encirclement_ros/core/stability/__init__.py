"""Stability of laws and propagation layers in discrete time."""
