"""Applies the faults of a chaos run to a swarm when it is time, and undoes them."""

import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from chaos_parts.faults import Fault, impaired_links
from chaos_parts.relay import combine
from chaos_parts.swarm import HOSTS, How, Swarm

FILLER = 'filler'
SPOKEN_WITHIN = 8.0
"""Time [s] after which the answer of `swarm stop` is not waited for any more."""


class Start(NamedTuple):
    """The start of a node after it was killed: when [s], whose, and why."""

    at: float
    who: str
    fault: Fault


class Director:
    """What was done to a swarm so far, and what is to come."""

    def __init__(
        self, swarm: Swarm, faults: Sequence[Fault], start: float, tell: Callable[[str], None]
    ) -> None:
        """Take the faults of a run.

        Args:
            swarm: Whom they hit.
            faults: The faults.
            start: Time of their zero [s].
            tell: Takes a line for each.
        """
        self._swarm, self._tell = swarm, tell
        steps = [(start + fault.at, 1, k, fault) for k, fault in enumerate(faults)]
        steps += [(start + fault.end, 0, k, fault) for k, fault in enumerate(faults)]
        self._steps = sorted(steps, key=lambda step: step[:3])
        self._active: dict[int, Fault] = {}
        self.starts: list[Start] = []
        self.stops: dict[str, list[tuple[float, float]]] = {}
        self._asked: dict[str, float] = {}
        self._confirmed: dict[str, float] = {}
        self._releasing: set[str] = set()
        self._leaving: list[tuple[float, str]] = []
        self._folder_of_filler = swarm.hosts.seen_from_outside(HOSTS[0], swarm.disk)

    @property
    def is_done(self) -> bool:
        """Whether all faults are over."""
        return not self._steps

    @property
    def is_disk_full(self) -> bool:
        """Whether the disk of the recorder is full."""
        return any(fault.kind == 'disk_full' for fault in self._active.values())

    def is_down(self, label: str) -> bool:
        """Say whether a process is killed and not yet started again."""
        return any(
            fault.kind == 'kill' and label in fault.who for fault in self._active.values()
        )

    def act(self) -> None:
        """Apply and undo what is due."""
        now = time.monotonic()
        while self._steps and self._steps[0][0] <= now:
            _, is_begin, number, fault = self._steps.pop(0)
            if is_begin:
                self._active[number] = fault
                self._tell(str(fault))
                getattr(self, f'_begin_{fault.kind}', self._set_links)(fault)
            else:
                self._active.pop(number, None)
                getattr(self, f'_end_{fault.kind}', self._set_links)(fault)
        self._hear_answers(now)
        for at, label in list(self._leaving):
            if now > at or not self._swarm.is_running(label):
                self._swarm.kill(label)
                self._leaving.remove((at, label))

    def _set_links(self, fault: Fault) -> None:
        del fault
        links = impaired_links(self._active.values(), HOSTS)
        self._swarm.hosts.impair({link: combine(found) for link, found in links.items()})

    def _restart(self, fault: Fault, how: How | None = None) -> None:
        """Kill and start the member; without ``how`` as usual, and it has to come back."""
        (name,) = fault.who
        self._swarm.kill(name)
        if how is None:
            self._swarm.start(name)
            self.starts.append(Start(time.monotonic(), name, fault))
        else:
            self._swarm.start(name, how)

    def _begin_kill(self, fault: Fault) -> None:
        self._swarm.kill(*fault.who)

    def _end_kill(self, fault: Fault) -> None:
        self._restart(fault)

    def _begin_freeze(self, fault: Fault) -> None:
        self._swarm.signal(*fault.who, signal.SIGSTOP)

    def _end_freeze(self, fault: Fault) -> None:
        self._swarm.signal(*fault.who, signal.SIGCONT)

    def _begin_clock(self, fault: Fault) -> None:
        self._swarm.set_clock(*fault.who, fault.values['ahead'])

    def _end_clock(self, fault: Fault) -> None:
        self._swarm.set_clock(*fault.who, 0.0)

    def _begin_wrong_date(self, fault: Fault) -> None:
        self._restart(fault, How(clock=fault.values['ahead']))

    def _end_wrong_date(self, fault: Fault) -> None:
        self._restart(fault)

    def _begin_private_shm(self, fault: Fault) -> None:
        self._restart(fault, How(own_shared_memory=True))

    def _end_private_shm(self, fault: Fault) -> None:
        self._restart(fault)

    def _begin_duplicate(self, fault: Fault) -> None:
        (name,) = fault.who
        self._swarm.start(name, How(host=fault.values['host'], label=f'{name}_double'))

    def _end_duplicate(self, fault: Fault) -> None:
        label = f'{fault.who[0]}_double'
        self._swarm.signal(label, signal.SIGINT)
        self._leaving.append((time.monotonic() + 5.0, label))

    def _begin_stop(self, fault: Fault) -> None:
        (name,) = fault.who
        self._swarm.swarm_command(f'stop_{name}', 'stop', name)
        self._asked[name] = time.monotonic()

    def _end_stop(self, fault: Fault) -> None:
        (name,) = fault.who
        self._asked.pop(name, None)
        confirmed = self._confirmed.pop(name, None)
        if confirmed is not None:
            self.stops.setdefault(name, []).append((confirmed, time.monotonic()))
        self._release(name)

    def _release(self, name: str) -> None:
        self._releasing.add(name)
        self._swarm.swarm_command(f'release_{name}', 'stop', '--release', name)

    def _hear_answers(self, now: float) -> None:
        """Note when stops are confirmed; one that is not within a while is not judged."""
        for name, at in list(self._asked.items()):
            code = self._swarm.processes[f'stop_{name}'].poll()
            if code == 0:
                self._confirmed[name] = now
            if code is not None or now - at > SPOKEN_WITHIN:
                del self._asked[name]
        for name in list(self._releasing):
            code = self._swarm.processes[f'release_{name}'].poll()
            if code == 0:
                self._releasing.discard(name)
            elif code is not None:  # the operator tries again
                self._release(name)

    def _begin_malformed(self, fault: Fault) -> None:
        self._intrude(fault, *self._swarm.agents)

    def _begin_forged(self, fault: Fault) -> None:
        self._intrude(fault, *fault.who)

    def _begin_storm(self, fault: Fault) -> None:
        self._intrude(fault, str(fault.values['participants']), host=fault.who[0])

    def _intrude(self, fault: Fault, *words: str, host: str = HOSTS[-1]) -> None:
        seed = str(fault.values.get('seed', 0))
        self._swarm.start_script(
            fault.kind, host, 'intruder.py', fault.kind, seed, f'{fault.length}', *words
        )

    def _end_intruder(self, fault: Fault) -> None:
        self._leaving.append((time.monotonic() + 3.0, fault.kind))

    _end_malformed = _end_forged = _end_intruder

    def _end_storm(self, fault: Fault) -> None:
        self._swarm.kill(fault.kind)

    def _begin_disk_full(self, fault: Fault) -> None:
        del fault
        fill_disk(self._folder_of_filler)

    def _end_disk_full(self, fault: Fault) -> None:
        (self._folder_of_filler / FILLER).unlink(missing_ok=True)
        self._restart(fault)

    def _begin_cable(self, fault: Fault) -> None:
        self._swarm.hosts.unplug(*fault.who)

    def _end_cable(self, fault: Fault) -> None:
        self._swarm.hosts.plug(*fault.who)


def fill_disk(folder: Path) -> None:
    """Write a file until the disk is full."""
    with (folder / FILLER).open('wb', buffering=0) as file:
        try:
            while True:
                file.write(bytes(2**16))
        except OSError:  # it is full
            pass
