"""The tick of the whole swarm over plain arrays; every law in it is the actors' own function.

All functions here run interpreted and compiled. They contain no formula: they only
pass numbers between the arrays of a flight and the laws.
"""
