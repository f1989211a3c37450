"""The namespace of a launch: its argument, within the namespace of an enclosing launch."""

from collections.abc import Sequence

from launch.action import Action
from launch.actions import GroupAction
from launch_ros.actions import PushRosNamespace

from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet
from soliton_encirclement_ros.launching.arguments import ENCLOSING_NAMESPACE, Given


def in_namespace(text: str, actions: Sequence[Action]) -> list[Action]:
    """Return actions whose nodes are in a namespace, relative to that of the launch.

    Raises:
        ParameterError: The namespace is invalid.
    """
    namespace = named_fleet(text, 'namespace').namespace.strip('/')
    return [GroupAction([PushRosNamespace(namespace), *actions])] if namespace else [*actions]


def launched_fleet(given: Given) -> Fleet:
    """Return the fleet with its full namespace, that of an enclosing launch included.

    Raises:
        ParameterError: The namespace is invalid.
    """
    own = named_fleet(given['namespace'], 'namespace').namespace
    return named_fleet(enclosing_fleet(given).namespace + own, 'namespace')


def enclosing_fleet(given: Given) -> Fleet:
    """Return the fleet of an enclosing launch, in which the namespace of a launch lies."""
    return named_fleet(given[ENCLOSING_NAMESPACE].rstrip('/'), 'namespace')
