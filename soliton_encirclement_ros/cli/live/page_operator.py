"""The operator behind the pages: gives their orders, and tells all pages what becomes of them.

What must leave at once goes through a node that stays connected, like that of ``swarm fly
console``; what passes a gate is the command itself, run as a process of its own.
Threading: one thread owns the node; pages hand over orders and take lines by queues.
"""

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
from soliton_encirclement_ros.cli.fly.order_desk import SAFE_ORDERS, OrderDesk
from soliton_encirclement_ros.cli.live.page_order import VERBS, PageOrder
from soliton_encirclement_ros.cli.live.run_page import Restart
from soliton_encirclement_ros.cli.live.simulation_control import SimulationControl
from soliton_encirclement_ros.cli.operator.whom import EVERYBODY, Meant
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

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


class Running(NamedTuple):
    """A command that runs."""

    order: PageOrder
    process: subprocess.Popen[str]


class PageOperator:
    """One operator, whichever page he uses.

    Attributes:
        can: What can be ordered now besides stop and release: ``fly``, ``cancel``,
            ``restart``, ``fail``, ``pause``, ``target``.
    """

    def __init__(
        self, node: FlyNode, fleet: Fleet, meant: Meant = EVERYBODY, said: Sequence[str] = (),
        restarts: int | None = None,
    ) -> None:  # fmt: skip
        """Begin; nobody is ordered anything.

        Args:
            node: The node of the operator.
            fleet: The fleet.
            meant: Who all are.
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
            self.complain(f'{order.in_words} refused: {MOST_WAITING} orders wait')
        else:
            self._orders.put((order, by))

    def lines(self) -> Iterator[dict[str, Any]]:
        """Iterate over what has been said since."""
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
            self._look_at_abilities()
        self._end_commands()

    def _obey(self, order: PageOrder, by: str) -> None:
        self.say(f'{by}: {order.in_words}')
        meant = self._meant._replace(named=order.members) if order.members else self._meant
        verb = order.verb
        if verb in DIRECT:
            self._desk.order(DIRECT[verb], meant)
        elif verb == 'stop':
            self._desk.stop(meant)
        elif verb == 'cancel':
            self._cancel()
        elif verb == 'restart':
            self._restart(*order.values)
        elif VERBS[verb].command:
            self._command(order)
        else:
            self._simulation.obey(order)

    def _restart(self, agents: float, seed: float) -> None:
        if self._restarts is None:
            self.complain('only the page of swarm run --operate restarts its run')
        else:
            Restart(int(agents), int(seed)).write(self._restarts)

    def _command(self, order: PageOrder) -> None:
        """Run the command of an order, unless another one is in its way."""
        known = VERBS[order.verb]
        flights = self._flights()
        if known.is_flight and flights:
            other = flights[0].order.verb
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
        running = Running(order, process)
        self._running.append(running)
        threading.Thread(target=self._follow, args=(running,), daemon=True).start()

    def _follow(self, running: Running) -> None:
        """Tell what a command says, and how it ends."""
        for line in running.process.stdout or ():
            text = line.rstrip()
            self.say(text.removeprefix('error: '), bad=text.startswith('error: '))
        code = running.process.wait()
        if code:
            self.complain(f'{running.order.verb}: not done')
        else:
            self.say(f'{running.order.verb}: done')

    def _alive(self) -> list[Running]:
        self._running = [one for one in self._running if one.process.poll() is None]
        return self._running

    def _flights(self) -> list[Running]:
        return [one for one in self._alive() if VERBS[one.order.verb].is_flight]

    def _cancel(self) -> None:
        """End the flights that are under way as by ctrl-C."""
        flights = self._flights()
        for one in flights:
            one.process.send_signal(signal.SIGINT)
        if not flights:
            self.complain('nothing is under way that could be cancelled')

    def _end_commands(self) -> None:
        for one in self._alive():
            one.process.send_signal(signal.SIGINT)
        for one in self._running:
            try:
                one.process.wait(ENDING)
            except subprocess.TimeoutExpired:
                one.process.kill()
                one.process.wait()

    def _look_at_abilities(self) -> None:
        now = time.monotonic()
        if now - self._looked_at >= LOOK_PERIOD:
            self._looked_at = now
            flies = any(one.report is not None for one in self._node.seen().values())
            can_restart = self._restarts is not None
            found = {'fly': flies, 'cancel': bool(self._flights()), 'restart': can_restart}
            known = [name for name, is_so in found.items() if is_so]
            self.can = (*known, *self._simulation.abilities())
