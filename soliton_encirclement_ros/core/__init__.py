"""The mathematics and the plain records of a swarm. No ROS, no clock, no files but run folders."""

from typing import TYPE_CHECKING

from soliton_encirclement_ros.core.errors import RunError, ScenarioError, SwarmError
from velocity_mobility_ros.core.lazy_names import importing

if TYPE_CHECKING:
    from soliton_encirclement_ros.core.ring.metrics import Metrics, encirclement_metrics
    from soliton_encirclement_ros.core.states.states import (
        AdversaryState, AgentState, Pose, TargetState
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

STATES, METRICS = 'states.states', 'ring.metrics'

LATER = {
    'AdversaryState': STATES,
    'AgentState': STATES,
    'Metrics': METRICS,
    'Pose': STATES,
    'TargetState': STATES,
    'encirclement_metrics': METRICS,
}
"""Names that are imported on first use, by module: numpy comes with them, and an order to stop
does not wait for numpy."""

__getattr__ = importing(__name__, LATER)
