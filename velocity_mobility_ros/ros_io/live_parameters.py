"""Parameters that change while a node runs: checked and applied together, logged in one line.

Nothing is applied before ROS and all callbacks have accepted all changes of a request. A node
with one thread applies them between two callbacks, so a control tick uses the old values or the
new ones.

The services that set parameters are safe against invalid requests: in rclpy a value of an unknown
type raises an exception that ends the node; here the request is refused in one line.
"""

import dataclasses
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypeVar

from rcl_interfaces.msg import Parameter as ParameterMessage, SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.publisher import Publisher
from rclpy.service import Service
from rclpy.subscription import Subscription
from rclpy.time_source import TimeSource
from rclpy.timer import Timer
from rosgraph_msgs.msg import Clock

from velocity_mobility_ros.core.parameter_declaration import (
    declarations, is_missing, without_effect
)
from velocity_mobility_ros.core.user_errors import ParameterError, StartupError, shown
from velocity_mobility_ros.ros_io.node_time import NodeTime
from velocity_mobility_ros.ros_io.process.name_claim import NameClaim
from velocity_mobility_ros.ros_io.process.node_names import claim_name, claim_role
from velocity_mobility_ros.ros_io.ros_parameters import unknown_parameter

TYPES = frozenset(member.value for member in Parameter.Type)
"""Numbers of the value types of ROS."""


def refused(reason: str) -> SetParametersResult:
    """Return the answer to a request that is refused."""
    return SetParametersResult(successful=False, reason=reason)


