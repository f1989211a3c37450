"""Arguments of a launch: texts become values, undeclared ones are refused.

Namespaces of autopilots become parameters of their bridges. Kinds of vehicles are distinguished by
the node that publishes their odometry.
"""

import difflib
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from soliton_encirclement_ros.core.errors import RunError, ScenarioError
from soliton_encirclement_ros.core.scenario.overrides import (
    LAUNCH, OPTIONS, idle_settings, nested, requested_scenario, split_settings
)
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import NodeSpec
from soliton_encirclement_ros.core.scenario.user_files import find_file

AUTO = 'auto'
NEW = ':='

OF_LAUNCH = (
    'emulate_tty', 'launch-prefix', 'launch-prefix-filter', 'sigkill_timeout', 'sigterm_timeout',
)  # fmt: skip
"""Arguments of launch itself, valid for every launch file."""

def launched_scenario(given: Mapping[str, str]) -> Scenario:
    """Return the scenario from the arguments of a launch; empty arguments are ignored.

    Raises:
        ScenarioError: There is no such file, or a value is refused.
    """
    values = {key: number(given[name]) for key, name in OPTIONS.items() if given.get(name)}
    settings = split_settings(given.get('set', ''))
    return requested_scenario(
        given['scenario'], settings, given.get('vehicle_file', ''), nested(values), LAUNCH
    )


def launch_warnings(scenario: Scenario, given: Mapping[str, str]) -> list[str]:
    """Return the warnings of the scenario, and settings without effect."""
    settings = split_settings(given.get('set', ''))
    return [*scenario.warnings, *idle_settings(scenario, settings)]


def number(text: str) -> int | float | str:
    """Return a text as a number, else unchanged; the scenario then refuses it."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue  # the next kind
    return text


def refuse_undeclared(file: str, given: Sequence[str], declared: Sequence[str]) -> None:
    """Refuse arguments that a launch file does not declare: launch ignores them silently.

    Args:
        file: Name of the launch file.
        given: Arguments of the command line, such as ``agents:=3``.
        declared: Names declared by the file.

    Raises:
        RunError: An argument is unknown.
    """
    for argument in given:
        name = argument.partition(NEW)[0]
        if name in declared or name in OF_LAUNCH:
            continue
        close = difflib.get_close_matches(name, declared, n=1)
        hint = (
            f'did you mean {close[0]}{NEW}?' if close else f'arguments are {", ".join(declared)}'
        )
        raise RunError(f'{argument}: {file} has no argument {name!r}; {hint}')


SIMULATED = 'simulated'
"""A vehicle of this package."""

NONE = 'none'
"""A real vehicle that takes ``cmd_vel`` and publishes ``odom`` by itself."""

PX4, ARDUPILOT, MAVROS = 'px4', 'ardupilot', 'mavros'

BRIDGES = {
    PX4: 'px4_bridge_node',
    ARDUPILOT: 'ardupilot_bridge_node',
    MAVROS: 'mavros_bridge_node',
}
"""Executable of the bridge by kind of autopilot."""

VEHICLE_KINDS = (SIMULATED, NONE, *BRIDGES)


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
    reason = ''
    if kind not in BRIDGES:
        reason = f': a vehicle of kind {kind} has no autopilot'
    elif text == NO_NAMESPACE and kind != PX4:
        reason = f': the topics of {kind} always have one'
    elif not NAMESPACE.fullmatch(text):
        reason = f' must be {AUTO}, {NO_NAMESPACE} or a namespace such as px4_3'
    if reason:
        raise ScenarioError(f'autopilot_namespace = {text!r}{reason}')
    if text == NO_NAMESPACE:
        return {PARAMETERS[kind]: ''}
    return {PARAMETERS[kind]: f'/{text.strip("/")}' if kind == ARDUPILOT else text}


def operate_parameter(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameter of a bridge that lets operators fly; none if only its file says."""
    return {'operate': True} if given.get('operate') == 'true' else {}


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


def node_files(
    plan: Sequence[NodeSpec], params_file: str = '', bridge_file: str = ''
) -> list[list[str]]:
    """Return the parameter files of each node of a plan, in its order.

    Args:
        plan: The nodes.
        params_file: Path of the file of the first node; empty: none.
        bridge_file: Path, or name of an included one, of the file of all bridges; empty: none.

    Raises:
        ScenarioError: There is no such file.
    """
    if params_file and not os.path.isfile(params_file):
        raise ScenarioError(f'params_file:={params_file}: there is no such file')
    of_bridges = [str(find_file('bridge', bridge_file))] if bridge_file else []
    files = [of_bridges if node.executable in BRIDGES.values() else [] for node in plan]
    if params_file:
        files[0] = [params_file, *files[0]]
    return files
