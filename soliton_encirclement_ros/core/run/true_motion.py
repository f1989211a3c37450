"""What members said of themselves, with their true motion, where it is known."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    AgentState,
    Pose,
    TargetState,
)

Said = TypeVar('Said', AgentState, TargetState, AdversaryState, TelemetryRow)

Truth = Mapping[str, Pose]
"""True position [m] and velocity [m/s, map] by name of the member."""

UNKNOWN: Truth = MappingProxyType({})
"""Nobody's true motion is known: what members say of themselves counts."""


def truly(said: Said, name: str, truth: Truth) -> Said:
    """Return a state or telemetry of a member with its true position and velocity, if known."""
    pose = truth.get(name)
    if pose is None:
        return said
    return said._replace(position=pose.position, velocity=pose.velocity)
