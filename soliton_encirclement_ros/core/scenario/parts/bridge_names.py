"""Namespaces of autopilots, as the parameters of their bridges."""

import re
from typing import Any

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import AUTO
from soliton_encirclement_ros.core.scenario.parts.vehicle_kinds import (
    ARDUPILOT,
    BRIDGES,
    MAVROS,
    PX4,
)

LARGEST_INSTANCE = 253
"""Of PX4: its MAVLink system id is one more."""

PARAMETERS = {PX4: 'px4_namespace', ARDUPILOT: 'ap_prefix', MAVROS: 'mavros_namespace'}
"""Parameter of the bridge by kind."""

NO_NAMESPACE = 'none'

NAMESPACE = re.compile(r'/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*', re.ASCII)


def namespace_parameter(kind: str, text: str) -> dict[str, Any]:
    """Return the parameter of a bridge for the namespace of its autopilot; none if it is auto.

    Args:
        kind: Kind of the vehicle.
        text: ``auto``, ``none``, or a namespace.

    Raises:
        ScenarioError: The text is no namespace, or there is no bridge.
    """
    if text in ('', AUTO):
        return {}
    if kind not in BRIDGES:
        raise ScenarioError(
            f'autopilot_namespace = {text!r}: a vehicle of kind {kind} has no autopilot'
        )
    if kind == PX4 and text == NO_NAMESPACE:
        return {PARAMETERS[kind]: ''}
    if text == NO_NAMESPACE:
        raise ScenarioError(
            f'autopilot_namespace = {text!r}: the topics of {kind} always have one'
        )
    if not NAMESPACE.fullmatch(text):
        raise ScenarioError(
            f'autopilot_namespace = {text!r} must be {AUTO}, {NO_NAMESPACE} or a namespace such '
            'as px4_3'
        )
    return {PARAMETERS[kind]: f'/{text.strip("/")}' if kind == ARDUPILOT else text}


def instance_parameter(kind: str, agent_id: int, first: int) -> dict[str, Any]:
    """Return the parameter of the bridge to one of several autopilots, by number of the agent.

    PX4 gives its topics the namespace ``px4_<instance>``, and none in instance 0. ArduPilot gives
    them ``/ap/v<system id>`` with DDS_USE_NS. MAVROS stands in the namespace of the vehicle, as
    its bridge expects by itself.

    Args:
        kind: Kind of the vehicle.
        agent_id: Number k of the agent.
        first: Instance of the PX4 of agent 1; the others follow.
    """
    instance = first + agent_id - 1
    if kind == PX4:
        return {PARAMETERS[kind]: f'px4_{instance}' if instance else ''}
    return {PARAMETERS[kind]: f'/ap/v{agent_id}'} if kind == ARDUPILOT else {}


def first_instance(text: str, agents: int) -> int:
    """Return the instance of agent 1.

    Raises:
        ScenarioError: It is no number, or there are not so many instances.
    """
    most = LARGEST_INSTANCE - agents + 1
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= most):
        raise ScenarioError(
            f'first_instance = {text!r} must be a number from 0 to {most}, for {agents} vehicles'
        )
    return int(text)
