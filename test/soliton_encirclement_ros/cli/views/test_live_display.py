"""A display that is updated in place, on terminals that change."""

import io

import pytest
from rich.console import Console

from soliton_encirclement_ros.cli.views import terminal_display
from soliton_encirclement_ros.cli.views.terminal_display import LiveDisplay
from support.shown import ShownConsole


class Slow(LiveDisplay):
    """What takes some time to draw, by a clock that is turned by hand."""

    def __init__(self, console, clock, takes):
        """Draw nothing yet."""
        super().__init__(console)
        self.clock, self.takes, self.drawings = clock, takes, 0

    def view(self):
        """Take the time."""
        self.clock[0] += self.takes
        self.drawings += 1
        return ''

    def line(self):
        """Return nothing."""
        return ''


class Line(LiveDisplay):
    """A line, and nothing else."""

    def line(self):
        """Return one line."""
        return 'plain'


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(terminal_display, 'REFRESH_PERIOD', 0.0)
    monkeypatch.setattr(terminal_display, 'PLAIN_PERIOD', 0.0)
    monkeypatch.setattr(terminal_display, 'SLOWEST_PERIOD', 0.0)


@pytest.mark.parametrize('console', [
    {'force_terminal': False}, {'force_terminal': True, '_environ': {'TERM': 'dumb'}},
])  # fmt: skip
def test_where_nothing_can_be_drawn_there_are_lines(at_once, console):
    out = io.StringIO()
    with Line(Console(file=out, **console)) as shown:
        shown.update()
    assert out.getvalue() == 'plain\n'


@pytest.mark.parametrize(('takes', 'drawings'), [(0.001, 50), (0.012, 25), (0.3, 8)])
def test_what_takes_long_is_drawn_less_often(monkeypatch, takes, drawings):
    clock = [100.0]
    monkeypatch.setattr(terminal_display.time, 'monotonic', lambda: clock[0])
    shown = Slow(ShownConsole(80, 24), clock, takes)
    with shown:
        while clock[0] < 110.0:
            clock[0] += 0.01
            shown.update()
    assert shown.drawings == pytest.approx(drawings, abs=3)
