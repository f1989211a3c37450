"""The mathematics and the plain records of a swarm. No ROS, no clock, no files but run folders."""

from soliton_encirclement_ros.core.errors import RunError, ScenarioError, SwarmError
from soliton_encirclement_ros.core.ring.metrics import Metrics, encirclement_metrics
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    Pose,
    TargetState,
)

__all__ = [
    'AdversaryState',
    'AgentState',
    'Metrics',
    'Pose',
    'RunError',
    'ScenarioError',
    'SwarmError',
    'TargetState',
    'encirclement_metrics',
]
