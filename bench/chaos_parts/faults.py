"""The faults of a chaos run: what they are called, what they do, and how they are drawn.

A fault is a record. A run draws its faults from a seed before it begins, so that the same faults
can be flown again, all of them or some.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from chaos_parts.relay import OVERTAKEN, Impairment

EVERY = 5.0
"""Time between two faults [s]."""

REST = 12.0
"""Time [s] for which a member is left alone by other faults of its own after one, so that one
can see whether it comes back."""

CONTRACT = Impairment(loss=0.3, delay=0.1)
"""Up to which radio the separation must be kept."""

WORST = Impairment(loss=0.5, delay=0.5)
"""The worst radio that is drawn."""


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        kind: Key of ``KINDS``.
        at: When it begins, from the time when the ring is closed [s].
        length: How long it lasts [s].
        who: Members or computers that it hits; empty: all.
        values: Further values, by name.
    """

    kind: str
    at: float
    length: float
    who: tuple[str, ...]
    values: Mapping[str, Any]

    @property
    def end(self) -> float:
        """When it is undone [s]."""
        return self.at + self.length

    @property
    def is_within_contract(self) -> bool:
        """Whether the separation must be kept in spite of it."""
        if self.kind != 'radio':
            return KINDS[self.kind].is_within_contract
        radio = Impairment(**self.values)
        slowest = radio.delay + radio.jitter + (OVERTAKEN if radio.reorder else 0.0)
        return radio.loss <= CONTRACT.loss and slowest <= CONTRACT.delay + 1e-9

    def __str__(self) -> str:
        """Return one line."""
        values = ', '.join(f'{key} {_short(value)}' for key, value in self.values.items() if value)
        words = (self.kind, ' '.join(self.who), values, f'for {self.length:.1f} s')
        return ' '.join(filter(None, words))


def _short(value: object) -> str:
    return f'{value:.3g}' if isinstance(value, float) else str(value)


def to_record(fault: Fault) -> dict[str, Any]:
    """Return a fault as JSON has it."""
    return asdict(fault)


def from_record(record: Mapping[str, Any]) -> Fault:
    """Return a fault from a record."""
    return Fault(**{**record, 'who': tuple(record['who'])})


class Targets(NamedTuple):
    """What faults may hit: names of agents, of all killed nodes, and of computers."""

    agents: Sequence[str]
    nodes: Sequence[str]
    hosts: Sequence[str]


class Kind(NamedTuple):
    """A kind of fault.

    Attributes:
        meaning: What happens, and what ends it.
        is_within_contract: Whether the separation must be kept all the while.
        weight: How often it is drawn, relative to others.
        draw: Draws length [s], whom it hits, and its values.
        hits_members: Whether it hits single members, which are then left alone for a while.
    """

    meaning: str
    is_within_contract: bool
    weight: float
    draw: Callable[[random.Random, Targets], tuple[float, tuple[str, ...], dict[str, Any]]]
    hits_members: bool = True


Drawn = tuple[float, tuple[str, ...], dict[str, Any]]


def _of_node(low: float, high: float) -> Callable[[random.Random, Targets], Drawn]:
    return lambda draw, on: (draw.uniform(low, high), (draw.choice(on.nodes),), {})


def _of_agent(low: float, high: float) -> Callable[[random.Random, Targets], Drawn]:
    return lambda draw, on: (draw.uniform(low, high), (draw.choice(on.agents),), {})


def _of_host(low: float, high: float) -> Callable[[random.Random, Targets], Drawn]:
    return lambda draw, on: (draw.uniform(low, high), (draw.choice(on.hosts),), {})


def _of_all(low: float, high: float) -> Callable[[random.Random, Targets], Drawn]:
    return lambda draw, on: (draw.uniform(low, high), (), {'seed': draw.randrange(10**6)})


def _clock(draw: random.Random, on: Targets) -> Drawn:
    ahead = draw.choice((-1, 1)) * draw.choice((0.05, 0.5, 1.5, 6.0, 3600.0))
    return draw.uniform(3.0, 8.0), (draw.choice(on.agents),), {'ahead': ahead}


def _wrong_date(draw: random.Random, on: Targets) -> Drawn:
    ahead = draw.choice((-1, 1)) * draw.choice((30.0, 3600.0, 86400.0 * 365))
    return draw.uniform(6.0, 10.0), (draw.choice(on.agents),), {'ahead': ahead}


def _duplicate(draw: random.Random, on: Targets) -> Drawn:
    host = draw.choice(on.hosts)
    return draw.uniform(6.0, 10.0), (draw.choice(on.agents),), {'host': host}


def _radio(draw: random.Random, on: Targets) -> Drawn:
    del on
    is_mild = draw.random() < 0.6
    bound = CONTRACT if is_mild else WORST
    delay = draw.choice((0.0, draw.uniform(0.0, 0.7 * bound.delay)))
    values = {
        'loss': draw.choice((0.0, draw.uniform(0.05, bound.loss), bound.loss)),
        'delay': delay,
        'jitter': draw.choice((0.0, draw.uniform(0.0, 0.7 * bound.delay - delay))),
        'duplicate': draw.choice((0.0, 0.3)),
        'reorder': draw.choice((0.0, 0.2)),
    }
    if not any(values.values()):
        values['loss'] = bound.loss
    return draw.uniform(5.0, 15.0), (), values


def _one_way(draw: random.Random, on: Targets) -> Drawn:
    return draw.uniform(2.0, 6.0), tuple(draw.sample(on.hosts, 2)), {}


