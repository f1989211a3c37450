"""Parameters that change while a node runs: checked whole, applied together, logged in one line.

ROS asks first and sets afterwards, one parameter or several at once. Here nothing is applied
before all have been accepted, by this node and by whoever else it asks. A node with one thread
then applies them between two of its callbacks, so a control tick sees the old values or the new.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import declarations, is_missing

Record = TypeVar('Record')


class TunableNode(Node):
    """A node whose parameter records can be followed.

    A parameter that is read-only is refused with the reason, unless it keeps its value: so a file
    with all parameters of a node can be loaded into the running node.
    """

    def __init__(self, name: str, **options: object) -> None:
        """Create the node.

        Args:
            name: Node name.
            **options: Passed on to ``rclpy.node.Node``.
        """
        self._followed: list[_Followed] = []
        self._accepted: list[tuple[_Followed, Any]] = []
        super().__init__(name, **options)
        self.add_on_set_parameters_callback(self._check_changes)
        self._has_post_set = hasattr(self, 'add_post_set_parameters_callback')
        if self._has_post_set:
            self.add_post_set_parameters_callback(lambda _: self._apply_changes())

    def follow(self, record: Record, apply: Callable[[Record], None]) -> None:
        """Check and apply run-time changes of a declared record.

        Args:
            record: The values in force.
            apply: Called with the new record after every accepted change.
        """
        self._followed.append(_Followed(record, apply))

    def set_parameters_atomically(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Set all or none, as ROS does; a read-only one is refused with the reason."""
        fixed = [one for one in parameter_list if self._is_read_only(one.name)]
        for one in fixed:
            if not _same(one.value, self.get_parameter(one.name).value):
                why = self.describe_parameter(one.name).additional_constraints
                bound = f' ({why})' if why else ''
                reason = f'{one.name} is read-only{bound}; restart the node to change it'
                return SetParametersResult(successful=False, reason=reason)
        rest = [one for one in parameter_list if one not in fixed]
        if fixed and not rest:
            return SetParametersResult(successful=True)
        return super().set_parameters_atomically(rest)

    def _is_read_only(self, name: str) -> bool:
        return self.has_parameter(name) and self.describe_parameter(name).read_only

    def _check_changes(self, parameters: list[Parameter]) -> SetParametersResult:
        """Accept or refuse changes as a whole; before the set-up is done nothing is followed."""
        self._accepted = []
        try:
            self._accepted = [
                (one, changed)
                for one in self._followed
                if (changed := one.changed(parameters)) != one.record
            ]
        except ParameterError as error:
            return SetParametersResult(successful=False, reason=str(error))
        if not self._has_post_set:  # Humble asks nobody after us
            self._apply_changes()
        return SetParametersResult(successful=True)

    def _apply_changes(self) -> None:
        accepted, self._accepted = self._accepted, []
        changes = [line for one, record in accepted for line in differences(one.record, record)]
        for one, record in accepted:
            one.record = record
            one.apply(record)
        if changes:
            self.get_logger().info(f'parameters changed: {"; ".join(changes)}')


class _Followed:
    """A record in force and who is told of changes."""

    def __init__(self, record: Any, apply: Callable[[Any], None]) -> None:
        self.record = record
        self.apply = apply
        self._known = declarations(type(record))

    def changed(self, parameters: Sequence[Parameter]) -> Any:
        """Return the record after changes.

        Raises:
            ParameterError: A value is refused.
        """
        values = {one.name: one.value for one in parameters if one.name in self._known}
        return dataclasses.replace(self.record, **values)


def differences(before: Any, after: Any) -> list[str]:
    """Return a text for every value that differs, such as ``k_s 1.5 -> 2.0 1/s``."""
    found = []
    for name, declaration in declarations(type(before)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            found.append(f'{name} {_shown(old)} -> {_shown(new)} {declaration.unit}'.rstrip())
    return found


def _shown(value: Any) -> str:
    return 'none' if value is None else repr(value) if isinstance(value, str) else str(value)


def _same(one: Any, other: Any) -> bool:
    """Say whether two values are equal; a missing number has several spellings."""
    return one == other or (is_missing(one) and is_missing(other))
