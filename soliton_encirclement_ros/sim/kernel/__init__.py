"""The tick of the whole swarm in the engine: radio, bodies and records round the rows of swarm/.

All functions here run interpreted and compiled. No law and no layer is named.
"""
