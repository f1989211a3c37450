"""Orders to a simulation: pause, step, another pace, and where the target goes."""

from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseStamped
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from std_srvs.srv import SetBool, Trigger
from velocity_mobility_ros.ros_io.polled_client import PolledClient
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.live.page_order import PageOrder
from soliton_encirclement_ros.core.states.swarm_topics import (
    GOAL_POSE,
    PAUSE,
    RESUME,
    STEP,
    TARGET,
    WORLD,
    Fleet,
)

FACTOR = 'real_time_factor'

FAIL = '/fail'


class SimulationControl:
    """Speaks to the world and the target of a fleet."""

    def __init__(
        self, node: FlyNode, fleet: Fleet, say: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:  # fmt: skip
        """Open the clients; nobody is asked anything.

        Args:
            node: The node of the operator.
            fleet: The fleet.
            say: Takes what was done.
            complain: Takes what was not.
        """
        self._node, self._fleet, self._say, self._complain = node, fleet, say, complain
        self._pause = self._client(SetBool, WORLD, PAUSE)
        self._step = self._client(Trigger, WORLD, STEP)
        self._pace = self._client(SetParameters, WORLD, 'set_parameters')
        self._resume = self._client(Trigger, TARGET, RESUME)
        self._clients = (self._pause, self._step, self._pace, self._resume)
        topic = fleet.member_topic(TARGET, GOAL_POSE)
        self._goal = node.create_publisher(PoseStamped, topic, 1)

    def _client(self, kind: type, member: str, service: str) -> PolledClient:
        return PolledClient(self._node, kind, self._fleet.member_topic(member, service))

    def obey(self, order: PageOrder) -> None:
        """Carry out an order."""
        verb, values = order.verb, order.values
        if verb in ('pause', 'go on'):
            self._ask(self._pause, {'data': verb == 'pause'}, self._tell)
        elif verb == 'step':
            self._ask(self._step, {}, self._tell)
        elif verb == 'pace':
            self._ask(self._pace, {'parameters': [_factor(*values)]}, self._tell_pace)
        elif verb == 'send target':
            self._send(*values)
        elif verb == 'let target go':
            self._ask(self._resume, {}, self._tell)

    def look(self) -> None:
        """Take the answers that have come."""
        for client in self._clients:
            client.poll()

    def abilities(self) -> list[str]:
        """Return what can be ordered now."""
        services = [name for name, _ in self._node.get_service_names_and_types()]
        found = {
            'pause': self._pause.is_ready, 'target': self._resume.is_ready,
            'fail': any(_is_of(self._fleet.namespace, one) for one in services),
        }  # fmt: skip
        return [name for name, is_there in found.items() if is_there]

    def _send(self, x: float, y: float) -> None:
        if not self._resume.is_ready:
            self._complain('nobody is there who is the target of a simulation')
            return
        message = PoseStamped()
        message.header.frame_id = MAP_FRAME
        message.pose.position.x, message.pose.position.y = x, y
        self._goal.publish(message)
        self._say(f'target sent to {x:g}, {y:g} m')

    def _ask(
        self, client: PolledClient, fields: dict[str, Any], done: Callable[[Any], None]
    ) -> None:
        if client.is_ready:
            client.call(fields, done)
        else:
            self._complain(f'nobody serves {client.name}: only a lockstep run of swarm run does')

    def _tell(self, answer: Any) -> None:
        (self._say if answer.success else self._complain)(answer.message)

    def _tell_pace(self, answer: Any) -> None:
        for one in answer.results:
            if one.successful:
                self._say('the pace is changed')
            else:
                self._complain(one.reason)


def _factor(value: float) -> Parameter:
    kind = ParameterType.PARAMETER_DOUBLE
    return Parameter(name=FACTOR, value=ParameterValue(type=kind, double_value=value))


def _is_of(namespace: str, service: str) -> bool:
    """Return whether a service lets a member of a fleet fail."""
    member = service.removesuffix(FAIL)
    return member != service and member.rpartition('/')[0] == namespace
