"""One flight of a chaos run: start, faults, calm, end; then the verdict of the watcher."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from chaos_parts.bags import judge_bags
from chaos_parts.director import Director
from chaos_parts.faults import Fault, to_record
from chaos_parts.hosts import Hosts
from chaos_parts.invariants import CLOSED, Breach
from chaos_parts.px4_swarm import Px4Swarm, px4_scenario
from chaos_parts.swarm import HOSTS, MONITOR, RECORDER, TARGET, Swarm, chaos_scenario
from chaos_parts.verdict import Flown, judge
from chaos_parts.watch import Watch

START_WITHIN = 120.0
"""Time in which all nodes start and the ring closes [s]."""

SETTLED = 3.0
"""Time for which the ring is closed before the first fault [s]."""

CALM = 20.0
"""Time after the last fault [s]."""

DISK_MB = 200
"""Size of the disk to record to; as much per minute that is flown, five times what is needed."""

SHOWN_EVERY = 10.0
"""Time between two lines on the state of the swarm [s]."""

OPERATOR_DELAY = 2.0
"""Time after which a node that ended by itself is started again [s]."""


class NotFlownError(Exception):
    """The swarm did not come as far as the first fault."""


class Options(NamedTuple):
    """What flies, and where files land."""

    agents: int
    seed: int
    folder: Path
    mutants: dict[str, str]
    has_shared_memory: bool
    tell: Callable[[str], None]
    is_px4: bool = False


@dataclass
class Result:
    """What came out of a flight."""

    faults: Sequence[Fault]
    breaches: list[Breach]
    explained: list[str]
    figures: dict[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            'faults': [to_record(fault) for fault in self.faults],
            'breaches': [breach._asdict() for breach in self.breaches],
            'explained': self.explained, 'figures': self.figures,
        }  # fmt: skip


def fly(faults: Sequence[Fault], options: Options) -> Result:
    """Fly a swarm through faults and judge what it did.

    Raises:
        NotFlownError: Its ring did not close before the first fault.
    """
    scenario = (px4_scenario if options.is_px4 else chaos_scenario)(options.agents)
    shutil.rmtree(options.folder, ignore_errors=True)
    disk, socket = options.folder / 'disk', options.folder / 'reports'
    disk.mkdir(parents=True)
    minutes = max((fault.end for fault in faults), default=0.0) / 60.0
    with Hosts(HOSTS, options.seed, disk, round(DISK_MB * (1.0 + minutes))) as hosts:
        make = Px4Swarm if options.is_px4 else Swarm
        swarm = make(hosts, scenario, options.folder, disk)
        swarm.mutants = options.mutants
        if options.has_shared_memory:
            swarm.transports = {}
        watch = Watch(socket, [*swarm.agents, TARGET])
        flight = _Flight(swarm, watch, options)
        with flight.processes():
            start = flight.take_off(socket)
            director = Director(swarm, faults, start, flight.tell_fault)
            flight.meanwhile(lambda: director.is_done, director)
            end = time.monotonic()
            flight.meanwhile(lambda: time.monotonic() > end + CALM, director)
            ended = time.monotonic()
            flight.end()
            bags = options.folder / 'bags'
            shutil.copytree(hosts.seen_from_outside(HOSTS[0], disk), bags)
            relay = hosts.end_relay()
    flown = Flown(scenario, swarm.home, faults, start, end, ended, watch, director)
    watch.save(options.folder / 'track.npz')
    breaches, explained, figures = judge(flown)
    breaches += flight.breaches
    breaches += judge_bags(bags, flown)
    figures |= {'relay': relay, 'load': os.getloadavg()[0]}
    return Result(faults, sorted(breaches, key=lambda one: one.at), explained, figures)


class _Flight:
    """The processes of a flight, looked at again and again."""

    def __init__(self, swarm: Swarm, watch: Watch, options: Options) -> None:
        self._swarm, self._watch, self._options = swarm, watch, options
        self.breaches: list[Breach] = []
        self._members = swarm.nodes
        self._begun = self._shown = time.monotonic()
        self._zero = self._begun
        self._ended: dict[str, float] = {}

    @contextlib.contextmanager
    def processes(self) -> Iterator[None]:
        """Kill, in the end, whatever is left."""
        try:
            yield
        finally:
            for label in list(self._swarm.processes):
                self._swarm.kill(label)

    def tell(self, line: str) -> None:
        self._options.tell(f'{time.monotonic() - self._zero:7.1f}  {line}')

    def tell_fault(self, line: str) -> None:
        self.tell(f'fault: {line}')

    def take_off(self, socket: Path) -> float:
        """Start everything; return the time at which the ring was closed for a while [s]."""
        self._swarm.start_plants(socket)
        for name in reversed(self._members):
            self._swarm.start(name)
        closed_since = None
        while closed_since is None or time.monotonic() < closed_since + SETTLED:
            if time.monotonic() > self._begun + START_WITHIN:
                raise NotFlownError(
                    f'the ring is not closed after {START_WITHIN:g} s: E_gap '
                    f'{self._watch.gap_now():.2f}; see {self._options.folder / "logs"}'
                )
            self._look()
            if not self._is_flying():
                closed_since = None
            elif closed_since is None:
                closed_since = time.monotonic()
        self.tell('the ring is closed')
        self._zero = self._shown = time.monotonic()
        return self._zero

    def _is_flying(self) -> bool:
        now, commands = time.monotonic(), self._watch.commands
        return self._watch.gap_now() < CLOSED and all(
            commands[name] and now - commands[name][-1][0] < 0.5
            for name in (*self._swarm.agents, TARGET)
        )

    def _look(self) -> None:
        time.sleep(0.01)
        self._watch.look()

    def meanwhile(self, is_over: Callable[[], bool], director: Director) -> None:
        """Watch, and let faults happen, until something is over."""
        while not is_over():
            self._look()
            director.act()
            running = {
                name: process.pid for name, process in self._swarm.processes.items()
                if process.poll() is None
            }  # fmt: skip
            self._watch.look_at_sizes(running)
            for name in self._members:
                if name not in running and not director.is_down(name):
                    self._replace(name, director)
            if time.monotonic() > self._shown + SHOWN_EVERY:
                since, self._shown = self._shown, time.monotonic()
                self.tell(f'E_gap {self._watch.gap_now():.3f}, nearest '
                          f'{self._watch.nearest_since(since):.1f} m')  # fmt: skip

    def _replace(self, name: str, director: Director) -> None:
        """Start a node that has ended by itself; only a recorder whose disk is full may."""
        process = self._swarm.processes.get(name)
        if name == RECORDER and director.is_disk_full:
            return
        now = time.monotonic()
        if name not in self._ended:
            self._ended[name] = now
            code = process.returncode if process is not None else None
            text = f'ended with {code}: {self._swarm.last_words(name)}'
            self._break('ended', name, text)
        elif now > self._ended[name] + OPERATOR_DELAY:
            del self._ended[name]
            self._swarm.start(name)

    def _break(self, invariant: str, who: str, text: str) -> None:
        self.tell(f'{who} {text}')
        self.breaches.append(Breach(invariant, time.monotonic() - self._zero, who, text))

    def end(self) -> None:
        """End the observers as ctrl-C does, while everybody still speaks, then all others."""
        for name in (RECORDER, MONITOR):
            if self._swarm.end(name) is None:
                self._break('ended', name, 'did not end in 20 s when it was asked to')
        for label in self._members:
            self._swarm.signal(label, signal.SIGINT)
        deadline = time.monotonic() + 10.0
        while time.monotonic() < deadline and any(map(self._swarm.is_running, self._members)):
            self._look()

