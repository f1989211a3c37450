"""What a person sees while many runs fly."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console
from soliton_encirclement_ros.cli.views import batch_progress
from soliton_encirclement_ros.cli.views.batch_progress import BatchProgress


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [100.0]
    monkeypatch.setattr(batch_progress.time, 'monotonic', lambda: now[0])
    return now


def shown(clock, terminal, quiet=False, ticks=250):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=160, quiet=quiet)
    batch = SimpleNamespace(ticks=0, total_ticks=1000, finished=0)
    with BatchProgress(console, batch, 8) as progress:
        progress.update()
        clock[0] += 60.0
        batch.ticks, batch.finished = ticks, 2
        progress.update()
    return out.getvalue()


@pytest.mark.parametrize('terminal', [True, False])
def test_runs_share_and_time_left_are_shown(clock, terminal):
    text = shown(clock, terminal)
    assert '2 of 8 runs' in text
    assert '25 %' in text
    assert '3:00 left' in text


def test_before_the_first_tick_nobody_knows_how_long_it_takes(clock):
    text = shown(clock, terminal=False, ticks=0)
    assert '0 %' in text
    assert 'left' not in text


def test_a_quiet_console_shows_nothing(clock):
    assert shown(clock, terminal=False, quiet=True) == ''


def test_the_terminal_gets_its_cursor_back(clock):
    text = shown(clock, terminal=True)
    assert text.rfind('\x1b[?25h') > text.rfind('\x1b[?25l')
