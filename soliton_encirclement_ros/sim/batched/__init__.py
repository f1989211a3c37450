"""Vehicles over a leading axis: many bodies in one call, in NumPy or torch.

The functions of a vehicle are written once, over numbers; ``translation.py`` rewrites them over
arrays.
"""

from soliton_encirclement_ros.sim.batched.batched_vehicle import BatchedVehicle
from soliton_encirclement_ros.sim.batched.linking import over_arrays
from soliton_encirclement_ros.sim.batched.namespaces import namespace
from soliton_encirclement_ros.sim.batched.randomisation import randomised

__all__ = ['BatchedVehicle', 'namespace', 'over_arrays', 'randomised']
