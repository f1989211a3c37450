"""For tests that speak ROS: a domain of their own, ears, a voice, and waiting for a condition."""

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
os.environ.setdefault('ROS_LOG_DIR', tempfile.mkdtemp(prefix='swarm-test-log-'))

import pytest
import rclpy
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions

from support.ros_domain import domain_of_its_own
from velocity_mobility_ros.ros_io.endpoints import COMMAND
from velocity_mobility_ros.ros_io.process.node_process import make_executor

PATIENCE = 60.0
"""Wall time [s] that a test waits for something to happen before it fails."""

class Heard(list[Any]):
    """Messages of one topic in order of arrival."""

    @property
    def last(self) -> Any:
        """The newest."""
        return self[-1]


class Ros:
    """One ROS context with nodes under test and a node of the tester."""

    def __init__(self, domain: int) -> None:
        """Bring ROS up."""
        self.domain = domain
        rclpy.init(args=[], domain_id=domain, signal_handler_options=SignalHandlerOptions.NO)
        self.executor = make_executor()
        self.nodes: list[Node] = []
        self.refused = False
        self.tester = self.add(Node('tester'))

    def add(self, node: Node) -> Any:
        """Spin a node from now on."""
        self.nodes.append(node)
        self.executor.add_node(node)
        return node

    def make(self, kind: type[Node], namespace: str | None = None, **parameters: Any) -> Any:
        """Create a node of a kind with parameters, and spin it from now on."""
        overrides = [Parameter(name, value=value) for name, value in parameters.items()]
        try:
            node = kind(namespace=namespace, parameter_overrides=overrides)
        except Exception:
            self.refused = True
            raise
        return self.add(node)

    def remove(self, node: Node) -> None:
        """Take a node down; what the executor has in hand of it is done before."""
        self.executor.remove_node(node)
        self.meanwhile(0.02)
        self._destroy(node)

    def _destroy(self, node: Node) -> None:
        self.nodes.remove(node)
        if hasattr(node, 'close'):  # as at the end of its process; it may hold files
            node.close()
        node.destroy_node()

    def listen(self, kind: type, topic: str, qos: QoSProfile) -> Heard:
        """Collect everything on a topic."""
        heard = Heard()
        self.tester.create_subscription(kind, topic, heard.append, qos)
        return heard

    def voice(self, kind: type, topic: str, qos: QoSProfile = COMMAND, readers: int = 1) -> Any:
        """Return a publisher that has found its readers."""
        publisher = self.tester.create_publisher(kind, topic, qos)
        self.until(lambda: publisher.get_subscription_count() >= readers, f'readers of {topic}')
        return publisher

    def spin(self, timeout: float = 0.02) -> None:
        """Spin a little."""
        self.executor.spin_once(timeout_sec=timeout)

    def until(self, condition: Callable[[], Any], what: str, timeout: float = PATIENCE) -> Any:
        """Spin until a condition holds; return its value, or fail."""
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            if time.monotonic() > deadline:
                pytest.fail(f'waited {timeout:g} s in vain for {what}')
            self.spin()
        return value

    def meanwhile(self, duration: float, each: Callable[[], None] = lambda: None) -> None:
        """Spin for a while, for what must not happen in it."""
        deadline = time.monotonic() + duration
        while time.monotonic() < deadline:
            self.spin(0.005)
            each()

    def call(self, kind: type, service: str, request: Any) -> Any:
        """Call a service of a node that spins here, and return its answer."""
        client = self.tester.create_client(kind, service)
        self.until(client.service_is_ready, f'service {service}')
        future = client.call_async(request)
        self.until(future.done, f'the answer of {service}')
        self.tester.destroy_client(client)
        return future.result()

    def now_ns(self) -> int:
        """Return the time [ns]."""
        return self.tester.get_clock().now().nanoseconds

    def close(self) -> None:
        """Take everything down."""
        for node in list(self.nodes):
            self.executor.remove_node(node)
            self._destroy(node)
        self.executor.shutdown(0)
        rclpy.try_shutdown()
        if self.refused:
            gc.collect()  # a node that raised is left in a cycle, and the next test would hear it


def answers(
    ros: Ros, node: str, atomically: bool = False, **values: Any
) -> list[SetParametersResult]:
    """Set parameters as below; return the answers as they are."""
    given = [Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]
    kind = SetParametersAtomically if atomically else SetParameters
    service = f'{node}/set_parameters{"_atomically" * atomically}'
    answer = ros.call(kind, service, kind.Request(parameters=given))
    return [answer.result] if atomically else answer.results


def set_parameters(ros: Ros, node: str, atomically: bool = False, **values: Any) -> list[str]:
    """Set parameters of a node over its service; return the reasons of refusal, empty if taken.

    Args:
        ros: Where the node spins.
        node: Its full name.
        atomically: All or none, by the service for that.
        **values: The values.
    """
    results = answers(ros, node, atomically, **values)
    assert all(result.successful or result.reason for result in results)
    return ['' if result.successful else result.reason for result in results]


@pytest.fixture(scope='module')
def domain() -> Iterator[int]:
    """Return the ROS domain of the tests of one file.

    What those of another file have left, such as a participant of a process that was killed, which
    stays listed for 20 s, is not heard in it.
    """
    with domain_of_its_own() as number:
        yield number


@pytest.fixture
def ros(domain: int) -> Iterator[Ros]:
    """Return a fresh ROS context."""
    up = Ros(domain)
    yield up
    up.close()
