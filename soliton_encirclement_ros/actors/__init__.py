"""The three actors: agent, target, adversary. They own state and call the laws; no ROS."""

from soliton_encirclement_ros.actors.actor_factory import make_actors, make_agent
from soliton_encirclement_ros.actors.adversary import Adversary
from soliton_encirclement_ros.actors.agent import Agent
from soliton_encirclement_ros.actors.target import Target
from soliton_encirclement_ros.swarm.failures import injection_text

__all__ = ['Adversary', 'Agent', 'Target', 'injection_text', 'make_actors', 'make_agent']