def answer_for(node: Node, kind: type, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return the callback of a service; for one that sets parameters, a safe one.

    Args:
        node: The node.
        kind: Type of the service.
        answer: The callback of rclpy.
    """
    if kind is SetParameters:
        return lambda request, response: _answer_each(node, request, response)
    if kind is SetParametersAtomically:
        return lambda request, response: _answer_all(node, request, response)
    return answer


def _answer_each(
    node: Node, request: SetParameters.Request, response: SetParameters.Response
) -> SetParameters.Response:
    response.results = [_set(node, [parameter]) for parameter in request.parameters]
    return response


def _answer_all(
    node: Node,
    request: SetParametersAtomically.Request,
    response: SetParametersAtomically.Response,
) -> SetParametersAtomically.Response:
    response.result = _set(node, request.parameters)
    return response


def _set(node: Node, messages: Sequence[ParameterMessage]) -> SetParametersResult:
    for message in messages:
        if message.value.type not in TYPES:
            return refused(
                f'{shown(message.name)} has a value of type {message.value.type}, must be one of '
                f'rcl_interfaces/ParameterType, {min(TYPES)} to {max(TYPES)}'
            )
    return node.set_parameters_atomically(
        [Parameter.from_parameter_msg(message) for message in messages]
    )


Record = TypeVar('Record')


class TunableNode(Node):
    """A node whose parameter records can change while it runs.

    A change of a read-only parameter is refused with the reason. Setting it to its present value
    is accepted, so that ``ros2 param load`` works with a file of all parameters.

    Attributes:
        node_time: Its time.
        set_values: Names of the parameters that the program sets, not a user.
    """

    def __init__(self, name: str, **options: object) -> None:
        """Create the node.

        Args:
            name: Node name.
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            StartupError: Another process on this computer has a node of this full name.
        """
        self.set_values = {given.name for given in options.get('parameter_overrides') or ()}
        self._live: list[_LiveRecord] = []
        self._accepted: list[tuple[_LiveRecord, Any]] = []
        self._topics: dict[str, tuple[type, str]] = {}
        self._doubted: set[str] = set()
        self._claims: list[NameClaim] = []
        super().__init__(name, **options)
        self._claims.append(claim_name(self))
        self.node_time = NodeTime(self)
        self.add_on_set_parameters_callback(self._check_changes)
        self._has_post_set = hasattr(self, 'add_post_set_parameters_callback')
        if self._has_post_set:
            self.add_post_set_parameters_callback(lambda _: self._apply_changes())

    def claim_role(self, role: str, who: str) -> None:
        """Claim a role that only one node on this computer may have: see ``claim_role``."""
        self._claims.append(claim_role(self, role, who))

    def destroy_node(self) -> None:
        """Destroy the node, and release its name and role."""
        super().destroy_node()
        for claim in self._claims:
            claim.close()

    def follow(
        self,
        record: Record,
        apply: Callable[[Record], None],
        check: Callable[[Record, Record], None] = lambda before, after: None,
    ) -> None:
        """Check and apply run-time changes of a declared record.

        Args:
            record: The present values.
            apply: Called with the new record after every accepted change.
            check: Called with the present and the new record before; raises a ``ParameterError``
                if the new one does not suit what the node is doing.
        """
        self._live.append(_LiveRecord(record, apply, check))

    def doubts(self) -> list[str]:
        """Return a line for each value that is valid but doubtful as things are.

        The text before the first colon is its subject. Subclasses with such values override it.
        """
        return []

    def look_at_doubts(self) -> list[str]:
        """Return the present doubts; those with a new subject are logged."""
        doubts = [(line.partition(':')[0], line) for line in self.doubts()]
        for subject, line in doubts:
            if subject not in self._doubted:
                self.get_logger().warning(line)
        self._doubted = {subject for subject, _ in doubts}
        return [line for _, line in doubts]

    def create_service(
        self, srv_type: type, srv_name: str, callback: Callable[..., Any], **options: Any
    ) -> Service:
        """Create a service; rclpy creates its parameter services by this method, too."""
        answer = answer_for(self, srv_type, callback)
        return super().create_service(srv_type, srv_name, answer, **options)

    def create_subscription(
        self, msg_type: type, topic: str, callback: Callable[..., Any], *args: Any, **options: Any
    ) -> Subscription:
        """Create a subscription; rclpy subscribes to ``/clock`` by this method, too."""
        if isinstance(getattr(callback, '__self__', None), TimeSource):
            callback = partial(self._take_clock, callback)
        self._claim_topic(msg_type, topic)
        return super().create_subscription(msg_type, topic, callback, *args, **options)

    def create_publisher(
        self, msg_type: type, topic: str, *args: Any, **options: Any
    ) -> Publisher:
        """Create a publisher."""
        self._claim_topic(msg_type, topic)
        return super().create_publisher(msg_type, topic, *args, **options)

    def _claim_topic(self, kind: type, topic: str) -> None:
        """Refuse a topic that has another type in this node; ROS would not say which they are."""
        name = self.resolve_topic_name(topic)
        other, first = self._topics.get(name, (kind, topic))
        if other is not kind and self._has(name, other):
            types = [f'{cls.__module__.partition(".")[0]}/{cls.__name__}' for cls in (other, kind)]
            raise StartupError(
                f'{first} and {topic} would both be {name}, with types {" and ".join(types)}: '
                'give another name by -r'
            )
        self._topics[name] = kind, topic

    def _has(self, name: str, kind: type) -> bool:
        """Return whether there is a topic of a type now."""
        ends = (*self.publishers, *super().subscriptions)
        return any(end.topic_name == name and end.msg_type is kind for end in ends)

    def _take_clock(self, take: Callable[[Clock], None], message: Clock) -> None:
        self.node_time.take_clock(take, message)

    def create_timer(
        self, period: float, callback: Callable[[], None], *args: Any, **options: Any
    ) -> Timer:
        """Create a timer; without a clock of its own it has one that nobody sets."""
        options['clock'] = options.get('clock') or self.node_time.timer_clock()
        return super().create_timer(period, callback, *args, **options)

    def set_parameters_atomically(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Set all or none, as in ROS; a refusal, and values to be warned of, have a reason."""
        if reason := next(filter(None, map(self._refusal, parameter_list)), ''):
            return refused(reason)
        writable = [
            parameter for parameter in parameter_list if not self._is_read_only(parameter.name)
        ]
        if parameter_list and not writable:
            return SetParametersResult(successful=True)
        try:
            self._changed(writable)  # before the less precise check of ROS
        except ParameterError as error:
            return refused(str(error))
        doubts_before = self.doubts()
        result = super().set_parameters_atomically(writable)
        if result.successful:
            doubts = [line for line in self.doubts() if line not in doubts_before]
            idle = self._without_effect([parameter.name for parameter in writable])
            result.reason = '; '.join([*idle, *doubts])
        return result

    def _refusal(self, parameter: Parameter) -> str:
        """Return why a parameter cannot be set, apart from its range; empty if it can."""
        name = parameter.name
        if not self.has_parameter(name):
            return unknown_parameter(self, name)
        bound = self.describe_parameter(name).additional_constraints
        if self._is_read_only(name) and not _same(parameter.value, self.get_parameter(name).value):
            constraint = f' ({bound})' if bound else ''
            return f'{name} is read-only{constraint}; restart the node to change it'
        if parameter.type_ == Parameter.Type.NOT_SET:
            return f'{name} cannot be deleted; set it to {self._alternative(name, bound)}'
        return ''

    def _alternative(self, name: str, bound: str) -> str:
        """Return the value to set a parameter to instead of deleting it."""
        optional = any(live.is_optional(name) for live in self._live)
        return 'none for no value' if optional else f'a value {bound}'.rstrip()

    def _is_read_only(self, name: str) -> bool:
        return self.has_parameter(name) and self.describe_parameter(name).read_only

    def _check_changes(self, parameters: list[Parameter]) -> SetParametersResult:
        """Accept or refuse all changes; during the start of the node there are no records yet."""
        self._accepted = []
        try:
            self._accepted = self._changed(parameters)
        except ParameterError as error:
            return refused(str(error))
        if not self._has_post_set:  # in Humble this callback is the last one
            self._apply_changes()
        return SetParametersResult(successful=True)

    def _changed(self, parameters: Sequence[Parameter]) -> list[tuple['_LiveRecord', Any]]:
        """Return the records that change, with their new values.

        Raises:
            ParameterError: A value is refused.
        """
        return [
            (live, changed)
            for live in self._live
            if (changed := live.changed(parameters)) != live.record
        ]

    def _apply_changes(self) -> None:
        accepted, self._accepted = self._accepted, []
        changes = {
            name: line
            for live, record in accepted
            for name, line in differences(live.record, record).items()
        }
        for live, record in accepted:
            live.record = record
            live.apply(record)
        if changes:
            self.get_logger().info(f'parameters changed: {"; ".join(changes.values())}')
            for line in self._without_effect(changes):
                self.get_logger().warning(line)
            self.look_at_doubts()

    def _without_effect(self, names: Collection[str]) -> list[str]:
        """Return a line for each of some parameters that has no effect as the others are."""
        warnings = without_effect([live.record for live in self._live])
        return [line for name, line in warnings.items() if name in names]


class _LiveRecord:
    """A record with its present values, and the callbacks for changes."""

    def __init__(
        self, record: Any, apply: Callable[[Any], None], check: Callable[[Any, Any], None]
    ) -> None:
        self.record = record
        self.apply = apply
        self._check = check
        self._known = declarations(type(record))

    def is_optional(self, name: str) -> bool:
        """Return whether a parameter belongs to the record and may have no value."""
        return name in self._known and self._known[name].optional

    def changed(self, parameters: Sequence[Parameter]) -> Any:
        """Return the record after changes.

        Raises:
            ParameterError: A value is refused.
        """
        values = {
            parameter.name: parameter.value
            for parameter in parameters
            if parameter.name in self._known
        }
        changed = dataclasses.replace(self.record, **values)
        if changed != self.record:
            self._check(self.record, changed)
        return changed


def differences(before: Any, after: Any) -> dict[str, str]:
    """Return a text for every value that differs by its name, such as ``k_s 1.5 -> 2.0 1/s``."""
    texts = {}
    for name, declaration in declarations(type(before)).items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            texts[name] = change_text(name, old, new, declaration.unit)
    return texts


def change_text(name: str, old: Any, new: Any, unit: str) -> str:
    """Return a change of one value, such as ``k_s 1.5 -> 2.0 1/s``."""
    return f'{name} {_shown(old)} -> {_shown(new)} {unit}'.rstrip()


def _shown(value: Any) -> str:
    return 'none' if value is None else repr(value) if isinstance(value, str) else str(value)


def _same(first: Any, second: Any) -> bool:
    """Return whether two values are equal; a missing number has several spellings."""
    return first == second or (is_missing(first) and is_missing(second))
