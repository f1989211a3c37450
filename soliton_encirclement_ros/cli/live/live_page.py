"""The live page: the viewer of the report without a recording; a running swarm feeds it.

Each reader first gets the full state, then the changes. One that does not keep up gets the full
state again instead of the changes that it has missed, and nobody waits for it.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from soliton_encirclement_ros.analysis.report.page import viewer_parts, viewer_scripts
from soliton_encirclement_ros.analysis.report.page_markup import (
    asset, escaped, fill_template, head, json_text
)
from soliton_encirclement_ros.analysis.report.viewer_data import (
    NOBODY_THERE, describe_quantity, packed
)
from soliton_encirclement_ros.cli.live.swarm_picture import (
    SHOWN_METRICS, STEP, PictureUpdate, SwarmPicture
)

PLOTS = ('plots/panels', 'plots/metrics', 'plots/solid', 'live')

STYLES = ('styles/viewer.css', 'styles/style.css', 'styles/live.css', 'styles/orders.css')

LOOKS = '<p class="hint">This page only looks: swarm view --operate gives orders.</p>\n'

NOW = '<button type="button" id="now" aria-pressed="true">Now</button>'


def live_page(name: str, operates: bool = False) -> str:
    """Return the page.

    Args:
        name: What is watched, for its title.
        operates: Whether orders can be given.
    """
    curves = [
        {**describe_quantity(metric), 'unit': '', 'steps': False, 't': '', 'y': ''}
        for metric in SHOWN_METRICS
    ]
    data = {
        'begin': 0.0, 'end': 0.0, 'scene': {**NOBODY_THERE, 'step': STEP}, 'metrics': curves,
        'events': [], 'changes': [],
    }  # fmt: skip
    scripts = viewer_scripts((*PLOTS, 'orders') if operates else PLOTS)
    style = ''.join(map(asset, STYLES))
    fields = {
        'head': head(escaped(name), style, scripts, "connect-src 'self'"),
        'title': escaped(name),
        'data': json_text(data),
        'orders': asset('pages/orders.html') if operates else LOOKS,
        **viewer_parts('Waiting for a swarm.', NOW),
        **dict(zip(('replay', 'plotly', 'plots'), scripts, strict=True)),
    }
    return fill_template('pages/live.html', fields)


MOST_WAITING = 60
"""Messages that wait for a reader, three seconds; then it begins anew."""

MOST_LINES = 200
"""Lines about orders that are kept."""

STATUS_PERIOD = 0.5
"""Time between two tables of all vehicles [s]."""

Message = dict[str, Any]


class Reader:
    """One reader of the feed."""

    def __init__(self, feed: 'LiveFeed') -> None:
        """Start with the full state."""
        self._feed = feed
        self._waiting: asyncio.Queue[Message | None] = asyncio.Queue()
        self.begin()

    def begin(self) -> None:
        """Drop the queued messages: the next one has the full state."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    @property
    def waiting(self) -> int:
        """How many messages wait."""
        return self._waiting.qsize()

    def give(self, message: Message) -> None:
        """Queue a message."""
        if self._waiting.qsize() >= MOST_WAITING:
            self.begin()
        else:
            self._waiting.put_nowait(message)

    async def next(self) -> Message:
        """Return the next message when there is one."""
        message = await self._waiting.get()
        return self._feed.everything() if message is None else message


class LiveFeed:
    """Sends messages to all readers.

    Attributes:
        readers: The connected readers.
    """

    def __init__(
        self,
        update: Callable[[], bool],
        picture: Callable[[], SwarmPicture],
        vehicles: Callable[[], list[Message]] = list,
        lines: Callable[[], Iterable[Message]] = tuple,
        more: Callable[[], Message] = dict,
    ) -> None:
        """Start without readers.

        Args:
            update: Takes the messages that have arrived; returns whether the swarm has restarted.
            picture: Returns the picture of the swarm.
            vehicles: Returns the table of the vehicles.
            lines: Returns the lines about orders since the last call.
            more: Returns further values to be sent with the table.
        """
        self._lines, self._more = lines, more
        self._log: deque[Message] = deque(maxlen=MOST_LINES)
        self._update, self._picture, self._vehicles = update, picture, vehicles
        self._status_at, self._known = -math.inf, 0
        self.readers: set[Reader] = set()

    def join(self) -> Reader:
        """Add a reader."""
        reader = Reader(self)
        self.readers.add(reader)
        return reader

    def leave(self, reader: Reader) -> None:
        """Remove a reader."""
        self.readers.discard(reader)

    def look(self) -> None:
        """Update the picture, and send the changes to all readers."""
        is_new = self._update()
        picture = self._picture()
        update = picture.look()
        if is_new or len(picture.names) != self._known:
            self._known = len(picture.names)
            for reader in self.readers:
                reader.begin()
        elif update is not None:
            self._give(_news(picture, update))
        for line in self._lines():
            self._log.append(line)
            self._give({'kind': 'line', **line})
        if time.monotonic() - self._status_at >= STATUS_PERIOD:
            self._status_at = time.monotonic()
            ages = picture.ages()
            fresh = {'age': min(ages.values(), default=None), 'ages': ages}
            status = {**self._more(), 'vehicles': self._vehicles(), **fresh}
            self._give({'kind': 'status', **status})

    def everything(self) -> Message:
        """Return the full state."""
        return {'kind': 'begin', 'scene': self._picture().scene(), 'lines': [*self._log]}

    def _give(self, message: Message) -> None:
        for reader in self.readers:
            reader.give(message)


def _news(picture: SwarmPicture, update: PictureUpdate) -> Message:
    message: Message = {
        'kind': 'news', 'first': update.first, 'begin': picture.history.begin,
        'count': picture.history.count, 'rows': packed(update.rows.reshape(-1)),
        'events': [list(event) for event in update.events],
    }  # fmt: skip
    if update.metrics is not None:
        values = [update.metrics[name] for name in ('time', *SHOWN_METRICS)]
        message['metrics'] = [value if math.isfinite(value) else None for value in values]
    if math.isfinite(picture.radius):
        message |= {'radius': picture.radius, 'bounds': picture.bounds._asdict()}
    return message
