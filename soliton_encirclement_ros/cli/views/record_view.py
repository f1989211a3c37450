"""Display of a recording: a status line while it lasts, a table at its end."""

import math
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from soliton_encirclement_ros.cli.views.terminal_display import (
    PLAIN_PERIOD,
    LiveDisplay,
    print_table,
)
from soliton_encirclement_ros.nodes.observers.recorder_node import RecorderNode

RATE_WINDOW = 2.0
"""Wall time [s] over which the rate of the status line is computed."""

FIRST_LINE = 1.0
"""Wall time [s] after which the first line names the missing input."""


class RecordView(LiveDisplay):
    """One recording."""

    def __init__(self, console: Console, recorder: RecorderNode) -> None:
        """Show the state of a recorder."""
        super().__init__(console)
        self._recorder = recorder
        self._shown -= PLAIN_PERIOD - FIRST_LINE
        self._marks: list[tuple[float, int]] = [(time.monotonic(), 0)]

    def rate(self) -> float:
        """Return messages per second over the last moments."""
        now, count = time.monotonic(), self._recorder.messages
        self._marks.append((now, count))
        while len(self._marks) > 2 and now - self._marks[1][0] >= RATE_WINDOW:
            del self._marks[0]
        then, before = self._marks[0]
        return (count - before) / (now - then) if now > then else 0.0

    def line(self) -> str:
        """Return time, messages, size, topics, rate; or the missing input."""
        recording, rate = self._recorder.recording, self.rate()
        if recording.begun is None:
            return self._recorder.waiting_for
        elapsed = time.monotonic() - recording.begun
        pause = ', no new messages' if rate == 0.0 else ''
        return (
            f'{elapsed:7.1f} s  {recording.messages} messages  {recording.bytes / 1e6:.1f} MB  '
            f'{len(recording.tallies)} topics  {rate:.0f} messages/s{pause}'
        )

    def view(self) -> Text:
        """Return the same for a terminal."""
        return Text(self.line())


def summary(recorder: RecorderNode, folder: Path) -> dict[str, Any]:
    """Return the summary as plain data; None for an undefined rate."""
    return {
        'bag': str(folder),
        'files': sorted(path.name for path in folder.glob('*.mcap')),
        'messages': recorder.messages,
        'bytes': recorder.recording.bytes,
        'complete': recorder.complete,
        'topics': [
            {
                'name': tally.name,
                'type': tally.kind,
                'messages': tally.kept,
                'rate_hz': None if math.isnan(tally.rate) else round(tally.rate, 3),
                'bytes': tally.bytes,
                'lost': recorder.lost(tally.name),
            }
            for _, tally in sorted(recorder.tallies.items())
        ],
        'reports': recorder.reports,
    }


def print_summary(recorder: RecorderNode, console: Console) -> None:
    """Print one row per topic."""
    lossy = any(recorder.lost(topic) for topic in recorder.tallies)
    table = Table('topic', 'type', *_right('messages', 'rate [1/s]', 'MB'), box=None)
    if lossy:
        table.add_column('lost in transit', justify='right')
    for topic, tally in sorted(recorder.tallies.items()):
        rate = '' if math.isnan(tally.rate) else f'{tally.rate:.1f}'
        cells = [str(tally.kept), rate, f'{tally.bytes / 1e6:.2f}']
        cells += [str(recorder.lost(topic))] if lossy else []
        table.add_row(escape(topic), escape(tally.kind), *cells)
    print_table(table, console)


def _right(*names: str) -> list[Any]:
    from rich.table import Column

    return [Column(name, justify='right') for name in names]
