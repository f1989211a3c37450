"""A swarm in one process, without ROS: the same world, the same members, the same numbers."""

from soliton_encirclement_ros.sim.compilation.loaded_code import get_ready
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.simulation import Simulation

__all__ = ['RecordedData', 'Simulation', 'get_ready']
