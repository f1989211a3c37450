"""The operator behind the pages: gives their orders, and sends the results to all pages.

Urgent orders go through a node that stays connected, like that of ``swarm fly console``; an order
that passes a gate is the command itself, run as a process of its own. A simulation is
paused, stepped or flown at another pace, and its target sent somewhere.
Threading: one thread owns the node; pages hand over orders and take lines by queues.
"""

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from geometry_msgs.msg import PoseStamped
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from std_srvs.srv import SetBool, Trigger

from soliton_encirclement_ros.cli.fly.fly_console import SAFE_ORDERS, OrderDesk
from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.live.live_server import VERBS, PageOrder
from soliton_encirclement_ros.cli.operator.addressees import WHOLE_SWARM, Addressees
from soliton_encirclement_ros.cli.runs.run_start import Restart
from soliton_encirclement_ros.core.states.swarm_topics import (
    GOAL_POSE, PAUSE, RESUME, STEP, TARGET, WORLD, Fleet
)
from velocity_mobility_ros.ros_io.polling import PolledClient
from velocity_mobility_ros.ros_io.vehicle_topics import MAP_FRAME

FACTOR = 'real_time_factor'

FAIL = '/fail'


class SimulationControl:
    """Controls the world and the target of a simulated fleet."""

    def __init__(
        self, node: FlyNode, fleet: Fleet, say: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:  # fmt: skip
        """Open the clients; nobody is asked anything.

        Args:
            node: The node of the operator.
            fleet: The fleet.
            say: Takes a line about what was done.
            complain: Takes a line about what was not.
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
            value = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=values[0])
            fields = {'parameters': [Parameter(name=FACTOR, value=value)]}
            self._ask(self._pace, fields, self._tell_pace)
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
        members = [service.removesuffix(FAIL) for service in services if service.endswith(FAIL)]
        available = {
            'pause': self._pause.is_ready, 'target': self._resume.is_ready,
            'fail': any(member.rpartition('/')[0] == self._fleet.namespace for member in members),
        }  # fmt: skip
        return [name for name, is_there in available.items() if is_there]

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
        for result in answer.results:
            if result.successful:
                self._say('the pace is changed')
            else:
                self._complain(result.reason)


VERB = 'swarm view'

MOST_WAITING = 100
"""Orders that wait; more are refused."""

MOST_COMMANDS = 8
"""Commands that run at the same time; more are refused."""

ENDING = 5.0
"""Time for commands to end in order when the page does [s]."""

DIRECT = dict(zip(('hold', 'land', 'rtl'), SAFE_ORDERS, strict=True))

LOOK_PERIOD = 0.5
"""Time between two looks at what can be ordered [s]."""


Running = tuple[PageOrder, 'subprocess.Popen[str]']
"""A command that runs: its order and its process."""


class PageOperator:
    """One operator, whichever page he uses.

    Attributes:
        can: What can be ordered now besides stop and release: ``fly``, ``cancel``,
            ``restart``, ``fail``, ``pause``, ``target``.
    """

    def __init__(
        self, node: FlyNode, fleet: Fleet, meant: Addressees = WHOLE_SWARM,
        said: Sequence[str] = (), restarts: int | None = None,
    ) -> None:  # fmt: skip
        """Begin; nobody is ordered anything.

        Args:
            node: The node of the operator.
            fleet: The fleet.
            meant: All vehicles of the fleet.
            said: The same as options of a command, such as ``--agents 3``.
            restarts: Descriptor of the pipe to the run of the page; None: it is of no run.
        """
        self._restarts = restarts
        self._node, self._meant = node, meant
        self._options = ['--namespace', fleet.namespace] if fleet.namespace else []
        self._said = [*said]
        self._desk = OrderDesk(node, VERB, self.say, self.complain)
        self._simulation = SimulationControl(node, fleet, self.say, self.complain)
        self._orders: queue.Queue[tuple[PageOrder, str]] = queue.Queue()
        self._lines: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._running: list[Running] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._work, name='operator')
        self._looked_at = 0.0
        self.can: tuple[str, ...] = ()

    def start(self) -> None:
        """Begin to obey."""
        self._thread.start()

    def close(self) -> None:
        """End; commands that run are ended as by ctrl-C."""
        self._is_over.set()
        self._thread.join()

    def ask(self, order: PageOrder, by: str) -> None:
        """Take an order, from any thread.

        Args:
            order: The order.
            by: Which page gives it.
        """
        if self._orders.qsize() >= MOST_WAITING:
            self.complain(f'{order.text} refused: {MOST_WAITING} orders wait')
        else:
            self._orders.put((order, by))

    def lines(self) -> Iterator[dict[str, Any]]:
        """Iterate over the lines since the last call."""
        while not self._lines.empty():
            yield self._lines.get()

    def say(self, text: str, bad: bool = False) -> None:
        """Tell all pages a line."""
        self._lines.put({'at': time.strftime('%H:%M:%S'), 'text': text, 'bad': bad})

    def complain(self, text: str) -> None:
        """Tell all pages what was not done."""
        self.say(text, bad=True)

    def _work(self) -> None:
        while not self._is_over.is_set():
            while not self._orders.empty():
                self._obey(*self._orders.get())
            self._desk.look()
            self._simulation.look()
            if time.monotonic() - self._looked_at >= LOOK_PERIOD:
                self._looked_at = time.monotonic()
                self._look_at_abilities()
        self._end_commands()

    def _obey(self, order: PageOrder, by: str) -> None:
        self.say(f'{by}: {order.text}')
        meant = self._meant._replace(named=order.members) if order.members else self._meant
        verb = order.verb
        if verb in DIRECT:
            self._desk.order(DIRECT[verb], meant)
        elif verb == 'stop':
            self._desk.stop(meant)
        elif verb == 'cancel':
            self._cancel()
        elif verb == 'restart' and self._restarts is None:
            self.complain('only the page of swarm run --operate restarts its run')
        elif verb == 'restart':
            Restart(*map(int, order.values)).write(self._restarts)
        elif VERBS[verb].command:
            self._command(order)
        else:
            self._simulation.obey(order)

    def _command(self, order: PageOrder) -> None:
        """Run the command of an order, unless another one is in its way."""
        known = VERBS[order.verb]
        flights = self._flights()
        if known.is_flight and flights:
            other = flights[0][0].verb
            self.complain(f'{order.verb} refused: {other} is under way; wait, or cancel it')
            return
        if len(self._running) >= MOST_COMMANDS:
            self.complain(f'{order.verb} refused: {MOST_COMMANDS} commands run already')
            return
        said = self._said if known.takes_fleet and not order.members else []
        process = subprocess.Popen(
            [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', *known.command,
             *said, *self._options, *order.members],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors='replace', bufsize=1,
        )  # fmt: skip
        self._running.append((order, process))
        threading.Thread(target=self._follow, args=(order.verb, process), daemon=True).start()

    def _follow(self, verb: str, process: 'subprocess.Popen[str]') -> None:
        """Forward the output of a command to the pages, and how it ends."""
        for line in process.stdout or ():
            text = line.rstrip()
            self.say(text.removeprefix('error: '), bad=text.startswith('error: '))
        code = process.wait()
        self.say(f'{verb}: {"not done" if code else "done"}', bad=bool(code))

    def _alive(self) -> list[Running]:
        self._running = [running for running in self._running if running[1].poll() is None]
        return self._running

    def _flights(self) -> list[Running]:
        return [running for running in self._alive() if VERBS[running[0].verb].is_flight]

    def _cancel(self) -> None:
        """End the flights that are under way as by ctrl-C."""
        flights = self._flights()
        for _, process in flights:
            process.send_signal(signal.SIGINT)
        if not flights:
            self.complain('nothing is under way that could be cancelled')

    def _end_commands(self) -> None:
        for _, process in self._alive():
            process.send_signal(signal.SIGINT)
        for _, process in self._running:
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _look_at_abilities(self) -> None:
        flies = any(vehicle.report is not None for vehicle in self._node.snapshots().values())
        can_restart = self._restarts is not None
        abilities = {'fly': flies, 'cancel': bool(self._flights()), 'restart': can_restart}
        known = [name for name, is_available in abilities.items() if is_available]
        self.can = (*known, *self._simulation.abilities())
