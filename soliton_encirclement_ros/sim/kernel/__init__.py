"""The tick of the whole swarm over plain arrays; every law in it is the actors' own function.

All functions here run as they stand, and compiled. They hold no formula: they only
carry numbers between the arrays of a flight and the laws.
"""