def _storm(draw: random.Random, on: Targets) -> Drawn:
    size = draw.choice((10, 30, 100))
    return draw.uniform(5.0, 10.0), (draw.choice(on.hosts),), {'participants': size}


KINDS: dict[str, Kind] = {
    'kill': Kind('kill -9 of a node; it is started again', True, 3.0, _of_node(0.0, 4.0)),
    'freeze': Kind('SIGSTOP of a node, then SIGCONT', True, 2.0, _of_node(0.3, 6.0)),
    'clock': Kind('the clock of an agent is set, and set back', False, 1.0, _clock),
    'wrong_date': Kind(
        'an agent is killed and started with a clock from past or future, then restarted with '
        'the right one', True, 1.0, _wrong_date,
    ),
    'duplicate': Kind(
        'a second agent of the same number is started on some computer; ctrl-C', True, 1.0,
        _duplicate,
    ),
    'stop': Kind(
        '`swarm stop` of an agent, then `swarm stop --release`', True, 1.0, _of_agent(8.0, 12.0)
    ),
    'private_shm': Kind(
        'an agent is killed and started with a /dev/shm of its own, then restarted without', True,
        1.0, _of_agent(8.0, 12.0),
    ),
    'malformed': Kind(
        'thousands of malformed messages on every topic', True, 1.0, _of_all(2.0, 5.0), False
    ),
    'forged': Kind(
        'well-formed states that are lies, in the name of an agent', False, 1.0,
        _of_agent(2.0, 4.0), False,
    ),
    'storm': Kind('many participants join at once, then leave', False, 0.7, _storm, False),
    'disk_full': Kind(
        'the disk of the recorder is full; room is made, and the recorder is started again',
        True, 0.7, lambda draw, on: (draw.uniform(2.0, 6.0), ('recorder',), {}),
    ),
    'radio': Kind(
        'loss to 50 %, delay and jitter to 0.5 s, duplicates, reordering on all links; in the '
        'contract up to 30 % and 0.1 s', True, 3.0, _radio, False,
    ),
    'one_way': Kind(
        'of two computers one does not hear the other', False, 1.0, _one_way, False
    ),
    'partition': Kind(
        'a computer and the others do not hear each other', False, 1.0, _of_host(3.0, 10.0), False
    ),
    'cable': Kind(
        'the cable of a computer is pulled, and put back', False, 1.0, _of_host(1.0, 6.0), False
    ),
}  # fmt: skip
"""Kinds of faults by name."""


def draw_faults(
    seed: int, duration: float, on: Targets, kinds: Iterable[str] = KINDS
) -> list[Fault]:
    """Draw the faults of a run, one every ``EVERY`` seconds.

    Args:
        seed: Of the draws.
        duration: Time in which all begin and end [s].
        on: What they may hit.
        kinds: Kinds that are drawn.
    """
    draw, faults = random.Random(f'chaos/{seed}'), []
    names = list(kinds)
    weights = [KINDS[name].weight for name in names]
    left_alone_until: dict[str, float] = {}
    for k in range(int(duration / EVERY)):
        at = k * EVERY
        for _ in range(20):  # another one, if this one does not fit
            (kind,) = draw.choices(names, weights)
            length, who, values = KINDS[kind].draw(draw, on)
            fault = Fault(kind, at, round(min(length, duration - at), 3), who, values)
            if KINDS[kind].hits_members:
                if any(left_alone_until.get(name, 0.0) > at for name in who):
                    continue
                left_alone_until |= dict.fromkeys(who, fault.end + REST)
            elif any(one.kind == kind and one.end > at for one in faults):
                continue
            faults.append(fault)
            break
    return faults


SCENES: dict[str, list[Fault]] = {
    'calm': [],
    'lossy': [
        Fault('radio', 0.0, 60.0, (), asdict(Impairment(loss=0.3, delay=0.2)))
    ],
    'partition': [Fault('partition', 0.0, 20.0, ('b',), {})],
    'mistakes': [
        Fault('stop', 0.0, 12.0, ('uav_1',), {}), Fault('kill', 20.0, 1.0, ('uav_2',), {}),
        Fault('kill', 60.0, 1.0, ('monitor',), {}),
    ],
}
"""Faults that are not drawn, by the name of their flight; ``mistakes`` shows those of mutants."""


def impaired_links(
    faults: Iterable[Fault], hosts: Sequence[str]
) -> dict[tuple[str, str], list[Impairment]]:
    """Return what the active faults of the network do to each link, as (sender, receiver)."""
    cut = Impairment(blocked=True)
    links: dict[tuple[str, str], list[Impairment]] = {
        (a, b): [] for a in hosts for b in hosts if a != b
    }
    for fault in faults:
        for (a, b), found in links.items():
            if fault.kind == 'radio':
                found.append(Impairment(**fault.values))
            elif (fault.kind == 'one_way' and (a, b) == fault.who) or (
                fault.kind == 'partition' and (a in fault.who) != (b in fault.who)
            ):
                found.append(cut)
    return links


def table_of_kinds() -> str:
    """Return the kinds as a table in Markdown."""
    rows = [
        f'| `{name}` | {kind.meaning} | {"yes" if kind.is_within_contract else "no"} |'
        for name, kind in KINDS.items()
    ]
    head = ['| kind | what happens | distances must be kept |', '| --- | --- | --- |']
    return '\n'.join(head + rows)
