"""Vehicles over a leading axis: many bodies in one call, in NumPy or torch.

The functions of a vehicle are written once, over numbers; ``translation.py`` rewrites them over
arrays.
"""

from velocity_mobility_ros.vehicles.batched.batched_vehicle import BatchedVehicle, randomised
from velocity_mobility_ros.vehicles.batched.namespaces import BatchError, namespace
from velocity_mobility_ros.vehicles.batched.translation import over_arrays

__all__ = ['BatchError', 'BatchedVehicle', 'namespace', 'over_arrays', 'randomised']
