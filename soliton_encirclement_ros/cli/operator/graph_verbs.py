"""``swarm topics``, ``swarm fail`` and ``swarm recover``, for machines without ``ros2``.

They list topics, print the messages of one or measure its rate, take agents down, and let them
return. A command is lent a node that queries others, and prints names that it has not found.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Optional

import typer
import yaml

from soliton_encirclement_ros.cli.operator.addressees import (
    NAMESPACE, NOBODY, NoMatchError, is_pattern
)
from soliton_encirclement_ros.cli.operator.ros_context import lend_node
from soliton_encirclement_ros.cli.options import NUMBER
from soliton_encirclement_ros.cli.output import FAILED, print_error, say
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import AGENT
from velocity_mobility_ros.core.environment.unix_process import Interrupt

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.operator.operator_nodes import GraphNode


@contextmanager
def graph_session(verb: str, namespace: str) -> Iterator['GraphNode']:
    """Lend a node that queries the graph.

    Args:
        verb: The command, named in errors.
        namespace: Namespace of the fleet, as the user wrote it.

    Raises:
        RunError: ROS is not installed.
        Exit: A name matches nothing that is found.
    """
    with lend_node(verb, 'operator.operator_nodes:GraphNode', namespace) as node:
        try:
            yield node
        except NoMatchError as error:
            print_error(str(error))
            raise typer.Exit(FAILED) from None


def ask_all(
    node: 'GraphNode', kind: Any, service: str, requests: Mapping[str, Mapping[str, object]]
) -> dict[str, Any]:
    """Call a service of several owners at once; print who does not answer, return the answers.

    Args:
        node: The node that asks.
        kind: Type of the service.
        service: Its name, without that of the owner.
        requests: Fields of the request by owner.
    """
    given = {f'{owner}/{service}': fields for owner, fields in requests.items()}
    answers = node.ask(kind, given)
    for name in given.keys() - answers.keys():
        print_error(f'{name} does not answer')
    return {
        owner: answers[name] for owner in requests if (name := f'{owner}/{service}') in answers
    }


def report_nobody_found() -> int:
    """Print that there are no nodes or topics at all; return the exit code."""
    print_error(NOBODY)
    return FAILED


def conclude(node: 'GraphNode', asked: Sized = (), done: Sized = ()) -> int:
    """Print who was not found, and what the graph still lacks; return the exit code.

    Args:
        node: The node, after its search.
        asked: The owners that it has found and asked.
        done: Those of them that have done it.
    """
    if node.missing_members:
        names = [member.removeprefix(f'{node.root}/') for member in node.missing_members]
        print_error(f'not found, though others have heard it: {named(names)}')
    if node.discovery_gaps:
        print_error(f'discovery has not ended: {node.discovery_gaps}')
    is_complete = not node.missing_members and not node.discovery_gaps and len(done) == len(asked)
    return 0 if is_complete else FAILED


MEASURED = 3.0
"""Time over which a rate is measured [s]."""

FOUND_TIME = 2.0
"""Longest wait [s] for the quality of service that publishers offer, once a topic is known."""

MOST = 20
"""Elements of a sequence that are printed."""


def topics(
    topic: Optional[str] = typer.Argument(
        None, metavar='[TOPIC]', help='Topic such as uav_1/odom; none: list them.'
    ),
    once: bool = typer.Option(False, '--once', help='Print one message and end.'),
    rate: bool = typer.Option(False, '--rate', help='Measure the rate instead of printing.'),
    within: float = typer.Option(
        10.0, click_type=NUMBER, help='With --once: seconds to wait for the message.'
    ),
    namespace: str = NAMESPACE,
) -> int:
    """List topics, print the messages of one until ctrl-C, or measure its rate."""
    interrupt = Interrupt()
    with graph_session('swarm topics', namespace) as node:
        if topic is None:
            return _list(node)
        name, *others = node.find(
            lambda: [name for name, _ in node.get_topic_names_and_types()], [topic], 'topic'
        )
        if others:
            raise RunError(f'{topic} is several topics: {name}, {", ".join(others)}')
        if rate:
            return _measure(node, name, interrupt)
        return _print(node, name, 1 if once else math.inf, within if once else math.inf, interrupt)


def _list(node: 'GraphNode') -> int:
    from soliton_encirclement_ros.cli.operator.operator_nodes import own_process, process

    rows: dict[str, list[str]] = {}
    sides = node.get_publishers_info_by_topic, node.get_subscriptions_info_by_topic

    def look() -> dict[str, list[str]]:
        """Return type, publishers, subscribers of each topic, those of this command left out."""
        nonlocal rows
        own = own_process(node)
        rows = {}
        for name, kinds in node.get_topic_names_and_types():
            counts = [sum(process(end) != own for end in ends(name)) for ends in sides]
            if any(counts):
                rows[name] = [', '.join(kinds), *map(str, counts)]
        return rows

    names = node.find(look, [], 'topic')
    if not names:
        return report_nobody_found()
    from soliton_encirclement_ros.cli.views.terminal_display import print_rows

    heads = 'topic', 'type', 'publishers', 'subscribers'
    print_rows(heads, [[name, *rows[name]] for name in names])
    return conclude(node)


def _listen(node: 'GraphNode', topic: str, take: Callable[[Any], None]) -> None:
    """Subscribe with what the publishers offer.

    Raises:
        RunError: Its type is not installed.
    """
    from soliton_encirclement_ros.nodes.observers.topic_discovery import message_class, offered

    until = time.monotonic() + FOUND_TIME
    while not (ends := node.get_publishers_info_by_topic(topic)) and time.monotonic() < until:
        time.sleep(0.02)
    kind = (dict(node.get_topic_names_and_types()).get(topic) or [''])[0]
    message = message_class(kind)
    if message is None:
        raise RunError(f'{topic}: the type {kind} is not installed here')
    profile = offered([end.qos_profile for end in ends], keep_all=False)
    node.create_subscription(message, topic, take, profile)


def _print(
    node: 'GraphNode', topic: str, count: float, within: float, interrupt: Interrupt
) -> int:
    import rclpy

    printed = 0

    def take(message: Any) -> None:
        nonlocal printed
        if printed < count:
            printed += 1
            say(yaml.safe_dump(plain(message), sort_keys=False, default_flow_style=None) + '---')

    _listen(node, topic, take)
    until = time.monotonic() + within
    while printed < count and not interrupt:
        rclpy.spin_once(node, timeout_sec=0.1)
        if time.monotonic() > until and printed < count:
            print_error(f'no message on {topic} within {within:g} s')
            return 1
    return 0


def _measure(node: 'GraphNode', topic: str, interrupt: Interrupt) -> int:
    import rclpy

    times: list[float] = []
    _listen(node, topic, lambda _: times.append(time.monotonic()))
    until = time.monotonic() + MEASURED
    while time.monotonic() < until and not interrupt:
        rclpy.spin_once(node, timeout_sec=0.05)
    if len(times) < 2:
        print_error(f'{len(times)} messages on {topic} in {MEASURED:g} s')
        return 1
    longest = max(b - a for a, b in pairwise(times))
    hertz = (len(times) - 1) / (times[-1] - times[0])
    say(f'{topic}: {hertz:.2f} Hz, longest gap {longest:.3f} s, {len(times)} messages')
    return 0


def plain(value: Any) -> Any:
    """Return a message as mappings, lists and numbers; long sequences are cut."""
    if hasattr(value, 'get_fields_and_field_types'):
        return {name: plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (bytes, bytearray)):
        return list(value[:MOST])
    listed = [plain(item) for item in value[:MOST]]
    if hasattr(value, 'tolist'):
        listed = value[:MOST].tolist()
    return [*listed, f'... {len(value) - MOST} more'] if len(value) > MOST else listed


MEMBERS = typer.Argument(metavar='AGENT...', help="Agents such as uav_3, or 'uav_*'.")


def fail(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Take agents down until they are asked to recover; exit with 1 if one is not."""
    return _call('fail', 'down', agents, namespace)


def recover(agents: list[str] = MEMBERS, namespace: str = NAMESPACE) -> int:
    """Let agents that are down return; exit with 1 if one is not up then."""
    return _call('recover', 'up', agents, namespace)


def _call(service: str, state: str, agents: list[str], namespace: str) -> int:
    with graph_session(f'swarm {service}', namespace) as node:
        from std_srvs.srv import Trigger

        owners = node.owners(service, agents, 'agent', (AGENT,))
        answers = ask_all(node, Trigger, service, {owner: {} for owner in owners})
        for owner, answer in answers.items():
            (say if answer.success else print_error)(f'{owner}: {answer.message}')
        done = [owner for owner, answer in answers.items() if answer.success]
        if any(map(is_pattern, agents)):
            say(f'{state}: {len(done)} of {len(owners) + len(node.missing_members)}')
        return conclude(node, owners, done)
