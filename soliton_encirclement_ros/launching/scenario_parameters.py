"""What a launch file of one vehicle takes from a scenario: parameters of a node, as a file.

``Node(..., parameters=[ScenarioParameters('agent_node', ['uav_', LaunchConfiguration('id')])])``
gives a node its values of the scenario. Later entries in the list of ``parameters`` override them.
"""

import os
import tempfile
from collections.abc import Sequence

import yaml
from launch import LaunchContext, LaunchDescription, SomeSubstitutionsType, Substitution
from launch.action import Action
from launch.actions import DeclareLaunchArgument, GroupAction, OpaqueFunction, RegisterEventHandler
from launch.conditions import IfCondition, UnlessCondition
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch_ros.actions import Node

from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.scenario.launch_arguments import BRIDGES, launched_scenario
from soliton_encirclement_ros.core.scenario.part_plan import NO_BRIDGE, part_lines, part_parameters
from soliton_encirclement_ros.core.scenario.user_files import find_file
from soliton_encirclement_ros.launching.arguments import (
    AGAIN, check_argument_names, ended, warnings
)

OF_SCENARIO = ('scenario', 'controller', 'agents', 'set', 'vehicle_file')
"""Arguments of a launch that choose the scenario, where they are declared."""

OF_VEHICLE = ('vehicle', 'autopilot_namespace')
"""Those that a bridge depends on."""


class ScenarioParameters(Substitution):
    """Path of a ROS parameter file with a node's values from the scenario of a launch."""

    def __init__(self, executable: str, member: SomeSubstitutionsType) -> None:
        """Store the node.

        Args:
            executable: The node's executable; of all bridges ``bridge``.
            member: Name of the member of the swarm, such as ``uav_3``.
        """
        super().__init__()
        self._executable = executable
        self._member = normalize_to_list_of_substitutions(member)

    def describe(self) -> str:
        """Return what ``ros2 launch --print`` shows."""
        return f'ScenarioParameters({self._executable})'

    def perform(self, context: LaunchContext) -> str:
        """Write the file and return its path.

        Raises:
            MobilityError: The scenario, or an argument, is refused.
        """
        member = perform_substitutions(context, self._member)
        given = values_of(context)
        scenario = launched_scenario(given)
        parameters = part_parameters(scenario, self._executable, member, given)
        with tempfile.NamedTemporaryFile('w', prefix=f'{member}_', suffix='.yaml', delete=False,
                                         encoding='utf-8') as file:  # fmt: skip
            yaml.safe_dump({'/**': {'ros__parameters': parameters}}, file)
        return file.name


class OptionalFile(Substitution):
    """Path of the ROS parameter file in an argument; of an empty file if the argument is empty.

    Launch would only warn of a file that is not there, and start the node without it.
    """

    def __init__(self, argument: str, kind: str = '') -> None:
        """Store the argument.

        Args:
            argument: Name of the argument.
            kind: Kind of installed files that may be given by name; empty: none.
        """
        super().__init__()
        self._argument, self._kind = argument, kind

    def describe(self) -> str:
        """Return what ``ros2 launch --print`` shows."""
        return f'OptionalFile({self._argument})'

    def perform(self, context: LaunchContext) -> str:
        """Return the path.

        Raises:
            ScenarioError: There is no such file.
        """
        text = context.launch_configurations[self._argument].strip()
        if not text:
            with tempfile.NamedTemporaryFile(prefix='none_', suffix='.yaml', delete=False) as file:
                return file.name
        if self._kind:
            return str(find_file(self._kind, text))
        if not os.path.isfile(text):
            raise ScenarioError(f'{self._argument}:={text}: there is no such file')
        return text


def values_of(context: LaunchContext) -> dict[str, str]:
    """Return the arguments of a launch that choose scenario and vehicle."""
    values = context.launch_configurations
    return {name: values.get(name, '').strip() for name in (*OF_SCENARIO, *OF_VEHICLE)}


def checked(file: str, entities: Sequence[Action]) -> LaunchDescription:
    """Return a description that refuses misspelt arguments, and warns of its scenario.

    Launch itself would start the simulated vehicle for ``vehicel:=px4``.

    Args:
        file: The launch file's own path.
        entities: Its arguments and actions.
    """
    declared = [entity for entity in entities if isinstance(entity, DeclareLaunchArgument)]
    actions = [entity for entity in entities if entity not in declared]
    names = [argument.name for argument in declared]

    def begin(context: LaunchContext) -> list[Action]:
        check_argument_names(os.path.basename(file), names, context)
        if 'scenario' not in names:
            return []
        given = values_of(context)
        if context.launch_configurations['bridge'] == 'false' and given['vehicle'] not in BRIDGES:
            raise ScenarioError(NO_BRIDGE)
        return warnings(part_lines(launched_scenario(given), given, [given['vehicle']]))

    # In a group, since launch would leave the arguments of an include to the next one.
    return LaunchDescription([GroupAction([*declared, OpaqueFunction(function=begin), *actions])])


def end_launch(event: ProcessExited, context: LaunchContext) -> list[Action]:
    """End the launch with exit code 1 when a process has ended that all others need."""
    return ended(event.process_name, event, context)


def after_exit(node: Node, has_bridge: Substitution) -> list[Action]:
    """Return what follows the end of a member's node: without a bridge the launch ends.

    A bridge holds its vehicle; to end it, too, would be no help.

    Args:
        node: The node.
        has_bridge: Whether its vehicle has a bridge, here or in another launch.
    """

    def tell(event: ProcessExited, context: LaunchContext) -> list[Action]:
        return ended(event.process_name, event, context, AGAIN)

    return [
        RegisterEventHandler(
            OnProcessExit(target_action=node, on_exit=end_launch),
            condition=UnlessCondition(has_bridge),
        ),
        RegisterEventHandler(
            OnProcessExit(target_action=node, on_exit=tell), condition=IfCondition(has_bridge)
        ),
    ]
