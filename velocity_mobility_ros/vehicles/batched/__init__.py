"""Vehicles over a leading axis: many bodies in one call, in NumPy or torch.

The functions of a vehicle are written once, over numbers, and rewritten over arrays.
"""

from velocity_mobility_ros.vehicles.batched.array_namespace import BatchError, namespace
from velocity_mobility_ros.vehicles.batched.array_translation import over_arrays
from velocity_mobility_ros.vehicles.batched.batched_vehicle import BatchedVehicle, randomised

__all__ = ['BatchError', 'BatchedVehicle', 'namespace', 'over_arrays', 'randomised']
