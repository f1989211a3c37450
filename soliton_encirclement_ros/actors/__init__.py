"""The members of a swarm as nodes have them."""

from soliton_encirclement_ros.actors.actor_factory import make_actors, make_agent
from soliton_encirclement_ros.swarm.failures import injection_text
from soliton_encirclement_ros.swarm.own_agent import Agent
from soliton_encirclement_ros.swarm.own_target import Adversary, Target

__all__ = ['Adversary', 'Agent', 'Target', 'injection_text', 'make_actors', 'make_agent']
