"""A bag, of whatever kind and in whatever state, as a recording."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from soliton_encirclement_ros.analysis.bag import assembly, members
from soliton_encirclement_ros.analysis.bag.clocks import SECOND, began_late, clock_of
from soliton_encirclement_ros.analysis.bag.flights import (
    Flight,
    choose,
    flights,
    in_words,
    within,
)
from soliton_encirclement_ros.analysis.bag.gathering import Gatherer
from soliton_encirclement_ros.analysis.bag.metadata import miscounted
from soliton_encirclement_ros.analysis.bag.naming import CMD_VEL, Naming
from soliton_encirclement_ros.analysis.bag.opening import Opened, open_bag
from soliton_encirclement_ros.analysis.bag.raw import Batch, Channel, rooted
from soliton_encirclement_ros.analysis.bag.refining import Given, Refinery
from soliton_encirclement_ros.analysis.bag.roles import (
    FIGURES,
    TIME,
    Key,
    Role,
    listed,
    overlooked,
    roles,
    unmatched,
)
from soliton_encirclement_ros.analysis.bag.rows import Columns
from soliton_encirclement_ros.analysis.bag.stamps import stamps
from soliton_encirclement_ros.analysis.bag.traffic import Traffic
from soliton_encirclement_ros.analysis.bag.twins import twins
from soliton_encirclement_ros.analysis.bag.types import Types
from soliton_encirclement_ros.analysis.bag.unpacking import unpack_messages
from soliton_encirclement_ros.analysis.recording import SIMULATED, Recording
from soliton_encirclement_ros.core.errors import RunError

PROGRESS_PERIOD = 0.25
"""Wall time [s] between two calls of ``progress``."""

Progress = Callable[[int, int], None]
"""Called with the number of messages read, and of all there are or 0."""


def read_recording(
    path: Path,
    names: Naming | None = None,
    progress: Progress | None = None,
    flight: int | None = None,
) -> Recording:
    """Read a bag; everything complete is used, the rest is reported in ``problems``.

    Args:
        path: A run's folder, a rosbag2 folder, or a ``.mcap`` or ``.db3`` file.
        names: Which topics tell what of whom; None to go by the usual names.
        progress: Called a few times a second.
        flight: Which of several simulated flights in the bag, from 1; None for the last.

    Raises:
        RunError: Nothing at all can be used; one line says why; or there is no such flight.
    """
    path = Path(path)
    pile = Pile(names)
    opened = _read(path, pile, progress)
    counts, there = pile.counts(), flights(*pile.ticks())
    number = choose(there, flight)
    if len(there) > 1:
        pile = Pile(names, there[number - 1])
        opened = _read(path, pile, progress)
    problems = [
        *opened.problems,
        *([in_words(there, number)] if len(there) > 1 else []),
        *(line for storage in opened.storages for line in storage.problems),
        *miscounted(opened.metadata, counts),
        *pile.problems(),
    ]
    if not pile.traffic:
        reason = problems[0] if problems else 'it holds no messages'
        raise RunError(f'{path}: nothing can be read: {reason}')
    if names is not None:
        problems += unmatched(pile.traffic, names)
    return _recording(path, opened, pile, problems)


def _read(path: Path, pile: 'Pile', progress: Progress | None) -> Opened:
    with open_bag(path) as opened:
        expected = int(np.sum([*opened.metadata.counts.values(), 0]))
        done, last = 0, 0.0
        for storage in opened.storages:
            for batch in storage.batches():
                pile.add(batch)
                done += len(batch.starts)
                if progress is not None and time.monotonic() - last > PROGRESS_PERIOD:
                    last = time.monotonic()
                    progress(done, max(expected, done) if expected else 0)
    if progress is not None:
        progress(done, done)
    return opened


def _recording(path: Path, opened: Opened, pile: 'Pile', problems: list[str]) -> Recording:
    found = members.found(pile.gatherers, pile.roles)
    ticks = found.rows.get((TIME, ''))
    spans = [one.span() for one in pile.traffic.values()]
    clock = clock_of(ticks, found.rows.values(), min(first for first, _ in spans))
    topics = tuple(pile.traffic[key].topic(clock) for key in sorted(pile.traffic))
    pile.traffic.clear()
    received = clock.of_logged(np.array(spans, np.int64).ravel()).tolist()
    late = clock.kind == SIMULATED and opened.scenario is None and began_late(received)
    origin_ns = 0 if clock.kind == SIMULATED and not late else min(received)
    parts = Refinery(found, clock, origin_ns, Given(pile.names, opened.scenario)).run()
    edges = [*received, *(members.first_and_last(parts.values()) or ())]
    start_ns = 0 if clock.kind == SIMULATED and not late else min(edges)
    if late:
        line = f'simulated time was at {start_ns / SECOND:.3f} s at first: this is time 0 here'
        problems = [*problems, line]
    figures = parts.get((FIGURES, members.SWARM))
    everybody = members.members(parts, start_ns)
    return Recording(
        path,
        start_ns,
        clock.kind,
        (max(edges) - start_ns) / 1e9,
        everybody,
        None if figures is None else assembly.metrics(figures, start_ns),
        tuple(figures_of(start_ns) for figures_of in topics),
        (*problems, *found.problems, *twins(everybody)),
        opened.scenario,
    )


class Pile:
    """Everything that was read, topic by topic."""

    def __init__(self, names: Naming | None, flight: Flight | None = None) -> None:
        """Begin with nothing; of several flights only one is taken."""
        self.names = names
        self._flight = flight
        self.types = Types()
        self.traffic: dict[Key, Traffic] = {}
        self.gatherers: dict[Key, Gatherer] = {}
        self.roles: dict[Key, Role] = {}
        self._packed: Counter[str] = Counter()

    def add(self, batch: Batch) -> None:
        """Take a batch."""
        if self._flight is not None:
            batch = within(batch, self._flight)
        batch, packed = unpack_messages(batch)
        channel = batch.channel._replace(topic=rooted(batch.channel.topic))
        batch = batch._replace(channel=channel)
        self._packed[channel.topic] += packed
        if not len(batch.starts):
            return
        key = (channel.topic, channel.type)
        if key not in self.traffic:
            self._meet(key, channel, int(batch.sizes[0]))
        told = stamps(self.types.known, batch)
        self.traffic[key].add(batch.logged, told)
        if key in self.gatherers:
            self.gatherers[key].add(batch, told)

    def _meet(self, key: Key, channel: Channel, size: int) -> None:
        known = self.types.learn(channel, size)
        self.traffic[key] = Traffic(*key)
        self.roles = roles(self.traffic, self.names)
        if known and key in self.roles:
            self.gatherers[key] = Gatherer(self.types, channel.type)

    def counts(self) -> dict[str, int]:
        """Return how many messages there are, by topic."""
        found: Counter[str] = Counter()
        for (topic, _), traffic in self.traffic.items():
            found[topic] += traffic.count
        return found

    def ticks(self) -> Columns:
        """Return when simulated time was logged [ns], and what it was then [ns]."""
        for key, role in self.roles.items():
            if role.kind == TIME:
                return self.traffic[key].times()
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def problems(self) -> list[str]:
        """Return what could not be decompressed, is of an unknown type or has an unusual name."""
        return [
            *(f'{topic}: {count} messages cannot be decompressed: left out'
              for topic, count in self._packed.items() if count),
            *self._undefined(),
            *self._assumed(),
            *self._unused(),
        ]  # fmt: skip

    def _undefined(self) -> Iterator[str]:
        """Iterate over a line for every type of use without a definition."""
        unknown = [key for key in self.roles if key not in self.gatherers]
        for kind in sorted({kind for _, kind in unknown}):
            topics = ', '.join(topic for topic, one in unknown if one == kind)
            reason = self.types.problems.get(kind, 'its type is not known')
            yield f'{topics}: cannot be decoded: {kind}: {reason}'

    def _assumed(self) -> Iterator[str]:
        """Iterate over a line for every type whose definition was guessed."""
        for kind, release in sorted(self.types.assumed.items()):
            topics = ', '.join(topic for topic, one in self.gatherers if one == kind)
            if topics:
                yield (f'{topics}: the definition of {kind} is not in the bag: '
                       f'taken for that of PX4 {release}, by its length')  # fmt: skip

    def _unused(self) -> Iterator[str]:
        """Iterate over a line on what may be of use but is not used, and on what is missing."""
        if self.names is None:
            yield from overlooked(self.traffic, self.roles)
        kinds = {role.kind for role in self.roles.values()}
        if self.traffic and kinds <= {TIME, FIGURES, CMD_VEL}:
            yield (
                'no place is known: that takes an Odometry, a PoseStamped called pose, or a '
                'VehicleLocalPosition or VehicleOdometry of PX4; there are '
                + listed(sorted(self.traffic))
            )
