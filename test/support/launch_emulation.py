"""What launch files of one vehicle need of launch, for where it is not installed.

It is not on PyPI. ``install`` puts modules with a few classes in its place, as far as they are
evaluated without starting anything; where launch is there, nothing is done.
"""

import importlib.util
import sys
from types import ModuleType
from typing import Any


class Substitution:
    """A text that is known when the launch is."""

    def perform(self, context: 'LaunchContext') -> str:
        """Return the text."""
        raise NotImplementedError


class LaunchContext:
    """The values of the arguments."""

    def __init__(self, argv: Any = ()) -> None:
        self.argv, self.launch_configurations, self.is_shutdown = argv, {}, False


def normalize_to_list_of_substitutions(parts: Any) -> list[Any]:
    """Return a list of texts and substitutions."""
    return [*parts] if isinstance(parts, (list, tuple)) else [parts]


def perform_substitutions(context: LaunchContext, parts: list[Any]) -> str:
    """Return the text of some parts."""
    return ''.join(part if isinstance(part, str) else part.perform(context) for part in parts)


class LaunchConfiguration(Substitution):
    """The value of an argument."""

    def __init__(self, name: str) -> None:
        self._name = name

    def perform(self, context: LaunchContext) -> str:
        """Return it."""
        return context.launch_configurations[self._name]


class PythonExpression(Substitution):
    """The value of an expression."""

    def __init__(self, parts: Any) -> None:
        self._parts = normalize_to_list_of_substitutions(parts)

    def perform(self, context: LaunchContext) -> str:
        """Return it as a text."""
        return str(eval(perform_substitutions(context, self._parts)))


class IfCondition:
    """Whether a text is true."""

    wanted = True

    def __init__(self, parts: Any) -> None:
        self._parts = normalize_to_list_of_substitutions(parts)

    def evaluate(self, context: LaunchContext) -> bool:
        """Return it."""
        text = perform_substitutions(context, self._parts).lower()
        return (text in ('true', '1')) is self.wanted


class UnlessCondition(IfCondition):
    """The opposite."""

    wanted = False


class Action:
    """Something that a launch does."""

    def __init__(self, *given: Any, condition: IfCondition | None = None, **options: Any) -> None:
        self.given, self.condition, self.options = given, condition, options

    def execute(self, context: LaunchContext) -> list['Action'] | None:
        """Do it, and return what follows."""


class DeclareLaunchArgument(Action):
    """An argument and its usual value."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.given[0]

    def execute(self, context: LaunchContext) -> None:
        """Set the usual value if none is given."""
        if self.name not in context.launch_configurations:
            usual = normalize_to_list_of_substitutions(self.options['default_value'])
            context.launch_configurations[self.name] = perform_substitutions(context, usual)


class OpaqueFunction(Action):
    """A function that returns actions."""

    def execute(self, context: LaunchContext) -> list[Action] | None:
        """Call it."""
        return self.options['function'](context)


class GroupAction(Action):
    """Several actions."""

    def get_sub_entities(self) -> list[Action]:
        """Return them."""
        return self.given[0]


class LaunchDescription:
    """All actions of a launch file."""

    def __init__(self, entities: list[Action]) -> None:
        self.entities = entities


class ParameterValue:
    """A parameter that stays a text."""

    def __init__(self, value: Any, value_type: type) -> None:
        del value_type
        self._parts = normalize_to_list_of_substitutions(value)

    def evaluate(self, context: LaunchContext) -> str:
        """Return it."""
        return perform_substitutions(context, self._parts)


MODULES: dict[str, dict[str, Any]] = {
    'launch': {
        'LaunchContext': LaunchContext, 'LaunchDescription': LaunchDescription,
        'Substitution': Substitution, 'SomeSubstitutionsType': Any, 'Event': object,
        'EventHandler': Action,
    },
    'launch.action': {'Action': Action},
    'launch.actions': {
        'DeclareLaunchArgument': DeclareLaunchArgument, 'OpaqueFunction': OpaqueFunction,
        'GroupAction': GroupAction, 'LogInfo': Action, 'RegisterEventHandler': Action,
        'EmitEvent': Action,
    },
    'launch.conditions': {'IfCondition': IfCondition, 'UnlessCondition': UnlessCondition},
    'launch.event_handlers': {'OnProcessExit': Action},
    'launch.events': {},
    'launch.events.process': {'ProcessExited': object},
    'launch.substitutions': {
        'LaunchConfiguration': LaunchConfiguration, 'PythonExpression': PythonExpression,
    },
    'launch.utilities': {
        'normalize_to_list_of_substitutions': normalize_to_list_of_substitutions,
        'perform_substitutions': perform_substitutions,
    },
    'launch_ros': {},
    'launch_ros.actions': {'Node': Action, 'PushRosNamespace': Action},
    'launch_ros.parameter_descriptions': {'ParameterValue': ParameterValue},
}  # fmt: skip


def install(monkeypatch: Any) -> None:
    """Put the modules in place until the end of a test, unless launch is installed."""
    if importlib.util.find_spec('launch_ros') is not None:
        return
    for name, content in MODULES.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
        above, _, last = name.rpartition('.')
        if above:
            setattr(sys.modules[above], last, module)
    for name in ('arguments', 'scenario_parameters'):
        monkeypatch.delitem(sys.modules, f'soliton_encirclement_ros.launching.{name}', False)
