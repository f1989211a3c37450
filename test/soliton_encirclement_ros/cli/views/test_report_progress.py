"""What a person sees while a bag is read and gone through."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from soliton_encirclement_ros.cli.views import live_display
from soliton_encirclement_ros.cli.views.report_progress import ReadingProgress


def progress(terminal=False, quiet=False):
    console = Console(file=io.StringIO(), force_terminal=terminal, quiet=quiet, width=200)
    return ReadingProgress(console, Path('a.mcap')), console.file


@pytest.mark.parametrize(
    ('done', 'messages', 'words'),
    [
        (0, 0, 'reading a.mcap: 0 messages'),
        (5, 0, 'reading a.mcap: 5 messages'),
        (5, 3, 'reading a.mcap: 5 messages'),
        (5, 10, 'reading a.mcap: 5 messages of 10  0:0'),
    ],
)
def test_the_line_says_how_much_is_read_and_what_is_left(done, messages, words):
    shown, _ = progress()
    shown.note(done, messages)
    assert shown.line().startswith(words)


def test_a_terminal_gets_a_bar_a_file_a_line_now_and_then_nobody_nothing(monkeypatch):
    monkeypatch.setattr(live_display, 'REFRESH_PERIOD', 0.0)
    monkeypatch.setattr(live_display, 'PLAIN_PERIOD', 0.0)
    for terminal, quiet, expected in ((True, False, '━'), (False, False, 'reading'), (0, 1, '')):
        shown, file = progress(terminal, quiet)
        with shown:
            shown.note(3, 0)
            shown.note(5, 10)
        assert expected in file.getvalue() and bool(expected) == bool(file.getvalue())
