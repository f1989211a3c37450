"""A display that is updated in place, on terminals that change."""

import io

import pytest
from rich.console import Console, Group
from rich.text import Text
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


class Block(LiveDisplay):
    """Some lines that are as wide as the terminal, and count their drawings."""

    drawings = 0

    def view(self):
        """Return the lines."""
        self.drawings += 1
        width = self._console.width
        return Group(*(Text(f'{k} in {self.drawings} '.ljust(width, '.')) for k in range(3)))

    def line(self):
        """Return one line."""
        return 'plain'


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(terminal_display, 'REFRESH_PERIOD', 0.0)
    monkeypatch.setattr(terminal_display, 'PLAIN_PERIOD', 0.0)
    monkeypatch.setattr(terminal_display, 'SLOWEST_PERIOD', 0.0)


@pytest.mark.parametrize('widths', [(80, 30), (80, 30, 60), (30, 80), (80, 15)])
def test_lines_that_a_narrower_terminal_has_wrapped_are_erased(at_once, widths):
    console = ShownConsole(widths[0], 40)
    console.print('before')
    block = Block(console)
    with block:
        for width in widths:
            console.resize(width, 40)
            block.update()
            lines = console.lines()
        assert [line.rstrip('.') for line in lines] == [
            'before', *(f'{k} in {len(widths)} ' for k in range(3))
        ]  # fmt: skip
        console.resize(12, 40)
    console.print('after')
    assert console.lines() == ['before', 'after']


@pytest.mark.parametrize('console', [
    {'force_terminal': False}, {'force_terminal': True, '_environ': {'TERM': 'dumb'}},
])  # fmt: skip
def test_where_nothing_can_be_drawn_there_are_lines(at_once, console):
    out = io.StringIO()
    with Block(Console(file=out, **console)) as block:
        block.update()
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
