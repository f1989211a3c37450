"""``swarm topics``: lists topics, prints the messages of one, or measures its rate."""

import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Optional

import typer
import yaml
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.graph.graph_session import (
    NAMESPACE,
    conclude,
    graph_session,
    nobody,
    print_rows,
)
from soliton_encirclement_ros.cli.options.option_types import NUMBER
from soliton_encirclement_ros.cli.output import print_error, say
from soliton_encirclement_ros.core.errors import RunError

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

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
    from soliton_encirclement_ros.cli.operator.unfinished import own_process, process

    found: dict[str, list[str]] = {}
    sides = node.get_publishers_info_by_topic, node.get_subscriptions_info_by_topic

    def look() -> dict[str, list[str]]:
        """Return type, publishers, subscribers of each topic, those of this command left out."""
        nonlocal found
        own = own_process(node)
        found = {}
        for name, kinds in node.get_topic_names_and_types():
            counts = [sum(process(one) != own for one in ends(name)) for ends in sides]
            if any(counts):
                found[name] = [', '.join(kinds), *map(str, counts)]
        return found

    names = node.find(look, [], 'topic')
    if not names:
        return nobody()
    print_rows(
        ('topic', 'type', 'publishers', 'subscribers'), [[name, *found[name]] for name in names]
    )
    return conclude(node)


def _listen(node: 'GraphNode', topic: str, take: Callable[[Any], None]) -> None:
    """Subscribe with what the publishers offer.

    Raises:
        RunError: Its type is not installed.
    """
    from soliton_encirclement_ros.nodes.message_types import message_class
    from soliton_encirclement_ros.nodes.raw_subscription import offered

    until = time.monotonic() + FOUND_TIME
    while not (ends := node.get_publishers_info_by_topic(topic)) and time.monotonic() < until:
        time.sleep(0.02)
    kind = (dict(node.get_topic_names_and_types()).get(topic) or [''])[0]
    message = message_class(kind)
    if message is None:
        raise RunError(f'{topic}: the type {kind} is not installed here')
    profile = offered([one.qos_profile for one in ends], keep_all=False)
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
    listed = [plain(one) for one in value[:MOST]]
    if hasattr(value, 'tolist'):
        listed = value[:MOST].tolist()
    return [*listed, f'... {len(value) - MOST} more'] if len(value) > MOST else listed
