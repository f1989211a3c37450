"""The bridge of a vehicle with an autopilot: within the limits with which its agent plans.

An agent that plans with more than the bridge passes on is wrong about where its vehicle will be,
and so is its separation filter. So the bridge gets the agent's limits.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.core.parameter_declaration import build
from velocity_mobility_ros.core.user_errors import ParameterError

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import (
    ARDUPILOT,
    BRIDGES,
    MAVROS,
    PX4,
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec

USUAL_VEHICLE = 'px4_x500'
"""Vehicle file whose limits every bridge passes on."""

RUN_ON = {PX4: 1.0, ARDUPILOT: 3.0, MAVROS: 3.0}
"""Time for which a vehicle flies on when its bridge dies: COM_OF_LOSS_T of PX4, GUID_TIMEOUT of
ArduPilot [s]. When its agent dies, the bridge flies on for a shorter time."""


def bridge_warnings(scenario: Scenario, kinds: Iterable[str]) -> list[str]:
    """Return a warning if the separation filter counts on vehicles that stop at once.

    Args:
        scenario: The scenario.
        kinds: Kinds of the vehicles.
    """
    need = max((RUN_ON[kind] for kind in kinds if kind in RUN_ON), default=0.0)
    told = scenario.safety.silent_run_on
    if not scenario.is_filtered or need <= (told or 0.0):
        return []
    now = 'not set' if told is None else f'{told:g} s'
    return [
        f'safety.silent_run_on is {now}: a vehicle with an autopilot flies on for {need:g} s '
        'after its agent or bridge has died, and nobody keeps away from its way; set '
        f'safety.silent_run_on to at least {need:g}'
    ]


def bridge_spec(scenario: Scenario, name: str, kind: str, own: Mapping[str, Any]) -> NodeSpec:
    """Return the bridge of a member.

    Args:
        scenario: The scenario.
        name: The member.
        kind: The autopilot, one of ``BRIDGES``.
        own: Parameters of this bridge alone.

    Raises:
        ScenarioError: The limits of the member exceed what bridges pass on.
    """
    limits = guidance_values(scenario.limits_of(name))
    try:
        build(GuidanceParameters, limits, f'the bridge of {name} to {kind}')
    except ParameterError as error:
        raise ScenarioError(
            f'{error}; it is that of the vehicle in scenario {scenario.name!r}: choose a slower '
            f'one, such as vehicle_file:={USUAL_VEHICLE}'
        ) from None
    return NodeSpec(BRIDGES[kind], name, {**limits, **own})


def without_bridges(plan: Sequence[NodeSpec]) -> list[NodeSpec]:
    """Return the members of a plan alone, for vehicles whose bridges run already.

    Raises:
        ScenarioError: There is none to leave out: another vehicle would be started beside one
            that flies.
    """
    members = [spec for spec in plan if spec.executable not in BRIDGES.values()]
    if len(members) == len(plan):
        raise ScenarioError(
            'bridge:=false leaves out the bridge to an autopilot, but there is none: give the '
            'same arguments as to the launch whose bridge runs'
        )
    return members


def guidance_values(limits: CommandLimits) -> dict[str, float]:
    """Return the limits of a bridge that are those of an agent."""
    speed_z = limits.max_speed_z
    return {
        'max_speed_xy': limits.max_speed_xy,
        'max_speed_up': speed_z,
        'max_speed_down': speed_z,
        'max_acc_xy': limits.max_acc_xy,
        'max_acc_z': limits.max_acc_z,
        'takeoff_speed': min(GuidanceParameters().takeoff_speed, speed_z),
    }
