"""A law, ``repulsion``, and a vehicle, ``boat``."""
