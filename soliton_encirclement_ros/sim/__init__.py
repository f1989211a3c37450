"""A swarm in one process, without ROS: the same world, the same actors, the same numbers."""

from soliton_encirclement_ros.sim.compilation.loaded_code import get_ready
from soliton_encirclement_ros.sim.event_loop import EventLoop, plain_loop
from soliton_encirclement_ros.sim.loop import SwarmLoop
from soliton_encirclement_ros.sim.recorded_data import RecordedData
from soliton_encirclement_ros.sim.simulation import Simulation

__all__ = ['EventLoop', 'RecordedData', 'Simulation', 'SwarmLoop', 'get_ready', 'plain_loop']
